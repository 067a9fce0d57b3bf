import type { FastifyInstance } from 'fastify'
import { apiRoutes } from '#contract/paths.ts'
import { Refusal } from '#contract/refusals.ts'
import type { OrderReader } from './read-order.ts'

/** More than anyone looks at an order; beyond it somebody tries numbers. */
const readsOfOneAddress = 60

type WithId = { Params: { id: string }; Querystring: { key?: string } }

export function mountOrder(app: FastifyInstance, readOrder: OrderReader): void {
  const byNumber = {
    config: { access: 'public', knowsAdmins: true, maxPerMinute: readsOfOneAddress },
  } as const
  app.get<WithId>(apiRoutes.order, byNumber, async (request, reply) => {
    const found = await readOrder(request, request.params.id, request.query.key)
    if (!found) throw new Refusal('order-missing')
    reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer')
    return reply.header('x-robots-tag', 'noindex').send(found.order)
  })
}
