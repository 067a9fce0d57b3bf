import type { AdminUser } from '#contract/admin.ts'
import type { AdminOrder } from '#contract/order-list.ts'
import type { OrderStatus } from '#contract/order-statuses.ts'
import { Refusal } from '#contract/refusals.ts'
import type { Db } from '#server/db/database.ts'
import { eq, sql } from '#server/db/drizzle.ts'
import { orders, orderTimeline } from '#server/db/schema.ts'
import { findOrder } from './load-orders.ts'

/**
 * Any status may follow any other, and the last word counts. The order is held from the look at its status to the
 * note of the change, so that the timeline is one chain however many admins speak at once.
 */
export async function changeStatus(
  db: Db,
  id: string,
  status: OrderStatus,
  admin: AdminUser,
): Promise<{ order: AdminOrder; before: string }> {
  const before = await db.transaction(async (tx) => {
    const [found] = await tx
      .select({ status: orders.status })
      .from(orders)
      .where(eq(orders.id, id))
      .for('update')
    if (!found) throw new Refusal('order-missing')
    if (found.status === status) return found.status
    // Not now(), when the transaction began: one that had to wait began before the change it waited for.
    const at = sql`clock_timestamp()`
    await tx.update(orders).set({ status, updatedAt: at }).where(eq(orders.id, id))
    await tx.insert(orderTimeline).values({
      orderId: id,
      actor: admin.id,
      event: 'status',
      fromStatus: found.status,
      toStatus: status,
      createdAt: at,
    })
    return found.status
  })
  return { order: await findOrder(db, id), before }
}
