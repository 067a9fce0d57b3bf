import type { FastifyInstance } from 'fastify'
import { newOrderSchema } from '#contract/order-schemas.ts'
import type { CheckoutDetails } from '#contract/orders.ts'
import { calls } from '#contract/paths.ts'
import { Refusal } from '#contract/refusals.ts'
import type { Db } from '#server/db/database.ts'
import { maybeKeepDetails, type CheckoutRow } from '#server/payments/ledger.ts'
import { findOwn, type PaymentRoom } from './payment-routes.ts'
import type { OrderReader } from './read-order.ts'
import { showOwnOrder } from './show-order.ts'

/** A thank-you page asks every few seconds; more is somebody who tries numbers. */
const readsOfOneAddress = 60

type WithId = { Params: { id: string }; Querystring: { key?: string } }

export function mountOrders(
  app: FastifyInstance,
  room: PaymentRoom & { readOrder: OrderReader },
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

  const byNumber = {
    config: { access: 'public', knowsAdmins: true, mostPerMinute: readsOfOneAddress },
  } as const
  app.get<WithId>(calls.order, byNumber, async (request, reply) => {
    const order = await room.readOrder(request, request.params.id, request.query.key)
    if (!order) throw new Refusal('order-missing')
    reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer')
    return reply.header('x-robots-tag', 'noindex').send(order)
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
