import { storefrontRoutes } from '#contract/paths.ts'
import { fillText, languageQuery, languages } from '#contract/languages.ts'
import { isPolicyUrl, type PageLanguage, type ShopFacts } from '#contract/public-pages.ts'
import { withdrawalPolicyId, withdrawId, type WithdrawalStatement } from '#contract/withdrawals.ts'
import { withdrawalTextsOf } from '#contract/texts/all.ts'
import { writeWithdrawalPolicy } from '#contract/withdrawal-text.ts'

import { DialogFrame } from './dialog-frame.tsx'
import { language, texts as spokenTexts } from './language.ts'
import { formatPlace, pageTexts } from './page-texts.ts'
import { WithdrawalDialog } from './withdrawal-dialog.tsx'

const linkClass =
  'inline-flex min-h-11 items-center rounded text-[0.8125rem] text-soft underline decoration-line-strong underline-offset-3 hover:text-ink'

type ShopFooterProps = {
  shop: ShopFacts
  spoken: PageLanguage
  /** What is known of a withdrawal from here; null where there is no right to it. */
  withdrawal?: Partial<WithdrawalStatement> | null
}

/** No entry leaves the page: each opens a new tab, a mail or a dialog. */
export function ShopFooter({ shop, spoken, withdrawal = {} }: ShopFooterProps) {
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
              <WithdrawLink spoken={spoken} className={linkClass} />
              <template id={withdrawId}>
                <WithdrawalDialog known={withdrawal} shop={shop} />
              </template>
            </li>
          </>
        )}
      </ul>
      <LanguageSwitch spoken={spoken} />
    </footer>
  )
}

/** Links, so that it works without script and stays after a reload. */
export function LanguageSwitch({ spoken }: { spoken: PageLanguage }) {
  if (spoken.links.length === 0) return null
  return (
    <nav aria-label={pageTexts().language} className="pb-3 print:hidden">
      <ul className="flex flex-wrap gap-x-5">
        {spoken.links.map(({ code, href }) => (
          <li key={code}>
            <a
              href={href}
              hrefLang={code}
              lang={code}
              aria-current={code === spoken.language ? 'true' : undefined}
              className={`${linkClass} aria-[current]:font-semibold aria-[current]:text-ink aria-[current]:no-underline`}
            >
              {languages[code].name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
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
      {!isMail && <span className="sr-only"> {pageTexts().footer.newTab}</span>}
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

/** In the language of the page, where the buyer chose it. */
export function withdrawalFormUrl(spoken: PageLanguage): string {
  const own = spoken.links.find(({ code }) => code === spoken.language)
  return own
    ? `${storefrontRoutes.withdrawalForm}?${languageQuery}=${own.code}`
    : storefrontRoutes.withdrawalForm
}

/** The function that the law wants on every page of a buyer: the dialog of the footer, and without script a page. */
export function WithdrawLink({ spoken, className }: { spoken: PageLanguage; className: string }) {
  return (
    <a
      href={withdrawalFormUrl(spoken)}
      aria-haspopup="dialog"
      data-open-dialog={withdrawId}
      className={className}
    >
      {pageTexts().withdrawal.here}
    </a>
  )
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

const policyNames = ['refund', 'shipping', 'privacy', 'terms'] as const
const policyIds = {
  refund: 'refund-policy',
  shipping: 'shipping-policy',
  privacy: 'privacy-policy',
  terms: 'terms-of-service',
}

function listFooterEntries(facts: ShopFacts): FooterEntry[] {
  const { name, email, policies, isMoreThanCards } = facts
  const texts = pageTexts().footer
  const shop = name ?? texts.thisShop
  const theShop = name ?? texts.atStart
  const contact = email
    ? fillText(texts.writeTo, { email })
    : fillText(texts.reach, { shop: name ?? spokenTexts().shop.theShop })
  const refunds = isMoreThanCards ? texts.refundsOtherwise : texts.refundsToCard
  const mailed = writesToBuyers(facts) ? texts.termsMailed : ''
  const fill = (text: string) => fillText(text, { shop, theShop, contact, refunds, mailed })
  const imprint = listImprint(facts)
  return [
    ...policyNames.map((policy) => ({
      id: policyIds[policy],
      title: texts[policy],
      ...ownPolicy(policies[policy], standardTexts(policy, facts).map(fill)),
    })),
    {
      id: 'contact-shop',
      title: texts.contact,
      url: email && `mailto:${email}`,
      paragraphs: [
        ...texts.contactTexts.map(fill),
        ...(facts.postalAddress ? [facts.postalAddress] : []),
      ],
    },
    ...(imprint.length > 0
      ? [{ id: 'imprint', title: texts.imprint, url: null, paragraphs: imprint }]
      : []),
  ]
}

/** In test mode mails to buyers reach the owner alone. */
const writesToBuyers = ({ sendsMails, isTestMode }: ShopFacts) => sendsMails && !isTestMode

/** What is said of a policy that the owner has not written. */
function standardTexts(policy: (typeof policyNames)[number], { delivery }: ShopFacts) {
  const texts = pageTexts().footer
  if (policy !== 'shipping') return texts[`${policy}Texts`]
  const { countries, prices, pickup } = delivery
  const [sent = '', questions = ''] =
    prices.length > 0 ? texts.pricedShippingTexts : texts.shippingTexts
  const place = pickup && fillText(texts.pickupText, { place: formatPlace(pickup).join(', ') })
  return [countries.length > 0 ? sent : '', place ?? '', questions].filter(Boolean)
}

function describeWithdrawal(shop: ShopFacts): FooterEntry {
  return {
    id: withdrawalPolicyId,
    title: pageTexts().withdrawal.policy,
    ...ownPolicy(
      shop.policies.withdrawal,
      writeWithdrawalPolicy(
        { ...shop, sendsMails: writesToBuyers(shop) },
        { ...withdrawalTextsOf[language()], here: pageTexts().withdrawal.here },
      ),
    ),
  }
}

/** Who is behind the shop, in paragraphs; none as long as the owner has said no more than a name. */
export function listImprint({ name, postalAddress, imprint, vatNumber }: ShopFacts): string[] {
  if (!imprint && !postalAddress && !vatNumber) return []
  return [
    [name, postalAddress].filter(Boolean).join('\n'),
    vatNumber ? fillText(pageTexts().footer.vatNumber, { number: vatNumber }) : '',
    ...splitParagraphs(imprint ?? ''),
  ].filter(Boolean)
}
