import type { FastifyRequest } from 'fastify'
import type { PublicOrder } from '#contract/orders.ts'
import type { Db } from '#server/db/database.ts'
import { isUuid } from '#server/http/uuid.ts'
import { maybeBySumupId } from '#server/payments/ledger.ts'
import type { Buyers } from './buyer.ts'
import { isOrderKey } from './order-link.ts'
import { maybeOrder } from './orders.ts'
import { showAnyOrder, showOwnOrder } from './show-order.ts'

export type OrderReader = ReturnType<typeof orderReader>

/** An order as far as whoever asks may see it: all of it for its buyer, little for anyone else. */
export function orderReader(db: Db, buyers: Buyers, secret: string) {
  return async (
    request: FastifyRequest,
    id: string,
    key: unknown,
  ): Promise<PublicOrder | undefined> => {
    const order = isUuid(id) ? await maybeOrder(db, id) : undefined
    if (!order) return undefined
    const buyer = buyers.maybeBuyer(request)
    const own =
      isOrderKey(key, id, secret) ||
      (buyer !== undefined && (await isBuyerOf(db, order.sumupCheckoutId, buyer)))
    return own ? showOwnOrder(order) : showAnyOrder(order)
  }
}

async function isBuyerOf(db: Db, sumupCheckoutId: string | null, buyer: string): Promise<boolean> {
  const row = sumupCheckoutId ? await maybeBySumupId(db, sumupCheckoutId) : undefined
  return row?.buyerTokenHash === buyer
}
