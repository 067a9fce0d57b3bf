import { crashPoint } from '#server/crash-point.ts'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { newOrderSchema } from '#contract/order-schemas.ts'
import type { CheckoutDetails } from '#contract/orders.ts'
import { calls } from '#contract/paths.ts'
import { Refusal } from '#contract/refusals.ts'
import type { Db } from '#server/db/database.ts'
import { desc, eq } from '#server/db/drizzle.ts'
import { checkouts } from '#server/db/schema.ts'
import { isUuid } from '#server/http/uuid.ts'
import {
  lookSoon,
  maybeBySumupId,
  maybeKeepDetails,
  type CheckoutRow,
} from '#server/payments/ledger.ts'
import { findOwn, type PaymentRoom } from './payment-routes.ts'
import type { OrderReader } from './read-order.ts'
import { showOwnOrder, showReviewed } from './show-order.ts'

type WithId = { Params: { id: string }; Querystring: { key?: string } }

const webhookSchema = z.object({ event_type: z.string().max(100), id: z.string().max(255) })
const mostInReview = 200

export function mountOrders(
  app: FastifyInstance,
  room: PaymentRoom & { readOrder: OrderReader; sweepSoon: () => void },
): void {
  const { buyers } = room
  const { db } = room.till

  app.post(calls.orders, { config: { access: 'public' } }, async (request, reply) => {
    const { sumupCheckoutId, details } = newOrderSchema.parse(request.body)
    const row = await findOwn(room, sumupCheckoutId, buyers.maybeBuyer(request))
    const outcome = await room.settleOnce(await withDetails(db, row, details))
    switch (outcome.is) {
      case 'order':
        return reply
          .code(outcome.isNew ? 201 : 200)
          .header('cache-control', 'no-store')
          .send(showOwnOrder(outcome.order))
      case 'waiting':
        return reply.code(202).send({ state: 'waiting' })
      case 'declined':
        throw new Refusal('payment-declined')
      case 'too-many-cards':
        throw new Refusal('too-many-cards')
      case 'expired':
        throw new Refusal('checkout-expired')
      case 'review':
        throw new Refusal('payment-in-review')
    }
  })

  app.get<WithId>(calls.order, { config: { access: 'public' } }, async (request, reply) => {
    const order = await room.readOrder(request, request.params.id, request.query.key)
    if (!order) throw new Refusal('order-missing')
    reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer')
    return reply.header('x-robots-tag', 'noindex').send(order)
  })

  app.post(calls.paymentWebhook, { config: { access: 'public' } }, async (request, reply) => {
    const told = webhookSchema.parse(request.body)
    // Anyone can post here: an id that is not on our ledger costs no question to SumUp.
    const row = isUuid(told.id) ? await maybeBySumupId(db, told.id) : undefined
    if (!row) throw new Refusal('payment-missing')
    if (told.event_type === 'CHECKOUT_STATUS_CHANGED') {
      crashPoint('webhook-read')
      await lookSoon(db, row.id)
      crashPoint('webhook-kept')
      room.sweepSoon()
    }
    return reply.code(204).send()
  })

  app.get(calls.paymentReview, { config: { access: 'admin' } }, async (_request, reply) => {
    const rows = await db
      .select()
      .from(checkouts)
      .where(eq(checkouts.state, 'review'))
      .orderBy(desc(checkouts.createdAt))
      .limit(mostInReview)
    return reply.header('cache-control', 'no-store').send(rows.map(showReviewed))
  })
}

/** A page that did not keep its details first may bring them now; those kept before the card was submitted stand. */
async function withDetails(
  db: Db,
  row: CheckoutRow,
  brought: CheckoutDetails,
): Promise<CheckoutRow> {
  if (row.details) return row
  return (await maybeKeepDetails(db, row.id, brought)) ?? row
}
