import type { EventType } from '#contract/analytics.ts'
import { Refusal } from '#contract/refusals.ts'
import type { ProductCache } from '#server/catalog/product-cache.ts'
import type { Db } from '#server/db/database.ts'
import { eq } from '#server/db/drizzle.ts'
import { orders } from '#server/db/schema.ts'

type Told = { eventType: EventType; productId: string; orderId: string | null }

/**
 * Refuses what cannot have happened, and answers whether the rest may count. A view is of a product on sale. Everything
 * later happens to an order, even when its product is gone by then; without one it is about nothing, and counts nowhere.
 */
export async function requireTruth(
  { db, productCache }: { db: Db; productCache: ProductCache },
  told: Told,
): Promise<boolean> {
  if (told.eventType === 'checkout_view' || !told.orderId) {
    if (!(await productCache.read(told.productId))) throw new Refusal('product-missing')
    return told.eventType === 'checkout_view'
  }
  const [order] = await db
    .select({ productId: orders.productId })
    .from(orders)
    .where(eq(orders.id, told.orderId))
  if (!order) throw new Refusal('order-missing')
  if (order.productId !== told.productId) {
    throw new Refusal('bad-request', { text: 'This order is of another product.' })
  }
  return true
}
