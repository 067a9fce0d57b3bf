import { buyerDays } from '#server/orders/buyer.ts'
import { orderLink } from '#server/orders/order-link.ts'
import type { OrderRow } from '#server/orders/orders.ts'
import { addressLines, isSameAddress } from './address-lines.ts'
import { describeOrder, paymentSection, type Content } from './letter-content.ts'
import { headOf, type Letterhead } from './letterhead.ts'
import { recipient } from './mailbox.ts'
import type { Letter } from './letter.ts'
import { writeHtml } from './write-html.ts'
import { writeText } from './write-text.ts'

/** To the buyer. Nothing for an order without an address to write to. */
export function maybeConfirmation(
  mailId: string,
  order: OrderRow,
  letterhead: Letterhead,
): Letter | undefined {
  if (!order.customerEmail) return undefined
  const { shopEmail } = letterhead
  const known = describeOrder(order, letterhead)
  const { item } = known.order
  const content: Content = {
    ...known,
    preview: `${item.name}, ${item.price}. We are getting it ready.`,
    title: 'Thank you!',
    lead: 'Your order has been confirmed and paid.',
    sections: [...addresses(order), paymentSection(order)],
    steps: [
      'We get your order ready and send it to the address above.',
      `The link below shows how your order stands. It works for ${buyerDays} days.`,
      'Keep this mail. The order number is all we need to help you.',
    ],
    button: {
      label: 'View your order',
      url: orderLink(letterhead.origin, order.id, letterhead.secret),
    },
    closing: shopEmail
      ? { text: 'Questions? Reply to this mail, or write to', email: shopEmail }
      : undefined,
  }
  return {
    ...headOf(mailId, letterhead),
    to: recipient(order.customerEmail, order.customerName),
    replyTo: shopEmail ? recipient(shopEmail, known.shopName) : undefined,
    subject: `Your order from ${known.shopName} is confirmed`,
    text: writeText(content),
    html: writeHtml(content),
  }
}

function addresses({ shippingAddress, billingAddress }: OrderRow): Content['sections'] {
  const shipping = { title: 'Shipping address', lines: addressLines(shippingAddress) }
  if (!billingAddress || isSameAddress(shippingAddress, billingAddress)) return [shipping]
  return [shipping, { title: 'Billing address', lines: addressLines(billingAddress) }]
}
