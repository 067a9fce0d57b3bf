import { storefrontRoutes } from '#contract/paths.ts'
import { isPolicyUrl, type ShopContactFacts, type ShopFacts } from '#contract/public-pages.ts'
import {
  withdrawalPolicyId,
  withdrawId,
  withdrawLabel,
  type WithdrawalStatement,
} from '#contract/withdrawals.ts'
import { writeWithdrawalPolicy } from '#contract/withdrawal-text.ts'

import { DialogFrame } from './dialog-frame.tsx'
import { WithdrawalDialog } from './withdrawal-dialog.tsx'

const linkClass =
  'inline-flex min-h-11 items-center rounded text-[0.8125rem] text-soft underline decoration-line-strong underline-offset-3 hover:text-ink'

type ShopFooterProps = {
  shop: ShopFacts
  /** What is known of a withdrawal from here; null where there is no right to it. */
  withdrawal?: Partial<WithdrawalStatement> | null
}

/** No entry leaves the page: each opens a new tab, a mail or a dialog. */
export function ShopFooter({ shop, withdrawal = {} }: ShopFooterProps) {
  const offersWithdrawal = withdrawal !== null && shop.policies.withdrawalFor !== 'nobody'
  return (
    <footer className="border-t border-line print:hidden">
      <ul className="flex flex-wrap gap-x-5 py-3">
        {listFooterEntries(shop).map((entry) => (
          <li key={entry.id}>
            <FooterLink entry={entry} />
          </li>
        ))}
        {offersWithdrawal && (
          <>
            <li>
              <FooterLink entry={describeWithdrawal(shop)} />
            </li>
            <li>
              <WithdrawLink className={linkClass} />
              <template id={withdrawId}>
                <WithdrawalDialog known={withdrawal} />
              </template>
            </li>
          </>
        )}
      </ul>
    </footer>
  )
}

function FooterLink({ entry }: { entry: FooterEntry }) {
  const { id, title, url } = entry
  if (!url) {
    return (
      <>
        <a href={`#${id}`} aria-haspopup="dialog" data-open-dialog={id} className={linkClass}>
          {title}
        </a>
        {/* enhance.ts adds the dialog to the page when it is opened. */}
        <template id={id}>
          <TextDialog {...entry} />
        </template>
      </>
    )
  }
  const isMail = url.startsWith('mailto:')
  return (
    <a
      href={url}
      {...(!isMail && { target: '_blank', rel: 'noopener noreferrer' })}
      className={linkClass}
    >
      {title}
      {!isMail && <span className="sr-only"> (opens in a new tab)</span>}
    </a>
  )
}

function TextDialog({ id, title, paragraphs }: FooterEntry) {
  return (
    <DialogFrame id={id} title={title}>
      {paragraphs.map((text, index) => (
        <p
          // oxlint-disable-next-line react/no-array-index-key -- two may be equal, and none ever moves
          key={index}
          className="mt-3 text-[0.9375rem]/6 wrap-anywhere whitespace-pre-line text-soft"
        >
          {text}
        </p>
      ))}
    </DialogFrame>
  )
}

/** The function that the law wants on every page of a buyer: the dialog of the footer, and without script a page. */
export function WithdrawLink({ className }: { className: string }) {
  return (
    <a
      href={storefrontRoutes.withdrawalForm}
      aria-haspopup="dialog"
      data-open-dialog={withdrawId}
      className={className}
    >
      {withdrawLabel}
    </a>
  )
}

export function ShopContact({ shop }: { shop: ShopContactFacts }) {
  const name = shop.name ?? 'the shop'
  if (!shop.email) return <p>Questions? {reachWithoutEmail(name)}</p>

  return (
    <p>
      Questions? Write to {name}:{' '}
      <a
        href={`mailto:${shop.email}`}
        className="font-medium text-accent underline underline-offset-2 wrap-anywhere"
      >
        <bdi>{shop.email}</bdi>
      </a>
    </p>
  )
}

/** The shop has named no address, so only the buyer knows how they met. */
function reachWithoutEmail(shop: string): string {
  return `You reach ${shop} on the website, or in the message, that led you here.`
}

type FooterEntry = {
  id: string
  title: string
  /** The owner's own page or mail address; without one, `paragraphs` are shown in a dialog. */
  url: string | null
  paragraphs: string[]
}

/** The owner's own text or page, where there is one. */
function ownPolicy(policy: string | null, standard: string[]): Omit<FooterEntry, 'id' | 'title'> {
  if (policy === null) return { url: null, paragraphs: standard }
  return isPolicyUrl(policy)
    ? { url: policy, paragraphs: [] }
    : { url: null, paragraphs: splitParagraphs(policy) }
}

function splitParagraphs(text: string): string[] {
  return text.split(/\n\s*\n/).filter((paragraph) => paragraph.trim() !== '')
}

function listFooterEntries(facts: ShopFacts): FooterEntry[] {
  const { name, email, policies } = facts
  const shop = name ?? 'this shop'
  const theShop = name ?? 'This shop'
  const contact = email ? `Write to ${email}.` : reachWithoutEmail(name ?? 'the shop')
  return [
    {
      id: 'refund-policy',
      title: 'Refund policy',
      ...ownPolicy(policies.refund, [
        `If something is wrong with your order, ${shop} wants to know. ${contact}`,
        'Please name your order number; it is in the confirmation email and on the page after your purchase. Refunds go back to the card that was used. Your rights by law stay as they are.',
      ]),
    },
    {
      id: 'shipping-policy',
      title: 'Shipping policy',
      ...ownPolicy(policies.shipping, [
        `${theShop} sends your order by Standard Shipping to the address that you enter here. Shipping is free.`,
        `Questions about your delivery? ${contact}`,
      ]),
    },
    {
      id: 'privacy-policy',
      title: 'Privacy policy',
      ...ownPolicy(policies.privacy, [
        `${theShop} uses what you enter here to process your order, to deliver it and to write to you about it. News is only sent if you ask for it.`,
        'Your card details go straight to SumUp, the payment provider. The shop neither sees nor keeps them. If you choose to save your information, it stays on this device.',
        `To see, correct or delete what is kept about you: ${contact}`,
      ]),
    },
    {
      id: 'terms-of-service',
      title: 'Terms of service',
      ...ownPolicy(policies.terms, [
        `By paying you order the product shown here from ${shop} at the total shown here. The contract is made when the payment is confirmed; you receive an email that says so.`,
        `Questions? ${contact}`,
      ]),
    },
    {
      id: 'contact-shop',
      title: 'Contact',
      url: email && `mailto:${email}`,
      paragraphs: [
        `You buy from ${shop}, which has named no email address here. ${contact}`,
        ...(facts.postalAddress ? [facts.postalAddress] : []),
      ],
    },
    ...(listImprint(facts).length > 0
      ? [{ id: 'imprint', title: 'Imprint', url: null, paragraphs: listImprint(facts) }]
      : []),
  ]
}

function describeWithdrawal(shop: ShopFacts): FooterEntry {
  return {
    id: withdrawalPolicyId,
    title: 'Right of withdrawal',
    ...ownPolicy(shop.policies.withdrawal, writeWithdrawalPolicy(shop)),
  }
}

/** Who is behind the shop, in paragraphs; none as long as the owner has said no more than a name. */
export function listImprint({ name, postalAddress, imprint, vatNumber }: ShopFacts): string[] {
  if (!imprint && !postalAddress && !vatNumber) return []
  return [
    [name, postalAddress].filter(Boolean).join('\n'),
    vatNumber ? `VAT number: ${vatNumber}` : '',
    ...splitParagraphs(imprint ?? ''),
  ].filter(Boolean)
}
