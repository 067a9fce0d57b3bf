import type { Db } from '#server/db/database.ts'
import { eq } from '#server/db/drizzle.ts'
import { orders } from '#server/db/schema.ts'

export type OrderRow = typeof orders.$inferSelect

export async function findOrder(db: Db, id: string): Promise<OrderRow | undefined> {
  const [found] = await db.select().from(orders).where(eq(orders.id, id))
  return found
}

/** The order of a sale: there is never more than one. */
export async function findOrderOf(
  db: Db,
  { sumupCheckoutId }: { sumupCheckoutId: string | null },
): Promise<OrderRow | undefined> {
  if (!sumupCheckoutId) return undefined
  const [found] = await db.select().from(orders).where(eq(orders.sumupCheckoutId, sumupCheckoutId))
  return found
}
