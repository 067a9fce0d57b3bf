import { formatAddress } from '#contract/addresses.ts'
import { type AdminOrder, nameOf, nameWithValue, titleOfNote } from '#contract/orders.ts'
import { formatOrderCode, type Slip } from '#contract/paper.ts'
import { Refusal } from '#contract/refusals.ts'
import { describeReturned, findReturnedLabel } from '#contract/returned-money.ts'
import type { Config } from '#server/config.ts'
import type { Db } from '#server/db/database.ts'
import { listAdminOrders } from '#server/orders/orders.ts'
import { countUnprintable, loadCharacters } from './printable.ts'

export type PaperSettings = Pick<Config, 'shop' | 'timeZone'>

/** The slips of these orders. None is left out silently: a parcel would be missing. */
export async function readSlips(db: Db, config: PaperSettings, ids: string[]): Promise<Slip[]> {
  const orders = await listAdminOrders(db, ids)
  if (orders.length < ids.length) throw new Refusal('order-missing')
  const characters = await loadCharacters()
  return orders.map((order) => {
    const slip = createSlip(order, config)
    const { address, recipient, productName, shopName, sender, contact, note } = slip
    const written = note ? [note.title, ...note.lines] : []
    const texts = [...address, recipient, productName, shopName, sender, contact ?? '', ...written]
    return { ...slip, unprintable: countUnprintable(new Set(texts), characters) }
  })
}

function createSlip(order: AdminOrder, { shop, timeZone }: PaperSettings) {
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

function listWarnings(order: AdminOrder): string[] {
  const isReturned = describeReturned(order).extent === 'all'
  return [
    order.isTest && 'Test order: nothing is to be delivered.',
    isReturned &&
      `${findReturnedLabel(order)}: do not send it unless you have agreed so with the customer.`,
    order.erasedAt !== null && 'The customer was erased: there is no address.',
  ].filter((warning) => warning !== false)
}
