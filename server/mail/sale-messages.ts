import { mailSentences, type SaleMailKind } from '#contract/mails.ts'
import { formatMoney } from '#contract/money.ts'
import { checkoutPath } from '#contract/paths.ts'
import { formatReturned, type ReturnedMoney } from '#contract/returned-money.ts'
import type { checkouts } from '#server/db/schema.ts'
import {
  createMailbox,
  findOpening,
  findPicture,
  finishDraft,
  oneLine,
  type Draft,
  type MailRow,
  type MailSettings,
} from './compose.ts'
import type { MailContent } from './render.ts'
import type { MailMessage } from './transport.ts'

/** A sale that was in review and ended without an order, with what went back of its payments. */
export type EndedSale = Pick<
  typeof checkouts.$inferSelect,
  'product' | 'amount' | 'currency' | 'details' | 'isTest' | 'state'
> &
  ReturnedMoney & { returnedCurrency: string | null }

/** How the sale must have ended for a mail to be true when it is sent. */
const endStates: Record<SaleMailKind, string> = {
  'payment-returned': 'refunded',
  'not-charged': 'closed',
  'payment-closed': 'dismissed',
}

/** The page promised the buyer a mail. Undefined when there is nobody to send it to. */
export function composeSaleMail(
  mail: Pick<MailRow, 'id' | 'kind'>,
  sale: EndedSale,
  settings: MailSettings,
): MailMessage | undefined {
  if (!isKnownKind(mail.kind))
    throw new Error('a newer version of the shop knows this kind of mail')
  const { product, details, isTest } = sale
  // What has happened since has its own mail, or the page says it.
  if (!details?.customerEmail || sale.state !== endStates[mail.kind]) return undefined
  const { shopEmail } = settings
  const shopName = oneLine(settings.shopName ?? product.headerName ?? 'Till')
  const { subject, ...texts } = writers[mail.kind](sale, settings)
  const draft: Draft = {
    audience: 'buyer',
    to: createMailbox(details.customerEmail, details.customerName ?? null),
    replyTo: shopEmail ? createMailbox(shopEmail, shopName) : undefined,
    subject: `${subject}: ${shopName}`,
    content: {
      ...texts,
      shopName,
      logo: findPicture(product.headerLogoUrl, 'logo', settings.origin),
      preview: texts.lead,
      title: subject,
      opening: findOpening(settings, mail.kind),
      order: undefined,
      sections: [
        { title: 'Product', lines: [oneLine(product.name)] },
        { title: 'Price', lines: [formatMoney(sale.amount, sale.currency)] },
      ],
      closing: shopEmail
        ? { text: 'Questions? Reply to this mail, or write to', email: shopEmail }
        : { text: 'Questions? Ask the shop where you wanted to buy' },
    },
  }
  return finishDraft(mail.id, draft, settings, { isTest, subject: 'payment' })
}

function isKnownKind(kind: string): kind is SaleMailKind {
  return Object.hasOwn(writers, kind)
}

type SaleTexts = Pick<MailContent, 'lead' | 'steps' | 'button'> & { subject: string }

const noOrder = 'No order was created, and nothing will be sent.'

/** Each says only what SumUp's word or an admin's decision has settled. */
const writers: Record<SaleMailKind, (sale: EndedSale, settings: MailSettings) => SaleTexts> = {
  'payment-returned': (sale) => {
    const returned = formatReturned(sale, sale.returnedCurrency ?? sale.currency)
    // Never announce money that SumUp does not show as returned: the mail is tried again.
    if (returned === '') throw new Error('no returned money is known yet')
    return {
      subject: 'Your payment was returned',
      lead: sale.isTest ? 'The payment was returned, as far as a test goes.' : returned,
      steps: [noOrder],
      button: undefined,
    }
  },
  'not-charged': ({ product }, { buyerOrigin }) => ({
    subject: 'Your card was not charged',
    lead: mailSentences['not-charged'],
    steps: [noOrder, 'If you still want it, you can buy it again.'],
    button: { label: 'Buy again', url: `${buyerOrigin}${checkoutPath(product.id)}` },
  }),
  'payment-closed': () => ({
    subject: 'Your payment was looked at',
    lead: mailSentences['payment-closed'],
    steps: [
      'If your card statement shows the amount, or if you expect a delivery, ask the shop.',
      'Keep this mail: it names what you wanted to buy.',
    ],
    button: undefined,
  }),
}
