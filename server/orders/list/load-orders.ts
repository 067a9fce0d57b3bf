import type { AdminOrder } from '#contract/order-list.ts'
import { Refusal } from '#contract/refusals.ts'
import type { Db } from '#server/db/database.ts'
import { sql, type SQL } from '#server/db/drizzle.ts'
import { iso, maybeDuplicateOf } from './order-columns.ts'

/**
 * What an admin sees of an order: everything. PostgreSQL writes it, so that a list of any length costs our one thread
 * and our memory little. As raw text, because it goes with every batch and has nothing in it that anybody sent.
 */
const shownOrder = sql.raw(`
  select id, product_id as "productId",
    jsonb_build_object('id', product -> 'id', 'name', product -> 'name', 'imageUrl', product -> 'imageUrl',
      'description', product -> 'description', 'headerLogoUrl', product -> 'headerLogoUrl',
      'headerName', product -> 'headerName') as product,
    customer_email as "customerEmail", customer_phone as "customerPhone", customer_name as "customerName",
    shipping_address as "shippingAddress", billing_address as "billingAddress",
    quantity, amount::text as amount, currency, status,
    sumup_checkout_id as "sumupCheckoutId", sumup_transaction_id as "sumupTransactionId",
    payment_method as "paymentMethod", ${iso('accepts_news_at')} as "acceptsNewsAt",
    ${maybeDuplicateOf} as "maybeDuplicateOf",
    refunded_amount::text as "refundedAmount", ${iso('charged_back_at')} as "chargedBackAt",
    ${iso('created_at')} as "createdAt", ${iso('updated_at')} as "updatedAt"
  from orders where orders.id = wanted.id`)

export async function loadOrders(db: Db, ids: string[]): Promise<AdminOrder[]> {
  const { rows } = await db.execute<{ order: AdminOrder }>(
    sql`select row_to_json(shown) as "order" from ${ordersBy(ids, shownOrder)}`,
  )
  return rows.map(({ order }) => order)
}

export async function findOrder(db: Db, id: string): Promise<AdminOrder> {
  const [order] = await loadOrders(db, [id])
  if (!order) throw new Refusal('order-missing')
  return order
}

/** Orders as texts, one each. */
export type Writer = (db: Db, ids: string[]) => Promise<string[]>

export const writeOrders: Writer = (db, ids) =>
  writeEach(db, sql`select row_to_json(shown)::text as written from ${ordersBy(ids, shownOrder)}`)

const mark = sql.raw('select id, status from orders where orders.id = wanted.id')
export const writeMarks: Writer = (db, ids) =>
  writeEach(db, sql`select row_to_json(shown)::text as written from ${ordersBy(ids, mark)}`)

export async function writeEach(db: Db, query: SQL): Promise<string[]> {
  const { rows } = await db.execute<{ written: string }>(query)
  return rows.map(({ written }) => written)
}

/** These orders, in this order; one that is gone is left out. */
export function ordersBy(ids: string[], shown: SQL): SQL {
  return sql`unnest(${sql.param(ids)}::uuid[]) with ordinality as wanted(id, place),
    lateral (${shown}) as shown order by place`
}
