import {
  type Carrier,
  cleanTrackingNumber,
  isTrackingNumber,
  recognizeCarrier,
} from '#contract/carriers.ts'
import { type AdminOrder, isOrderNumber, isSent, type MatchedOrders } from '#contract/orders.ts'
import { findReturnedLabel } from '#contract/returned-money.ts'
import { labelOf, noValue } from '#web/admin/orders/order-text.ts'

/** What was pasted: order numbers with their tracking numbers. */

export type ParcelLine = { orderNumber: string; trackingNumber: string }

/** More are pasted in parts. */
export const maxParcelLines = 500

/** Two columns of a table or a CSV file, or words: the order first, the tracking number second. */
export function parseParcelLines(text: string): ParcelLine[] {
  const lines = text
    .split(/\r\n?|\n/)
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
  /** That of the number, where it names one, else the one that was chosen. */
  carrier: Carrier | ''
  /** Whether it will be saved, is left as it is, or cannot be saved. */
  state: 'ready' | 'idle' | 'problem'
  /** In the preview. */
  text: string
}

/** What will happen with each line. Numbers that are not in `matched` are still being looked for. */
export function checkParcels(
  lines: readonly ParcelLine[],
  matched: readonly MatchedOrders[],
  chosen: Carrier | '',
): Parcel[] {
  const found = new Map(matched.map(({ asked, orders }) => [asked, orders]))
  const findOrder = ({ orderNumber }: ParcelLine) => {
    const orders = found.get(orderNumber)
    return orders?.length === 1 ? orders[0] : undefined
  }
  const numbered = lines.filter(({ trackingNumber }) => trackingNumber !== '')
  const count = (isSame: (line: ParcelLine) => boolean) => numbered.filter(isSame).length
  return lines.map((line) => {
    const order = findOrder(line)
    const facts = {
      orders: found.get(line.orderNumber),
      order,
      carrier: recognizeCarrier(line.trackingNumber) ?? chosen,
      isTwice: order !== undefined && count((one) => findOrder(one)?.id === order.id) > 1,
      isShared: count(({ trackingNumber }) => trackingNumber === line.trackingNumber) > 1,
    }
    return { ...line, order, carrier: facts.carrier, ...judge(line, facts) }
  })
}

type Facts = {
  orders: AdminOrder[] | undefined
  order: AdminOrder | undefined
  carrier: Carrier | ''
  /** Several lines are about this order, or have this tracking number. */
  isTwice: boolean
  isShared: boolean
}

function judge(
  { orderNumber, trackingNumber }: ParcelLine,
  { orders, order, carrier, isTwice, isShared }: Facts,
): Pick<Parcel, 'state' | 'text'> {
  const problem = (text: string) => ({ state: 'problem', text }) as const
  const idle = (text: string) => ({ state: 'idle', text }) as const
  if (!isOrderNumber(orderNumber))
    return problem(
      'Not an order number: such as 1042, or at least the first 8 characters of its ID',
    )
  if (!orders) return idle('Looking for the order…')
  if (orders.length === 0) return problem('No order has this number')
  if (!order) return problem('Several orders begin like this: use the whole number')
  if (trackingNumber === '') return idle('No tracking number yet')
  if (/\dE\+/i.test(trackingNumber))
    return problem('Changed by a spreadsheet: format the column as text')
  if (!isTrackingNumber(trackingNumber)) return problem('Not a tracking number')
  if (isTwice) return problem('This order is in the list twice')
  if (isShared) return problem('This tracking number is in the list twice')
  const { shipment, status } = order
  if (order.erasedAt) return problem('Name and address were erased')
  if (order.isPickup) return problem('It is picked up: there is no parcel')
  if (shipment?.trackingNumber === trackingNumber && shipment.carrier === carrier)
    return idle('Has this tracking already')
  const ready = (text: string) => {
    const flags = [
      order.isTest && 'test order',
      findReturnedLabel(order)?.toLowerCase(),
      isPerhapsRounded(trackingNumber) && 'perhaps rounded by a spreadsheet: compare the number',
    ]
    return { state: 'ready', text: [text, ...flags].filter(Boolean).join(', ') } as const
  }
  if (shipment) return ready(`Replaces ${shipment.trackingNumber ?? noValue}`)
  const text = isSent(order) ? labelOf(status) : `${labelOf(status)} → Shipped`
  return ready(text)
}

/** Spreadsheets keep 15 digits and write zeros for the rest. The number may be like that, so it is only said. */
function isPerhapsRounded(trackingNumber: string): boolean {
  return /^\d{15}0+$/.test(trackingNumber)
}
