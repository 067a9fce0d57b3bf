import { findOtherBilling } from '#contract/addresses.ts'
import { carrierNames } from '#contract/carriers.ts'
import { defaultLanguage, fillText } from '#contract/languages.ts'
import { isSent } from '#contract/orders.ts'
import { isCard } from '#contract/payment-methods.ts'
import { describeReturned, formatReturned } from '#contract/returned-money.ts'
import { findMailLanguage } from '#server/http/page-language.ts'
import { buyerDays } from '#server/orders/buyer.ts'
import { orderLink } from '#server/orders/order-link.ts'
import type { PaidOrder } from '#server/orders/paid-order.ts'
import {
  addressBuyer,
  cleanLines,
  findOpening,
  finishDraft,
  inviteQuestions,
  type Draft,
  type MailRow,
  type MailSettings,
} from './compose.ts'
import { composeNewSale } from './new-sale-message.ts'
import {
  addressLines,
  deliverySection,
  describeOrder,
  noteSection,
  paymentSection,
  type DescribedOrder,
} from './order-parts.ts'
import type { MailContent } from './render.ts'
import { speak, type Spoken } from './spoken.ts'
import type { MailMessage } from './transport.ts'
import { withdrawalLink, withdrawalSection } from './withdrawal-messages.ts'

const composers = {
  confirmation: composeConfirmation,
  shipped: composeShipped,
  unshipped: composeUnshipped,
  refunded: composeRefunded,
  'new-sale': composeNewSale,
}

/** What a mail about an order says of a refund. */
type RefundTold = {
  amount: string | null
  /** How the refunded payments of the sale were made; several where the buyer had paid twice, in different ways. */
  refundedMethods: string[]
}

/** Undefined when there is nobody to send it to. */
export function composeMail(
  mail: Pick<MailRow, 'id' | 'kind'> & Partial<RefundTold>,
  order: PaidOrder,
  settings: MailSettings,
): MailMessage | undefined {
  // Each refund has a mail of its own: refunded-1, refunded-2 …
  const kind = mail.kind.replace(/^refunded-\d+$/, 'refunded')
  if (!isKnownKind(kind)) throw new Error('a newer version of the shop knows this kind of mail')
  const isToOwner = kind === 'new-sale'
  const language = isToOwner ? defaultLanguage : findMailLanguage(settings, order.language)
  const draft = composers[kind](order, settings, speak(language), mail)
  if (!draft) return undefined
  return finishDraft(mail.id, draft, settings, { isTest: order.isTest, subject: 'order' })
}

function isKnownKind(kind: string): kind is keyof typeof composers {
  return Object.hasOwn(composers, kind)
}

function composeConfirmation(
  order: PaidOrder,
  settings: MailSettings,
  spoken: Spoken,
): Draft | undefined {
  if (!order.customerEmail) return undefined
  const described = describeOrder(order, settings, spoken)
  const { subject, steps, ...texts } = writeConfirmation(order, described, spoken)
  const billingAddress = findOtherBilling(order)
  const { labels, confirmation } = spoken.texts
  return {
    ...addressBuyer(order.customerEmail, order.customerName, described.shopName, settings),
    subject,
    content: {
      ...described,
      ...texts,
      // Its words are about a purchase that holds.
      opening:
        describeReturned(order).extent === 'all'
          ? undefined
          : findOpening(settings, 'confirmation'),
      sections: [
        ...noteSection(order),
        ...deliverySection(order, settings, spoken),
        ...(billingAddress
          ? [{ title: labels.billingAddress, lines: addressLines(billingAddress, spoken) }]
          : []),
        paymentSection(order, spoken),
        ...sellerSection(described, settings, spoken),
        ...withdrawalSection(order, settings, spoken),
      ],
      steps: [
        ...steps,
        fillText(confirmation.link, { days: String(buyerDays) }),
        confirmation.keep,
      ],
      button: linkOrder(order, settings, spoken),
      ...withdrawalLink(order, settings, spoken),
      closing: inviteQuestions(settings, spoken),
    },
  }
}

/** To the buyer, with the tracking that the order has when the mail leaves. None once the owner has taken it back. */
function composeShipped(
  order: PaidOrder,
  settings: MailSettings,
  spoken: Spoken,
): Draft | undefined {
  if (order.terms?.isPickup) return composeReadyForPickup(order, settings, spoken)
  const { customerEmail, shipment } = order
  if (!customerEmail || !shipment || !isSent(order)) return undefined
  const { carrier, trackingNumber, trackingUrl } = shipment
  const described = describeOrder(order, settings, spoken)
  const orderPage = linkOrder(order, settings, spoken)
  const { labels, buttons, shipped } = spoken.texts
  return {
    ...addressBuyer(customerEmail, order.customerName, described.shopName, settings),
    subject: fillText(shipped.subject, { shop: described.shopName }),
    content: {
      ...described,
      preview: fillText(shipped.preview, { product: described.order.item.name }),
      title: shipped.title,
      opening: findOpening(settings, 'shipped'),
      lead: order.isTest ? shipped.testLead : shipped.lead,
      sections: [
        ...deliverySection(order, settings, spoken),
        {
          title: labels.parcel,
          lines: cleanLines([
            carrier === 'other' ? null : carrierNames[carrier],
            trackingNumber && fillText(labels.trackingNumber, { number: trackingNumber }),
          ]),
        },
      ].filter(({ lines }) => lines.length > 0),
      steps: [
        ...(trackingUrl ? [shipped.tracking] : []),
        fillText(shipped.link, { days: String(buyerDays) }),
      ],
      ...(trackingUrl
        ? { button: { label: buttons.track, url: trackingUrl }, link: orderPage }
        : { button: orderPage }),
      closing: inviteQuestions(settings, spoken),
    },
  }
}

/** To the buyer, who was told that the order is on its way or ready. None once that is true, or the money went back. */
function composeUnshipped(
  order: PaidOrder,
  settings: MailSettings,
  spoken: Spoken,
): Draft | undefined {
  const { customerEmail, terms } = order
  if (!customerEmail || isSent(order) || describeReturned(order).extent === 'all') return undefined
  const described = describeOrder(order, settings, spoken)
  const { unshipped } = spoken.texts
  return {
    ...addressBuyer(customerEmail, order.customerName, described.shopName, settings),
    subject: fillText(unshipped.subject, { shop: described.shopName }),
    content: {
      ...described,
      preview: fillText(unshipped.preview, { product: described.order.item.name }),
      title: unshipped.title,
      lead: terms?.isPickup ? unshipped.notReady : unshipped.notSent,
      sections: [],
      steps: [],
      button: linkOrder(order, settings, spoken),
      closing: inviteQuestions(settings, spoken),
    },
  }
}

/**
 * To the buyer, instead of a parcel's tracking. None once it does not wait there any more: the owner has taken the status
 * back, it was picked up, or its money went back. Without the owner's opening sentence, which is about parcels.
 */
function composeReadyForPickup(
  order: PaidOrder,
  settings: MailSettings,
  spoken: Spoken,
): Draft | undefined {
  const { customerEmail } = order
  const isWaiting = order.status === 'shipped' && describeReturned(order).extent !== 'all'
  if (!customerEmail || !isWaiting) return undefined
  const described = describeOrder(order, settings, spoken)
  const { readyForPickup, shipped } = spoken.texts
  return {
    ...addressBuyer(customerEmail, order.customerName, described.shopName, settings),
    subject: fillText(readyForPickup.subject, { shop: described.shopName }),
    content: {
      ...described,
      preview: fillText(readyForPickup.preview, { product: described.order.item.name }),
      title: readyForPickup.title,
      lead: order.isTest ? readyForPickup.testLead : readyForPickup.lead,
      sections: deliverySection(order, settings, spoken),
      steps: [readyForPickup.bring, fillText(shipped.link, { days: String(buyerDays) })],
      button: linkOrder(order, settings, spoken),
      closing: inviteQuestions(settings, spoken),
    },
  }
}

/** To the buyer, once SumUp shows the refund. What a bank took back they know from their bank. */
function composeRefunded(
  order: PaidOrder,
  settings: MailSettings,
  spoken: Spoken,
  { amount: refundedAmount, refundedMethods = [] }: Partial<RefundTold>,
): Draft | undefined {
  const { customerEmail, isTest } = order
  if (!customerEmail || !refundedAmount) return undefined
  const described = describeOrder(order, settings, spoken)
  const { refunded } = spoken.texts
  const amount = spoken.showMoney(refundedAmount, order.currency)
  // Another payment may pay for the order by now: its method is not the one of the refund.
  const [paymentMethod = order.paymentMethod, ...others] = refundedMethods
  const isOneMethod = others.length === 0
  const words =
    isOneMethod && isCard(paymentMethod)
      ? { lead: refunded.lead, statement: refunded.statement }
      : { lead: refunded.leadOtherwise, statement: refunded.statementOtherwise }
  const lead = fillText(isTest ? refunded.testLead : words.lead, { amount })
  return {
    ...addressBuyer(customerEmail, order.customerName, described.shopName, settings),
    subject: fillText(refunded.subject, { amount, shop: described.shopName }),
    content: {
      ...described,
      preview: lead,
      title: refunded.title,
      opening: findOpening(settings, 'refunded'),
      lead,
      sections: [
        ...(isOneMethod ? [paymentSection({ paymentMethod }, spoken)] : []),
        ...sellerSection(described, settings, spoken),
      ],
      steps: isTest ? [] : [words.statement],
      button: linkOrder(order, settings, spoken),
      closing: inviteQuestions(settings, spoken),
    },
  }
}

function linkOrder(order: PaidOrder, settings: MailSettings, { texts }: Spoken) {
  const url = orderLink(settings.buyerOrigin, order, settings.secret)
  return { label: texts.buttons.viewOrder, url }
}

type OrderTexts = Pick<MailContent, 'preview' | 'title' | 'lead' | 'steps'> & { subject: string }

/** A confirmation may be composed long after the sale: money that went back meanwhile is not called paid. */
function writeConfirmation(
  order: PaidOrder,
  { shopName, order: { item } }: DescribedOrder,
  { texts: { confirmation, refunded }, shared, showMoney }: Spoken,
): OrderTexts {
  const returned = describeReturned(order)
  if (returned.extent === 'all') {
    const show = (amount: string) => showMoney(amount, order.currency)
    const lead = order.isTest
      ? fillText(refunded.testLead, { amount: show(order.amount) })
      : formatReturned(order, shared.returned, show)
    return {
      subject: fillText(confirmation.returnedSubjects[returned.kind], { shop: shopName }),
      preview: lead,
      title: shared.returned.titles[returned.kind],
      lead,
      steps: [],
    }
  }
  return {
    subject: fillText(confirmation.subject, { shop: shopName }),
    preview: fillText(confirmation.preview, {
      product: item.name,
      price: showMoney(order.amount, order.currency),
    }),
    title: confirmation.title,
    lead: order.isTest || !order.isPaid ? confirmation.confirmed : confirmation.paid,
    steps: order.isTest
      ? []
      : [order.terms?.isPickup ? confirmation.getReadyForPickup : confirmation.getReady],
  }
}

/** Who sold it, where the shop says so: what a receipt needs. */
function sellerSection(
  { shopName }: DescribedOrder,
  { postalAddress, vatNumber }: MailSettings,
  { texts: { labels } }: Spoken,
): MailContent['sections'] {
  if (!postalAddress && !vatNumber) return []
  const lines = [shopName, ...(postalAddress ?? '').split('\n')]
  const vat = vatNumber && fillText(labels.vatNumber, { number: vatNumber })
  return [{ title: labels.seller, lines: cleanLines([...lines, vat]) }]
}
