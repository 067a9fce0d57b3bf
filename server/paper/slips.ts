import { formatAddress } from '#contract/addresses.ts'
import { type AdminOrder, nameOf, nameWithValue, titleOfNote } from '#contract/orders.ts'
import { formatOrderCode, type Slip } from '#contract/paper.ts'
import { Refusal } from '#contract/refusals.ts'
import { describeReturned, findReturnedLabel } from '#contract/returned-money.ts'
import type { Config } from '#server/config.ts'
import type { Db } from '#server/db/database.ts'
import { inArray } from '#server/db/drizzle.ts'
import { payments } from '#server/db/payment-schema.ts'
import { orders } from '#server/db/schema.ts'
import { listAdminOrders } from '#server/orders/orders.ts'
import { isPaymentOfOrder, paymentColumns } from '#server/orders/paid-order.ts'

export type PaperSettings = Pick<Config, 'shop' | 'timeZone'>

/** The slips of these orders. None is left out silently: a parcel would be missing. */
export async function readSlips(db: Db, config: PaperSettings, ids: string[]): Promise<Slip[]> {
  const printed = await listAdminOrders(db, ids)
  if (printed.length < ids.length) throw new Refusal('order-missing')
  const unpaid = await findUnpaid(db, ids)
  return printed.map((order) => createSlip({ ...order, isPaid: !unpaid.has(order.id) }, config))
}

/** Which of these orders an admin created without a payment that SumUp has confirmed. */
async function findUnpaid(db: Db, ids: string[]): Promise<Set<string>> {
  const found = await db
    .select({ id: orders.id, isPaid: paymentColumns.isPaid })
    .from(orders)
    .leftJoin(payments, isPaymentOfOrder)
    .where(inArray(orders.id, ids))
  return new Set(found.filter(({ isPaid }) => !isPaid).map(({ id }) => id))
}

type PrintedOrder = AdminOrder & { isPaid: boolean }

function createSlip(order: PrintedOrder, { shop, timeZone }: PaperSettings): Slip {
  const { product, shippingAddress } = order
  return {
    orderId: order.id,
    number: String(order.number),
    code: formatOrderCode(order.number),
    date: formatDay(new Date(order.createdAt), timeZone),
    printedOn: formatDay(new Date(), timeZone),
    shopName: shop.name ?? product.headerName ?? '',
    sender: (shop.postalAddress ?? '').split('\n').filter(Boolean).join(', '),
    contact: shop.email ?? null,
    recipient: nameOf(shippingAddress) || (order.customerName ?? ''),
    isPickup: order.isPickup === true,
    address: formatAddress(shippingAddress),
    productId: order.productId,
    productName: nameWithValue(product),
    quantity: order.quantity,
    note: describeNote(order),
    warnings: listWarnings(order),
  }
}

/** More lines of a note would not fit on its sheet. */
const maxNoteLines = 20

/** Nothing of it is left out: it is what has to be made. */
function describeNote(order: AdminOrder): Slip['note'] {
  if (order.note === undefined) return null
  const lines = order.note.split('\n')
  const isTooLong = lines.length > maxNoteLines
  return { title: titleOfNote(order), lines: isTooLong ? [lines.join(' / ')] : lines }
}

function formatDay(day: Date, timeZone: string): string {
  return new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone }).format(day)
}

function listWarnings(order: PrintedOrder): string[] {
  const isReturned = describeReturned(order).extent === 'all'
  const act = order.isPickup ? 'hand it over' : 'send it'
  const doNotSend = `do not ${act} unless you have agreed so with the customer.`
  return [
    order.isTest && 'Test order: nothing is to be delivered.',
    !order.isPaid && !order.isTest && `Payment not confirmed: do not ${act} before it is.`,
    isReturned && `${findReturnedLabel(order)}: ${doNotSend}`,
    order.withdrawnAt !== null && `Withdrawn: ${doNotSend}`,
    order.isOversold && 'Oversold: it was paid when no piece was left.',
    order.isChoiceMissing && 'Choice missing: ask the customer which one they want.',
    order.erasedAt !== null && 'The customer was erased: there is no address.',
  ].filter((warning) => typeof warning === 'string')
}
