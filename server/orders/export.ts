import { findOtherBilling } from '#contract/addresses.ts'
import type { Address, AdminOrder } from '#contract/orders.ts'
import { nameMethod } from '#contract/payment-methods.ts'
import { findParts } from '#contract/quotes.ts'
import type { Db } from '#server/db/database.ts'
import { streamChunks } from './list.ts'
import { listAdminOrders } from './orders.ts'
import type { OrderSearch } from './search.ts'

/** All orders of a search as a CSV file, chunk by chunk. */
export async function* exportOrders(db: Db, search: OrderSearch): AsyncGenerator<string> {
  const cells = Object.values(columns)
  // Excel reads a file as UTF-8 only if it begins with a byte order mark. The titles are sent with the first orders: a
  // database that is down is noticed before anything was sent.
  let lines = `\uFEFF${formatLine(Object.keys(columns))}`
  for await (const chunk of streamChunks(db, search, listAdminOrders)) {
    for (const order of chunk) lines += formatLine(cells.map((read) => read(order)))
    yield lines
    lines = ''
  }
}

/** By their titles. A new column comes last: others read the file by the numbers of its columns. */
const columns: Record<string, (order: AdminOrder) => string | null | undefined> = {
  'Order ID': (order) => order.id,
  'Date (UTC)': (order) => order.createdAt,
  Status: (order) => order.status,
  Product: (order) => order.product.name,
  Quantity: (order) => String(order.quantity),
  Amount: (order) => order.amount,
  Currency: (order) => order.currency,
  Email: (order) => order.customerEmail,
  Customer: (order) => order.customerName,
  Recipient: (order) => fullName(order.shippingAddress) || order.customerName,
  Address: (order) => order.shippingAddress.address,
  Apartment: (order) => order.shippingAddress.apartment,
  Postcode: (order) => order.shippingAddress.postcode,
  City: (order) => order.shippingAddress.city,
  State: (order) => order.shippingAddress.state,
  Country: (order) => order.shippingAddress.country,
  Phone: (order) => order.shippingAddress.phone ?? order.customerPhone,
  'Billing name': (order) => fullName(findOtherBilling(order)),
  'Billing address': (order) => findOtherBilling(order)?.address,
  'Billing apartment': (order) => findOtherBilling(order)?.apartment,
  'Billing postcode': (order) => findOtherBilling(order)?.postcode,
  'Billing city': (order) => findOtherBilling(order)?.city,
  'Billing state': (order) => findOtherBilling(order)?.state,
  'Billing country': (order) => findOtherBilling(order)?.country,
  'News and offers since (UTC)': (order) => order.acceptsNewsAt,
  'Payment method': ({ paymentMethod }) => paymentMethod && nameMethod(paymentMethod, 'card'),
  'SumUp checkout ID': (order) => order.sumupCheckoutId,
  'SumUp transaction ID': (order) => order.sumupTransactionId,
  'Possible duplicate of': (order) => order.maybeDuplicateOf,
  'Last change (UTC)': (order) => order.updatedAt,
  Test: (order) => (order.isTest ? 'test' : ''),
  'Order number': (order) => order.number?.toString(),
  Refunded: (order) => order.refundedAmount,
  'Charged back': (order) => order.chargedBackAmount,
  Oversold: (order) => (order.isOversold ? 'oversold' : ''),
  'Code over its limit': (order) => (order.isCodeOverused ? 'over' : ''),
  'Choice missing': (order) => (order.isChoiceMissing ? 'missing' : ''),
  Choice: ({ product: { choice } }) => choice && `${choice.name}: ${choice.value}`,
  'Buyer’s text': (order) => order.note,
  Delivery: (order) => (order.isPickup ? 'pickup' : 'parcel'),
  Subtotal: (order) => findParts(order)?.subtotal,
  Shipping: (order) => findParts(order)?.shipping,
  Discount: (order) => findParts(order)?.discount,
  'Discount code': (order) => findParts(order)?.code,
}

function fullName(address: Address | undefined): string {
  return [address?.firstName, address?.lastName].filter(Boolean).join(' ')
}

function formatLine(cells: (string | null | undefined)[]): string {
  return `${cells.map((cell) => (cell ? formatCell(cell) : '')).join(',')}\r\n`
}

/** What must be quoted, or could be a formula. Nearly all cells are neither. */
const special = /[",;\t\r\n]|^[\s=+@＝＋－＠-]|\s$/

function formatCell(text: string): string {
  if (!special.test(text)) return text
  const cell = escapeFormulas(text)
  return /[",;\t\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}

/** Characters that begin a formula in a spreadsheet, full-width ones included. */
const formula = /^[\t\r\n]|^\s*[=+@＝＋－＠-]/
/**
 * An Excel that separates by semicolons (a German one, for example) ignores quotes in the middle of a line: it begins a
 * new cell at each semicolon and line end.
 */
const innerFormula = /[=+@＝＋－＠-](?<=[;\t\r\n][\s"]*.)/g

/** An apostrophe turns a formula into text. */
function escapeFormulas(cell: string): string {
  return (formula.test(cell) ? "'" : '') + cell.replaceAll(innerFormula, "'$&")
}
