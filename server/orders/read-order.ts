import type { FastifyRequest } from 'fastify'
import type { AdminOrder } from '#contract/order-list.ts'
import type { PublicOrder } from '#contract/orders.ts'
import type { Db } from '#server/db/database.ts'
import { isUuid } from '#server/http/uuid.ts'
import { maybeBySumupId } from '#server/payments/ledger.ts'
import { buyerDays, type Buyers } from './buyer.ts'
import { loadOrders } from './list/load-orders.ts'
import { isOrderKey } from './order-link.ts'
import { maybeOrder, type OrderRow } from './orders.ts'
import { showAnyOrder, showOwnOrder } from './show-order.ts'

const dayMs = 86_400_000

export type OrderReader = ReturnType<typeof orderReader>

/** An order as far as whoever asks may see it: all of it for admins and its buyer, little for anyone else. */
export function orderReader(db: Db, buyers: Buyers, secret: string) {
  return async (
    request: FastifyRequest,
    id: string,
    key: unknown,
  ): Promise<PublicOrder | AdminsOrder | undefined> => {
    if (request.admin) return maybeAdminsOrder(db, id)
    const order = isUuid(id) ? await maybeOrder(db, id) : undefined
    if (!order) return undefined
    const buyer = buyers.maybeBuyer(request)
    const own =
      isOrderKey(key, id, secret) ||
      (buyer !== undefined && isYoung(order) && (await isBuyerOf(db, order.sumupCheckoutId, buyer)))
    return own ? showOwnOrder(order) : showAnyOrder(order)
  }
}

/** Everything, in a form that the buyer's pages understand too: an owner tries out the own checkout. */
type AdminsOrder = AdminOrder & { isOwn: true }

async function maybeAdminsOrder(db: Db, id: string): Promise<AdminsOrder | undefined> {
  const [order] = isUuid(id) ? await loadOrders(db, [id]) : []
  return order && { ...order, isOwn: true }
}

/** A browser is passed on, a cookie is renewed: what is personal is shown for a while only. */
function isYoung({ createdAt }: OrderRow): boolean {
  return Date.now() - createdAt.getTime() < buyerDays * dayMs
}

async function isBuyerOf(db: Db, sumupCheckoutId: string | null, buyer: string): Promise<boolean> {
  const row = sumupCheckoutId ? await maybeBySumupId(db, sumupCheckoutId) : undefined
  return row?.buyerTokenHash === buyer
}
