import { formatMoney } from '#contract/money.ts'
import { adminOrderPath } from '#contract/paths.ts'
import { describeReturned, findReturnedLabel } from '#contract/returned-money.ts'
import type { PaidOrder } from '#server/orders/paid-order.ts'
import { cleanLines, createMailbox, oneLine, type Draft, type MailSettings } from './compose.ts'
import {
  addressLines,
  describeOrder,
  noteSection,
  paymentSection,
  type DescribedOrder,
} from './order-parts.ts'
import type { MailContent } from './render.ts'
import type { Spoken } from './spoken.ts'

/** To the owner. A reply to it goes to the buyer. */
export function composeNewSale(
  order: PaidOrder,
  settings: MailSettings,
  spoken: Spoken,
): Draft | undefined {
  const { customerEmail, customerName, customerPhone, shippingAddress } = order
  if (!settings.alertEmail || !settings.announcesSales) return undefined
  const described = describeOrder(order, settings, spoken)
  const { subject, ...texts } = writeNewSale(order, described)
  const isReturned = describeReturned(order).extent === 'all'
  const isPickup = order.terms?.isPickup === true
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
        ...noteSection(order),
        {
          title: isPickup ? 'Pickup at' : isReturned ? 'Delivery address' : 'Ship to',
          lines: addressLines(shippingAddress, spoken),
        },
        ...(customer.length > 0 ? [{ title: 'Customer', lines: customer }] : []),
        paymentSection(order, spoken),
      ],
      button: { label: 'Open order', url: `${settings.origin}${adminOrderPath(order.id)}` },
      closing:
        customerEmail && !order.isTest
          ? { text: 'Your reply to this mail goes to the customer' }
          : undefined,
    },
  }
}

type OrderTexts = Pick<MailContent, 'preview' | 'title' | 'lead' | 'steps'> & { subject: string }

function writeNewSale(order: PaidOrder, { order: { item } }: DescribedOrder): OrderTexts {
  const returned = describeReturned(order)
  const paid = formatMoney(order.amount, order.currency)
  const isPickup = order.terms?.isPickup === true
  if (returned.extent === 'all') {
    const label = findReturnedLabel(order)
    const money = formatMoney(returned.total, order.currency)
    const how =
      returned.kind === 'chargeback'
        ? `${money} was charged back to the customer`
        : `${money} went back to the customer`
    return {
      subject: `${label}: ${item.name} for ${paid}`,
      preview: `Do not ${isPickup ? 'hand over' : 'ship'} ${item.name}: ${how}.`,
      title: `${label} sale`,
      lead: `You sold ${item.name}, and ${how} since.`,
      steps: [
        `Do not ${isPickup ? 'hand it over' : 'ship it'} unless you have agreed so with the customer.`,
      ],
    }
  }
  if (!order.isPaid && !order.isTest)
    return {
      subject: `New order: ${item.name} for ${paid}`,
      preview: `SumUp has not confirmed a payment of ${paid}.`,
      title: 'New order',
      lead: `There is an order of ${item.name}. SumUp has not confirmed its payment.`,
      steps: [
        `Before you ${isPickup ? 'hand it over' : 'ship it'}, look for the payment in your SumUp account.`,
      ],
    }
  return {
    subject: `New sale: ${item.name} for ${paid}`,
    preview: `${paid} are paid. ${isPickup ? 'The customer picks it up' : `The parcel goes to ${oneLine(order.shippingAddress.country)}`}.`,
    title: 'New sale',
    lead: order.isTest
      ? `Somebody tried out how to buy ${item.name}.`
      : `You sold ${item.name}. It is paid and waits to be ${isPickup ? 'picked up' : 'shipped'}.`,
    steps: [],
  }
}
