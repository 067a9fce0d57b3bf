import { carrierNames } from '#contract/carriers.ts'
import { findOtherBilling, formatAddress } from '#contract/addresses.ts'
import { mailSentences } from '#contract/mails.ts'
import { formatMoney, includedVat } from '#contract/money.ts'
import { isSent, type Address } from '#contract/orders.ts'
import { adminOrderPath } from '#contract/paths.ts'
import {
  describeReturned,
  findReturnedLabel,
  formatReturned,
  listReturned,
} from '#contract/returned-money.ts'
import { buyerDays } from '#server/orders/buyer.ts'
import { orderLink } from '#server/orders/order-link.ts'
import type { PaidOrder } from '#server/orders/paid-order.ts'
import {
  cleanLines,
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
import { withdrawalLink, withdrawalSection } from './withdrawal-messages.ts'

const composers = {
  confirmation: composeConfirmation,
  shipped: composeShipped,
  refunded: composeRefunded,
  'new-sale': composeNewSale,
}

/** Undefined when there is nobody to send it to. */
export function composeMail(
  mail: Pick<MailRow, 'id' | 'kind'> & Partial<Pick<MailRow, 'amount'>>,
  order: PaidOrder,
  settings: MailSettings,
): MailMessage | undefined {
  // Each refund has a mail of its own: refunded-1, refunded-2 …
  const kind = mail.kind.replace(/^refunded-\d+$/, 'refunded')
  if (!isKnownKind(kind)) throw new Error('a newer version of the shop knows this kind of mail')
  const draft = composers[kind](order, settings, mail)
  if (!draft) return undefined
  return finishDraft(mail.id, draft, settings, { isTest: order.isTest, subject: 'order' })
}

function isKnownKind(kind: string): kind is keyof typeof composers {
  return Object.hasOwn(composers, kind)
}

function composeConfirmation(order: PaidOrder, settings: MailSettings): Draft | undefined {
  const { shippingAddress } = order
  if (!order.customerEmail) return undefined
  const { shopEmail } = settings
  const described = describeOrder(order, settings)
  const { shopName } = described
  const { subject, steps, ...texts } = writeConfirmation(order, described)
  const billingAddress = findOtherBilling(order)
  return {
    audience: 'buyer',
    to: createMailbox(order.customerEmail, order.customerName),
    replyTo: shopEmail ? createMailbox(shopEmail, shopName) : undefined,
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
        { title: 'Shipping address', lines: addressLines(shippingAddress) },
        ...(billingAddress
          ? [{ title: 'Billing address', lines: addressLines(billingAddress) }]
          : []),
        paymentSection(order),
        ...sellerSection(shopName, settings),
        ...withdrawalSection(order, settings),
      ],
      steps: [
        ...steps,
        `The link below shows how your order stands. It works for ${buyerDays} days.`,
        'Keep this mail. The order number is all we need to help you.',
      ],
      button: {
        label: 'View your order',
        url: orderLink(settings.buyerOrigin, order, settings.secret),
      },
      ...withdrawalLink(order, settings),
      closing: shopEmail
        ? { text: 'Questions? Reply to this mail, or write to', email: shopEmail }
        : undefined,
    },
  }
}

/** To the buyer, with the tracking that the order has when the mail leaves. None once the owner has taken it back. */
function composeShipped(order: PaidOrder, settings: MailSettings): Draft | undefined {
  const { customerEmail, shipment } = order
  if (!customerEmail || !shipment || !isSent(order)) return undefined
  const { shopEmail } = settings
  const { carrier, trackingNumber, trackingUrl } = shipment
  const described = describeOrder(order, settings)
  const { shopName } = described
  const orderPage = {
    label: 'View your order',
    url: orderLink(settings.buyerOrigin, order, settings.secret),
  }
  return {
    audience: 'buyer',
    to: createMailbox(customerEmail, order.customerName),
    replyTo: shopEmail ? createMailbox(shopEmail, shopName) : undefined,
    subject: `Your order from ${shopName} is on its way`,
    content: {
      ...described,
      preview: `${described.order.item.name} was sent to you.`,
      title: 'On its way',
      opening: findOpening(settings, 'shipped'),
      lead: order.isTest
        ? 'This is how a buyer reads that a parcel is on its way.'
        : mailSentences.shipped,
      sections: [
        { title: 'Shipping address', lines: addressLines(order.shippingAddress) },
        {
          title: 'Parcel',
          lines: cleanLines([
            carrier === 'other' ? null : carrierNames[carrier],
            trackingNumber && `Tracking number ${trackingNumber}`,
          ]),
        },
      ].filter(({ lines }) => lines.length > 0),
      steps: [
        ...(trackingUrl ? ['It can take a day until the carrier shows where the parcel is.'] : []),
        `Your order’s page shows how it stands. Its link works for ${buyerDays} days.`,
      ],
      ...(trackingUrl
        ? { button: { label: 'Track your parcel', url: trackingUrl }, link: orderPage }
        : { button: orderPage }),
      closing: shopEmail
        ? { text: 'Questions? Reply to this mail, or write to', email: shopEmail }
        : undefined,
    },
  }
}

/** To the buyer, once SumUp shows the refund. What a bank took back they know from their bank. */
function composeRefunded(
  order: PaidOrder,
  settings: MailSettings,
  { amount }: Partial<Pick<MailRow, 'amount'>>,
): Draft | undefined {
  const { customerEmail, isTest } = order
  if (!customerEmail || !amount) return undefined
  const { shopEmail } = settings
  const described = describeOrder(order, settings)
  const { shopName } = described
  const money = formatMoney(amount, order.currency)
  const lead = isTest
    ? `${money} of this test order were refunded. No money has moved.`
    : `${money} went back to your card.`
  return {
    audience: 'buyer',
    to: createMailbox(customerEmail, order.customerName),
    replyTo: shopEmail ? createMailbox(shopEmail, shopName) : undefined,
    subject: `${money} refunded: your order from ${shopName}`,
    content: {
      ...described,
      preview: lead,
      title: 'Your refund',
      opening: findOpening(settings, 'refunded'),
      lead,
      sections: [paymentSection(order), ...sellerSection(shopName, settings)],
      steps: ['It can take some days until your card statement shows it.'],
      button: {
        label: 'View your order',
        url: orderLink(settings.buyerOrigin, order, settings.secret),
      },
      closing: shopEmail
        ? { text: 'Questions? Reply to this mail, or write to', email: shopEmail }
        : undefined,
    },
  }
}

type OrderTexts = Pick<MailContent, 'preview' | 'title' | 'lead' | 'steps'> & { subject: string }
type Described = ReturnType<typeof describeOrder>

/** A confirmation may be composed long after the sale: money that went back meanwhile is not called paid. */
function writeConfirmation(order: PaidOrder, { shopName, order: { item } }: Described): OrderTexts {
  const returned = describeReturned(order)
  if (returned.extent === 'all') {
    const how = findReturnedLabel(order)?.toLowerCase()
    const lead = formatReturned(order, order.currency)
    return {
      subject: `Your order from ${shopName} was ${how}`,
      preview: lead,
      title: `Your order was ${how}`,
      lead,
      steps: [],
    }
  }
  return {
    subject: `Your order from ${shopName} is confirmed`,
    preview: `${item.name}, ${item.price}. We are getting it ready.`,
    title: 'Thank you!',
    lead:
      order.isTest || !order.isPaid ? 'Your order has been confirmed.' : mailSentences.confirmation,
    steps: order.isTest ? [] : ['We get your order ready and send it to the address above.'],
  }
}

/** To the owner. A reply to it goes to the buyer. */
function composeNewSale(order: PaidOrder, settings: MailSettings): Draft | undefined {
  const { customerEmail, customerName, customerPhone, shippingAddress } = order
  if (!settings.alertEmail || !settings.announcesSales) return undefined
  const described = describeOrder(order, settings)
  const { subject, ...texts } = writeNewSale(order, described)
  const isReturned = describeReturned(order).extent === 'all'
  const customer = cleanLines([customerName, customerEmail, customerPhone])
  return {
    audience: 'owner',
    to: createMailbox(settings.alertEmail, described.shopName),
    replyTo: customerEmail ? createMailbox(customerEmail, customerName) : undefined,
    subject,
    content: {
      ...described,
      ...texts,
      sections: [
        {
          title: isReturned ? 'Delivery address' : 'Ship to',
          lines: addressLines(shippingAddress),
        },
        ...(customer.length > 0 ? [{ title: 'Customer', lines: customer }] : []),
        paymentSection(order),
      ],
      button: { label: 'Open order', url: `${settings.origin}${adminOrderPath(order.id)}` },
      closing:
        customerEmail && !order.isTest
          ? { text: 'Your reply to this mail goes to the customer' }
          : undefined,
    },
  }
}

function writeNewSale(order: PaidOrder, { order: { item } }: Described): OrderTexts {
  const returned = describeReturned(order)
  if (returned.extent === 'all') {
    const label = findReturnedLabel(order)
    const money = formatMoney(returned.total, order.currency)
    const how =
      returned.kind === 'chargeback'
        ? `the customer’s bank took ${money} back`
        : `${money} went back to the customer`
    return {
      subject: `${label}: ${item.name} for ${item.price}`,
      preview: `Do not ship ${item.name}: ${how}.`,
      title: `${label} sale`,
      lead: `You sold ${item.name}, and ${how} since.`,
      steps: ['Do not ship it unless you have agreed so with the customer.'],
    }
  }
  if (!order.isPaid && !order.isTest)
    return {
      subject: `New order: ${item.name} for ${item.price}`,
      preview: `SumUp has not confirmed a payment of ${item.price}.`,
      title: 'New order',
      lead: `There is an order of ${item.name}. SumUp has not confirmed its payment.`,
      steps: ['Before you ship it, look for the payment in your SumUp account.'],
    }
  return {
    subject: `New sale: ${item.name} for ${item.price}`,
    preview: `${item.price} are paid. The parcel goes to ${oneLine(order.shippingAddress.country)}.`,
    title: 'New sale',
    lead: order.isTest
      ? `Somebody tried out how to buy ${item.name}.`
      : `You sold ${item.name}. It is paid and waits to be shipped.`,
    steps: [],
  }
}

function describeOrder(order: PaidOrder, { shopName, origin }: MailSettings) {
  const { product, quantity, currency } = order
  const money = formatMoney(order.amount, currency)
  return {
    shopName: oneLine(shopName ?? product.headerName ?? 'Till'),
    logo: findPicture(product.headerLogoUrl, 'logo', origin),
    order: {
      number: order.id,
      shortNumber: order.number === null ? undefined : `#${order.number}`,
      item: {
        name: oneLine(product.name),
        quantity,
        price: money,
        picture: findPicture(product.imageUrl, 'thumb', origin),
      },
      totals: [
        { label: 'Subtotal', value: money },
        { label: 'Shipping', value: 'Free' },
        { label: `Total (${currency})`, value: money },
        ...describeVat(order),
        ...listReturned(order).map(({ label, amount }) => ({
          label,
          value: formatMoney(amount, currency),
        })),
      ],
    },
  }
}

/** The price includes it. Orders from before the shop named a rate have none. */
function describeVat({ product, amount, currency }: PaidOrder) {
  const { vatRate } = product
  if (vatRate === undefined) return []
  const value = formatMoney(includedVat(amount, vatRate), currency)
  return [{ label: `Including ${vatRate}% VAT`, value }]
}

/** Who sold it, where the shop says so: what a receipt needs. */
function sellerSection(
  shopName: string,
  { postalAddress, vatNumber }: MailSettings,
): MailContent['sections'] {
  if (!postalAddress && !vatNumber) return []
  const lines = [shopName, ...(postalAddress ?? '').split('\n')]
  return [
    { title: 'Seller', lines: cleanLines([...lines, vatNumber && `VAT number ${vatNumber}`]) },
  ]
}

function paymentSection({ paymentMethod }: PaidOrder): MailContent['sections'][number] {
  const isCard = !paymentMethod || paymentMethod === 'card'
  return { title: 'Payment', lines: [isCard ? 'Card' : oneLine(paymentMethod)] }
}

function addressLines(address: Address): string[] {
  return cleanLines(formatAddress(address))
}
