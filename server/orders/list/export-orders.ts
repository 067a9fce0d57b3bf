import type { Db } from '#server/db/database.ts'
import { sql } from '#server/db/drizzle.ts'
import { csvBeginning, csvLine } from './csv.ts'
import { ordersBy, writeEach, type Writer } from './load-orders.ts'
import { iso, maybeDuplicateOf } from './order-columns.ts'
import type { OrderSearch } from './order-search.ts'
import { piecesOf } from './stream-orders.ts'

/** All orders of a search as a CSV file, piece by piece. Address columns stand as on a label. */
export async function* exportOrders(db: Db, search: OrderSearch): AsyncGenerator<string> {
  // With the first orders, not before: a database that is away is then noticed before anything was sent.
  let before = `${csvBeginning}${Object.keys(columns).join(',')}\r\n`
  for await (const lines of piecesOf(db, search, writeLines)) {
    yield before + lines.join('')
    before = ''
  }
}

const columns = {
  'Order ID': 'id::text',
  'Date (UTC)': iso('created_at'),
  Status: 'status',
  Product: "product ->> 'name'",
  Quantity: 'quantity::text',
  Amount: 'amount::text',
  Currency: 'currency',
  'E-mail': 'customer_email',
  Customer: 'customer_name',
  Recipient: `coalesce(nullif(${nameIn('shipping_address')}, ''), customer_name)`,
  Address: "shipping_address ->> 'address'",
  Apartment: "shipping_address ->> 'apartment'",
  Postcode: "shipping_address ->> 'postcode'",
  City: "shipping_address ->> 'city'",
  State: "shipping_address ->> 'state'",
  Country: "shipping_address ->> 'country'",
  Phone: "coalesce(shipping_address ->> 'phone', customer_phone)",
  'Billing name': nameIn('billing_address'),
  'Billing address': "billing_address ->> 'address'",
  'Billing apartment': "billing_address ->> 'apartment'",
  'Billing postcode': "billing_address ->> 'postcode'",
  'Billing city': "billing_address ->> 'city'",
  'Billing state': "billing_address ->> 'state'",
  'Billing country': "billing_address ->> 'country'",
  'News and offers since (UTC)': iso('accepts_news_at'),
  'Payment method': 'payment_method',
  'SumUp checkout ID': 'sumup_checkout_id',
  'SumUp transaction ID': 'sumup_transaction_id',
  'Possible duplicate of': `${maybeDuplicateOf}::text`,
  'Last change (UTC)': iso('updated_at'),
}

function nameIn(address: 'shipping_address' | 'billing_address'): string {
  return `concat_ws(' ', ${address} ->> 'firstName', ${address} ->> 'lastName')`
}

/** Raw text for the same reason as in load-orders.ts. */
const line = sql.raw(
  `select ${csvLine(Object.values(columns))} as line from orders where orders.id = wanted.id`,
)

const writeLines: Writer = (db, ids) =>
  writeEach(db, sql`select line as written from ${ordersBy(ids, line)}`)
