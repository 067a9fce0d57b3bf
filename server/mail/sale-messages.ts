import { fillText } from '#contract/languages.ts'
import type { SaleMailKind } from '#contract/mails.ts'
import { nameWithValue, type ProductAsSold } from '#contract/orders.ts'
import { isCard } from '#contract/payment-methods.ts'
import { checkoutPath } from '#contract/paths.ts'
import { absolutePicture } from '#contract/pictures.ts'
import { formatReturned, type ReturnedMoney } from '#contract/returned-money.ts'
import type { checkouts } from '#server/db/schema.ts'
import { findMailLanguage } from '#server/http/page-language.ts'
import {
  addressBuyer,
  findOpening,
  finishDraft,
  inviteQuestions,
  oneLine,
  type Draft,
  type MailRow,
  type MailSettings,
} from './compose.ts'
import type { MailContent } from './render.ts'
import { speak, type Spoken } from './spoken.ts'
import type { MailMessage } from './transport.ts'

/** A sale that was in review and ended without an order, with what went back of its payments. */
export type EndedSale = Pick<
  typeof checkouts.$inferSelect,
  'amount' | 'currency' | 'details' | 'isTest' | 'state'
> &
  ReturnedMoney & {
    product: ProductAsSold
    returnedCurrency: string | null
    /** Null for a card, or where nothing was paid. */
    paymentMethod: string | null
  }

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
  const spoken = speak(findMailLanguage(settings, details.language ?? null))
  const { labels, subjectOfShop, sale: saleTexts } = spoken.texts
  const shopName = oneLine(settings.shopName ?? product.headerName ?? 'Till')
  const { subject, ...texts } = writers[mail.kind](sale, spoken, settings)
  const draft: Draft = {
    ...addressBuyer(details.customerEmail, details.customerName ?? null, shopName, settings),
    subject: fillText(subjectOfShop, { subject, shop: shopName }),
    content: {
      ...texts,
      language: spoken.language,
      shopName,
      logo: absolutePicture(product.headerLogoUrl, 'logo', settings.origin),
      preview: texts.lead,
      title: subject,
      opening: findOpening(settings, mail.kind),
      order: undefined,
      sections: [
        { title: labels.product, lines: [oneLine(nameWithValue(product))] },
        { title: labels.price, lines: [spoken.showMoney(sale.amount, sale.currency)] },
      ],
      closing: inviteQuestions(settings, spoken) ?? { text: saleTexts.askShop },
    },
  }
  return finishDraft(mail.id, draft, settings, { isTest, subject: 'payment' })
}

function isKnownKind(kind: string): kind is SaleMailKind {
  return Object.hasOwn(writers, kind)
}

type SaleTexts = Pick<MailContent, 'lead' | 'steps' | 'button'> & { subject: string }

type Writer = (sale: EndedSale, spoken: Spoken, settings: MailSettings) => SaleTexts

/** Each says only what SumUp's word or an admin's decision has settled. */
const writers: Record<SaleMailKind, Writer> = {
  'payment-returned': (sale, { texts, shared, showMoney }) => {
    const currency = sale.returnedCurrency ?? sale.currency
    const returned = formatReturned(sale, shared.returned, (amount) => showMoney(amount, currency))
    // Never announce money that SumUp does not show as returned: the mail is tried again.
    if (returned === '') throw new Error('no returned money is known yet')
    const { subject, testLead } = texts['payment-returned']
    return {
      subject,
      lead: sale.isTest ? testLead : returned,
      steps: [texts.sale.noOrder],
      button: undefined,
    }
  },
  'not-charged': ({ product, paymentMethod }, { texts }, { buyerOrigin }) => {
    const { subject, subjectOtherwise, lead, buyAgain } = texts['not-charged']
    return {
      subject: isCard(paymentMethod) ? subject : subjectOtherwise,
      lead,
      steps: [texts.sale.noOrder, buyAgain],
      button: {
        label: texts.buttons.buyAgain,
        url: `${buyerOrigin}${checkoutPath(product.id)}`,
      },
    }
  },
  'payment-closed': ({ paymentMethod }, { texts }) => {
    const { subject, lead, ask, askOtherwise, keep } = texts['payment-closed']
    const question = isCard(paymentMethod) ? ask : askOtherwise
    return { subject, lead, steps: [question, keep], button: undefined }
  },
}
