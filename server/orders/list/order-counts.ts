import type { OrderCounts } from '#contract/order-list.ts'
import { orderStatuses } from '#contract/order-statuses.ts'
import type { Db } from '#server/db/database.ts'
import { sql } from '#server/db/drizzle.ts'
import { orderCounts } from '#server/db/schema.ts'

/** Orders per status, from what the database keeps count of: no table is gone through. */
export async function countOrders(db: Db): Promise<OrderCounts> {
  const rows = await db
    .select({ status: orderCounts.status, orders: sql<number>`sum(${orderCounts.orders})::int` })
    .from(orderCounts)
    .groupBy(orderCounts.status)
  const counts = new Map(rows.map(({ status, orders }) => [status, orders]))
  return Object.fromEntries(
    orderStatuses.map((status) => [status, counts.get(status) ?? 0]),
  ) as OrderCounts
}
