import { randomUUID } from 'node:crypto'
import {
  isIdBeginning,
  isShortNumber,
  type AdminOrder,
  type CheckoutDetails,
  type MatchedOrders,
  type ProductAsSold,
} from '#contract/orders.ts'
import type { Terms } from '#contract/quotes.ts'
import { Refusal } from '#contract/refusals.ts'
import { canWithdraw } from '#contract/withdrawals.ts'
import type { Db } from '#server/db/database.ts'
import { eq, getTableColumns, sql } from '#server/db/drizzle.ts'
import { payments } from '#server/db/payment-schema.ts'
import { placeholdersFor, prepareQuery } from '#server/db/prepared.ts'
import { mails, orders, orderTimeline, type OrderRow } from '#server/db/schema.ts'
import {
  isPaymentOfOrder,
  paymentColumns,
  type OrderPayment,
  type PaidOrder,
  type UnnumberedOrder,
} from './paid-order.ts'
import { showAdminOrder, type ListedOrder } from './show-order.ts'

export async function findOrder(db: Db, id: string): Promise<OrderRow | undefined> {
  const [found] = await db.select().from(orders).where(eq(orders.id, id))
  return found
}

/** A checkout has at most one order. */
export async function findOrderByCheckout(
  db: Db,
  { sumupCheckoutId }: { sumupCheckoutId: string | null },
): Promise<PaidOrder | undefined> {
  if (!sumupCheckoutId) return undefined
  const [found] = await db
    .select({ order: orders, ...paymentColumns })
    .from(orders)
    .leftJoin(payments, isPaymentOfOrder)
    .where(eq(orders.sumupCheckoutId, sumupCheckoutId))
  if (!found) return undefined
  const { order, ...payment } = found
  return { ...order, ...payment }
}

/**
 * Two payments of one person are two orders, although perhaps one was meant: the latest order within ten minutes before
 * this one with the same e-mail, product and price.
 */
const maybeDuplicateOf = sql<string | null>`(
  select earlier.id from orders as earlier
  where lower(earlier.customer_email) = lower(orders.customer_email)
    and earlier.product_id = orders.product_id and earlier.is_test = orders.is_test
    and earlier.created_at >= orders.created_at - interval '10 minutes'
    and (earlier.created_at, earlier.id) < (orders.created_at, orders.id)
    and earlier.amount = orders.amount and earlier.currency = orders.currency
  order by earlier.created_at desc, earlier.id desc limit 1)`

/** As JavaScript writes times, written by PostgreSQL: a Date for each would take as long as all the rest of an order. */
const isoTime = (column: string, table = 'orders') =>
  sql.raw(`to_char(${table}.${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`)

/**
 * Orders as an admin sees them, in the order of their ids; missing ones are left out. Not by way of Drizzle's columns,
 * since exports read all orders. Payments are looked up one by one: a plain join of some hundred orders may read the whole
 * table of them.
 */
export async function listAdminOrders(db: Db, ids: string[]): Promise<AdminOrder[]> {
  const { rows } = await db.execute<ListedOrder>(sql`
    select orders.id, orders.number, product_id as "productId", product, customer_email as "customerEmail",
      customer_phone as "customerPhone", customer_name as "customerName", shipping_address as "shippingAddress",
      billing_address as "billingAddress", quantity, orders.amount, orders.currency, terms, orders.status,
      sumup_checkout_id as "sumupCheckoutId", sumup_transaction_id as "sumupTransactionId",
      payment_method as "paymentMethod", shipment, ${isoTime('accepts_news_at')} as "acceptsNewsAt",
      ${maybeDuplicateOf} as "maybeDuplicateOf", coalesce(payments.refunded, 0.00) as "refundedAmount",
      coalesce(payments.charged_back, 0.00) as "chargedBackAmount", ${isoTime('erased_at')} as "erasedAt",
      (select ${isoTime('created_at', 'withdrawals')} from withdrawals
        where order_id = orders.id and not is_repeat order by created_at desc limit 1) as "withdrawnAt", orders.is_test as "isTest",
      is_oversold as "isOversold", is_code_overused as "isCodeOverused", is_choice_missing as "isChoiceMissing", buyer_note as "buyerNote",
      ${isoTime('created_at')} as "createdAt", ${isoTime('updated_at')} as "updatedAt"
    from orders left join lateral (
      select refunded, charged_back from payments where transaction_id = orders.sumup_transaction_id limit 1
    ) as payments on true
    where orders.id = any(${sql.param(ids)}::uuid[])`)
  const found = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => {
    const row = found.get(id.toLowerCase())
    return row ? showAdminOrder(row) : []
  })
}

export async function getAdminOrder(db: Db, id: string): Promise<AdminOrder> {
  const [order] = await listAdminOrders(db, [id])
  if (!order) throw new Refusal('order-missing')
  return order
}

/** The orders with these numbers, or whose ids begin like them, at most two of each: the second says that it is unclear which is meant. */
export async function matchOrders(db: Db, numbers: string[]): Promise<MatchedOrders[]> {
  const begins = numbers.map((text) => (isIdBeginning(text) ? text.replaceAll('-', '') : null))
  const lows = begins.map((text) => text?.slice(0, 32).padEnd(32, '0'))
  const highs = begins.map((text) => text?.slice(0, 32).padEnd(32, 'f'))
  const short = numbers.map((text) => (isShortNumber(text) ? Number(text) : null))
  const { rows } = await db.execute<{ ids: string[] }>(sql`
    select array(
      (select id from orders where number = asked.number)
      union (select id from orders where id between asked.low and asked.high order by id limit 2)
      order by id limit 2) as ids
    from unnest(${sql.param(lows)}::uuid[], ${sql.param(highs)}::uuid[], ${sql.param(short)}::int[])
      with ordinality as asked(low, high, number, place)
    order by place`)
  const found = await listAdminOrders(db, [...new Set(rows.flatMap(({ ids }) => ids))])
  return numbers.map((asked, place) => {
    const ids = rows[place]?.ids ?? []
    return { asked, orders: found.filter(({ id }) => ids.includes(id)) }
  })
}

type NewOrder = {
  product: ProductAsSold
  details: CheckoutDetails
  amount: string
  currency: string
  terms: Terms | null
  discountCodeId: string | null
  sumupCheckoutId: string | null
  sumupTransactionId: string | null
  paymentMethod: string
  isTest: boolean
  now: Date
}

export function createOrderRow(sale: NewOrder, payment: OrderPayment): UnnumberedOrder {
  const { details, amount, currency, now } = sale
  const { withdrawalFor, ...product } = sale.product
  const { country } = details.shippingAddress
  return {
    id: randomUUID(),
    productId: product.id,
    product: {
      ...product,
      ...(withdrawalFor && { canWithdraw: canWithdraw(withdrawalFor, product, country) }),
    },
    customerEmail: details.customerEmail ?? null,
    customerPhone: details.customerPhone ?? null,
    customerName: details.customerName ?? null,
    shippingAddress: details.shippingAddress,
    billingAddress: details.billingAddress ?? null,
    quantity: 1,
    amount,
    currency,
    terms: sale.terms,
    discountCodeId: sale.discountCodeId,
    buyerNote: details.note ?? null,
    status: 'pending',
    sumupCheckoutId: sale.sumupCheckoutId,
    sumupTransactionId: sale.sumupTransactionId,
    paymentMethod: sale.paymentMethod,
    shipment: null,
    acceptsNewsAt: details.acceptsNews ? now : null,
    language: details.language ?? null,
    ...payment,
    erasedAt: null,
    isTest: sale.isTest,
    isOversold: false,
    isCodeOverused: false,
    isChoiceMissing: false,
    isPieceReturned: false,
    createdAt: now,
    updatedAt: now,
    linkVersion: 0,
  }
}

/** Inserts an order with its first entry in the timeline, and its mails to the buyer and the owner. */
export async function insertOrder(tx: Db, order: UnnumberedOrder, actor: string): Promise<void> {
  const { id: orderId, customerEmail } = order
  await insertOrderRow(tx, order)
  await insertPlaced(tx, { orderId, actor })
  await (customerEmail === null ? queueMailToOwner : queueMailsToBoth)(tx, { orderId })
}

const { placeholder } = sql

const insertOrderRow = prepareQuery('insert_order', (db) => {
  const { number: _given, ...columns } = getTableColumns(orders)
  return db.insert(orders).values(placeholdersFor(Object.keys(columns) as (keyof typeof columns)[]))
})
const insertPlaced = prepareQuery('insert_placed', (db) =>
  db.insert(orderTimeline).values({
    orderId: placeholder('orderId'),
    actor: placeholder('actor'),
    event: 'placed',
    toStatus: 'pending',
  }),
)
const queueMails = (name: string, kinds: string[]) =>
  prepareQuery(name, (db) =>
    db.insert(mails).values(kinds.map((kind) => ({ orderId: placeholder('orderId'), kind }))),
  )
const queueMailToOwner = queueMails('mail_to_owner', ['new-sale'])
const queueMailsToBoth = queueMails('mails_to_both', ['confirmation', 'new-sale'])

/**
 * Deletes up to `limit` test orders with their mails, notes, withdrawals and timelines; those whose checkout is still there
 * are kept, since a paid checkout has an order. Locked first, so that none gets a mail or a timeline entry meanwhile. Mails that were kept as
 * files are deleted before the rows that know of them.
 */
export async function deleteTestOrders(
  tx: Db,
  limit: number,
  deleteMailFiles: (mailIds: string[]) => Promise<unknown>,
): Promise<number> {
  const { rows } = await tx.execute<{ id: string }>(sql`
    select id from orders where is_test and not exists (
      select from checkouts where checkouts.sumup_checkout_id = orders.sumup_checkout_id)
    order by id limit ${limit} for update`)
  const ids = sql`any(${sql.param(rows.map(({ id }) => id))}::uuid[])`
  const { rows: deletedMails } = await tx.execute<{ id: string }>(
    sql`delete from mails where order_id = ${ids} returning id`,
  )
  if (deletedMails.length > 0) await deleteMailFiles(deletedMails.map(({ id }) => id))
  await tx.execute(sql`delete from order_timeline where order_id = ${ids}`)
  await tx.execute(sql`delete from order_notes where order_id = ${ids}`)
  await tx.execute(sql`delete from withdrawals where order_id = ${ids}`)
  const { rowCount } = await tx.execute(sql`delete from orders where id = ${ids} and is_test`)
  return rowCount ?? 0
}
