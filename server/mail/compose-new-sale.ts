import { pages } from '#contract/paths.ts'
import type { OrderRow } from '#server/orders/orders.ts'
import { addressLines } from './address-lines.ts'
import { describeOrder, paymentSection, type Content } from './letter-content.ts'
import { headOf, type Letterhead } from './letterhead.ts'
import { recipient } from './mailbox.ts'
import { oneLine } from './one-line.ts'
import type { Letter } from './letter.ts'
import { writeHtml } from './write-html.ts'
import { writeText } from './write-text.ts'

/** To the owner, whose answer goes to the buyer. Nothing where the owner left no address. */
export function maybeNewSale(
  mailId: string,
  order: OrderRow,
  letterhead: Letterhead,
): Letter | undefined {
  if (!letterhead.shopEmail) return undefined
  const known = describeOrder(order, letterhead)
  const { item } = known.order
  const customer = [order.customerName, order.customerEmail, order.customerPhone].flatMap((line) =>
    line ? [oneLine(line)] : [],
  )
  const content: Content = {
    ...known,
    preview: `${item.price} are paid. The parcel goes to ${oneLine(order.shippingAddress.country)}.`,
    title: 'New sale',
    lead: `You sold ${item.name}. It is paid and waits to be shipped.`,
    sections: [
      { title: 'Ship to', lines: addressLines(order.shippingAddress) },
      ...(customer.length > 0 ? [{ title: 'Customer', lines: customer }] : []),
      paymentSection(order),
    ],
    steps: [],
    button: { label: 'Open orders', url: `${letterhead.origin}${pages.orders}` },
    closing: order.customerEmail
      ? { text: 'Your reply to this mail goes to the customer' }
      : undefined,
  }
  return {
    ...headOf(mailId, letterhead),
    to: recipient(letterhead.shopEmail, known.shopName),
    replyTo: order.customerEmail ? recipient(order.customerEmail, order.customerName) : undefined,
    subject: `New sale: ${item.name} for ${item.price}`,
    text: writeText(content),
    html: writeHtml(content),
  }
}
