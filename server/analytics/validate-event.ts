import type { EventType } from '#contract/analytics.ts'
import { Refusal } from '#contract/refusals.ts'
import type { ProductCache } from '#server/catalog/product-cache.ts'
import type { Db } from '#server/db/database.ts'
import { eq } from '#server/db/drizzle.ts'
import { orders } from '#server/db/schema.ts'

type Told = { eventType: EventType; productId: string; orderId: string | null }

/**
 * Refuses what cannot have happened, and answers whether the rest counts. A view is of a product on sale. Everything
 * later happens to an order, even when its product is gone by then; what names no order of ours is listed and not counted.
 */
export async function validateEvent(
  { db, productCache }: { db: Db; productCache: ProductCache },
  told: Told,
): Promise<{ counts: boolean }> {
  const order = told.orderId ? await maybeOrder(db, told.orderId) : undefined
  if (order && order.productId !== told.productId) {
    throw new Refusal('bad-request', { text: 'This order is of another product.' })
  }
  if (!order && !(await productCache.find(told.productId))) throw new Refusal('product-missing')
  return { counts: order !== undefined || told.eventType === 'checkout_view' }
}

async function maybeOrder(db: Db, id: string): Promise<{ productId: string } | undefined> {
  const [order] = await db
    .select({ productId: orders.productId })
    .from(orders)
    .where(eq(orders.id, id))
  return order
}
