import { cleanTrackingNumber, isTrackingNumber } from '#contract/carriers.ts'
import { type AdminOrder, isOrderNumber, type MatchedOrders } from '#contract/orders.ts'
import { labelOf, noValue } from '#web/admin/orders/order-text.ts'

/** What was pasted: order numbers with their tracking numbers. */

export type ParcelLine = { orderNumber: string; trackingNumber: string }

/** More are pasted in parts. */
export const maxParcelLines = 500

/** Two columns of a table or a CSV file, or words: the order first, the tracking number second. */
export function parseParcelLines(text: string): ParcelLine[] {
  const lines = text
    .split(/\r?\n/)
    .map(parseLine)
    .filter(({ orderNumber, trackingNumber }) => orderNumber !== '' || trackingNumber !== '')
  const [first, ...rest] = lines
  return first && isHeading(first) ? rest : lines
}

function parseLine(line: string): ParcelLine {
  const separator = ['\t', ';', ','].find((sign) => line.includes(sign))
  const [orderNumber = '', ...cells] = separator
    ? line.split(separator)
    : line.trim().split(/\s+/, 50)
  const trackingNumber = separator ? (cells[0] ?? '') : cells.join('')
  return {
    orderNumber: cleanCell(orderNumber).replace(/^#/, '').replace(/…$/, ''),
    trackingNumber: cleanTrackingNumber(cleanCell(trackingNumber)),
  }
}

/** Without the quotes of CSV, and without ="…" by which spreadsheets keep digits as they are. */
function cleanCell(cell: string): string {
  return cell.replaceAll('"', '').trim().replace(/^=/, '').trim()
}

function isHeading({ orderNumber, trackingNumber }: ParcelLine): boolean {
  return !isOrderNumber(orderNumber) && !/\d/.test(trackingNumber)
}

export type Parcel = ParcelLine & {
  /** The order that is meant, if it is known and certain. */
  order: AdminOrder | undefined
  /** Whether it will be saved, is left as it is, or cannot be saved. */
  state: 'ready' | 'idle' | 'problem'
  /** In the preview. */
  text: string
}

/** What will happen with each line. Numbers that are not in `matched` are still being looked for. */
export function checkParcels(
  lines: readonly ParcelLine[],
  matched: readonly MatchedOrders[],
): Parcel[] {
  const found = new Map(matched.map(({ asked, orders }) => [asked, orders]))
  const taken = new Set<string>()
  return lines.map((line) => {
    const orders = found.get(line.orderNumber)
    const order = orders?.length === 1 ? orders[0] : undefined
    const isTwice = order !== undefined && taken.has(order.id)
    if (order && line.trackingNumber !== '') taken.add(order.id)
    return { ...line, order, ...judge(line, { orders, order, isTwice }) }
  })
}

type Facts = { orders: AdminOrder[] | undefined; order: AdminOrder | undefined; isTwice: boolean }

function judge(
  { orderNumber, trackingNumber }: ParcelLine,
  { orders, order, isTwice }: Facts,
): Pick<Parcel, 'state' | 'text'> {
  const problem = (text: string) => ({ state: 'problem', text }) as const
  const idle = (text: string) => ({ state: 'idle', text }) as const
  if (!isOrderNumber(orderNumber))
    return problem('Not an order number: at least its first 8 characters')
  if (!orders) return idle('Looking for the order…')
  if (orders.length === 0) return problem('No order has this number')
  if (!order) return problem('Several orders begin like this: use the whole number')
  if (trackingNumber === '') return idle('No tracking number yet')
  if (!isTrackingNumber(trackingNumber)) return problem('Not a tracking number')
  if (isTwice) return problem('This order is in the list twice')
  const { shipment, status } = order
  if (shipment?.trackingNumber === trackingNumber) return idle('Has this tracking already')
  if (shipment) return { state: 'ready', text: `Replaces ${shipment.trackingNumber ?? noValue}` }
  const isSent = status === 'shipped' || status === 'completed'
  return { state: 'ready', text: isSent ? labelOf(status) : `${labelOf(status)} → Shipped` }
}
