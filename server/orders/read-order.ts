import type { FastifyRequest } from 'fastify'
import type { AdminOrder } from '#contract/order-list.ts'
import type { PublicOrder } from '#contract/orders.ts'
import type { Db } from '#server/db/database.ts'
import { eq, sql } from '#server/db/drizzle.ts'
import { plannedQuery } from '#server/db/planned.ts'
import { checkouts, orders } from '#server/db/schema.ts'
import { isUuid } from '#server/http/uuid.ts'
import { buyerDays, type Buyers } from './buyer.ts'
import { loadOrders } from './list/load-orders.ts'
import { isOrderKey } from './order-link.ts'
import type { OrderRow } from './orders.ts'
import { showAnyOrder, showOwnOrder } from './show-order.ts'

const dayMs = 86_400_000

/** Everything, in a form that the buyer's pages understand too: an owner tries out the own checkout. */
type AdminsOrder = AdminOrder & { isOwn: true }

export type FoundOrder = {
  order: PublicOrder | AdminsOrder
  /** The sale of the browser that asks, if it is its own. */
  ownCheckoutId: string | undefined
}

export type OrderReader = ReturnType<typeof orderReader>

/** An order as far as whoever asks may see it: all of it for admins and its buyer, little for anyone else. */
export function orderReader(db: Db, buyers: Buyers, secret: string) {
  return async (
    request: FastifyRequest,
    id: string,
    key: unknown,
  ): Promise<FoundOrder | undefined> => {
    if (!isUuid(id)) return undefined
    const found = await findWithBuyer(db, id)
    if (!found) return undefined
    const { order, buyerTokenHash } = found
    const buyer = buyers.maybeBuyer(request)
    const isBuyer = buyer !== undefined && buyerTokenHash === buyer
    const ownCheckoutId = isBuyer ? (order.sumupCheckoutId ?? undefined) : undefined
    if (request.admin) {
      const [full] = await loadOrders(db, [id])
      return full && { order: { ...full, isOwn: true }, ownCheckoutId }
    }
    const isOwn = isOrderKey(key, id, secret) || (isBuyer && isYoung(order))
    return { order: isOwn ? showOwnOrder(order) : showAnyOrder(order), ownCheckoutId }
  }
}

async function findWithBuyer(
  db: Db,
  id: string,
): Promise<{ order: OrderRow; buyerTokenHash: string | null } | undefined> {
  const [found] = await withBuyerById(db, { id })
  return found
}

const withBuyerById = plannedQuery('order_with_buyer', (db) =>
  db
    .select({ order: orders, buyerTokenHash: checkouts.buyerTokenHash })
    .from(orders)
    .leftJoin(checkouts, eq(checkouts.sumupCheckoutId, orders.sumupCheckoutId))
    .where(eq(orders.id, sql.placeholder('id'))),
)

/** A browser is passed on, a cookie is renewed: what is personal is shown for a while only. */
function isYoung({ createdAt }: OrderRow): boolean {
  return Date.now() - createdAt.getTime() < buyerDays * dayMs
}
