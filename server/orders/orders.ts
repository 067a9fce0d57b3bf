import type { Db } from '#server/db/database.ts'
import { eq } from '#server/db/drizzle.ts'
import { orders } from '#server/db/schema.ts'

export type OrderRow = typeof orders.$inferSelect

export async function maybeOrder(db: Db, id: string): Promise<OrderRow | undefined> {
  const [found] = await db.select().from(orders).where(eq(orders.id, id))
  return found
}

/** The order of a payment: there is never more than one. */
export async function maybeOrderOf(db: Db, sumupCheckoutId: string): Promise<OrderRow | undefined> {
  const [found] = await db.select().from(orders).where(eq(orders.sumupCheckoutId, sumupCheckoutId))
  return found
}
