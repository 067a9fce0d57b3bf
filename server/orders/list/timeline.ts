import type { OrderEvent } from '#contract/order-list.ts'
import { Refusal } from '#contract/refusals.ts'
import type { Db } from '#server/db/database.ts'
import { asc, eq, sql } from '#server/db/drizzle.ts'
import { users } from '#server/db/admin-schema.ts'
import { orderTimeline } from '#server/db/schema.ts'
import { findOrder } from '#server/orders/orders.ts'
import { knownStatus } from '#server/orders/show-order.ts'

/** What happened to an order, from the beginning on. */
export async function readTimeline(db: Db, orderId: string): Promise<OrderEvent[]> {
  if (!(await findOrder(db, orderId))) throw new Refusal('order-missing')
  const rows = await db
    .select({
      actor: orderTimeline.actor,
      email: users.email,
      at: orderTimeline.createdAt,
      event: orderTimeline.event,
      from: orderTimeline.fromStatus,
      to: orderTimeline.toStatus,
      amount: orderTimeline.amount,
    })
    .from(orderTimeline)
    .leftJoin(users, sql`${users.id}::text = ${orderTimeline.actor}`)
    .where(eq(orderTimeline.orderId, orderId))
    .orderBy(asc(orderTimeline.createdAt))
  return rows.map(({ actor, email, at, event, from, to, amount }) => ({
    who: email ?? (actor === 'shop' ? 'Shop' : 'A former admin'),
    at: at.toISOString(),
    event,
    from: from === null ? null : knownStatus(from),
    to: to === null ? null : knownStatus(to),
    amount,
  }))
}
