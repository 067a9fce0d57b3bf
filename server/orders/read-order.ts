import type { FastifyRequest } from 'fastify'
import type { Language } from '#contract/languages.ts'
import type { AdminOrder, PublicOrder } from '#contract/orders.ts'
import type { Db } from '#server/db/database.ts'
import { eq, sql } from '#server/db/drizzle.ts'
import { prepareQuery } from '#server/db/prepared.ts'
import { payments } from '#server/db/payment-schema.ts'
import { checkouts, orders, type OrderRow } from '#server/db/schema.ts'
import { isUuid } from '#server/http/uuid.ts'
import { buyerDays, type Buyers } from './buyer.ts'
import { isOrderKey } from './order-link.ts'
import { getAdminOrder } from './orders.ts'
import { isPaymentOfOrder, paymentColumns } from './paid-order.ts'
import { showMaskedOrder, showOwnOrder } from './show-order.ts'

const dayMs = 86_400_000

export type FoundOrder = {
  /** An admin's order has what buyers' pages need too, because admins test their own checkout and see those pages. */
  order: PublicOrder | (AdminOrder & { isOwn: true; isPaid: boolean })
  /** The checkout, if it belongs to the browser that asks. */
  ownCheckoutId: string | undefined
  language: Language | null
}

export type OrderReader = ReturnType<typeof createOrderReader>

/** Reads an order with as much as the request may see: all for admins and the buyer, little for anyone else. */
export function createOrderReader(db: Db, buyers: Buyers, secret: string) {
  return async (
    request: FastifyRequest,
    id: string,
    key: unknown,
  ): Promise<FoundOrder | undefined> => {
    if (!isUuid(id)) return undefined
    const [found] = await findWithBuyer(db, { id })
    if (!found) return undefined
    const { buyerTokenHash, order: row, ...payment } = found
    const order = { ...row, ...payment }
    const buyer = buyers.findBuyer(request)
    const isBuyer = buyer !== undefined && buyerTokenHash === buyer
    const ownCheckoutId = isBuyer ? (order.sumupCheckoutId ?? undefined) : undefined
    const { language } = order
    if (request.admin)
      return {
        order: { ...(await getAdminOrder(db, id)), isOwn: true, isPaid: order.isPaid },
        ownCheckoutId,
        language,
      }
    const isOwn = isOrderKey(key, order, secret) || (isBuyer && isRecent(order))
    return { order: isOwn ? showOwnOrder(order) : showMaskedOrder(order), ownCheckoutId, language }
  }
}

const findWithBuyer = prepareQuery('order_with_buyer', (db) =>
  db
    .select({ order: orders, buyerTokenHash: checkouts.buyerTokenHash, ...paymentColumns })
    .from(orders)
    .leftJoin(payments, isPaymentOfOrder)
    .leftJoin(checkouts, eq(checkouts.sumupCheckoutId, orders.sumupCheckoutId))
    .where(eq(orders.id, sql.placeholder('id'))),
)

/** The cookie alone is no proof for ever: it is renewed on each visit, and a device may change hands. */
function isRecent({ createdAt }: Pick<OrderRow, 'createdAt'>): boolean {
  return Date.now() - createdAt.getTime() < buyerDays * dayMs
}
