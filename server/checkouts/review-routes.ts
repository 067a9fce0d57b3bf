import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { dismissalSchema, reviewOrderSchema, reviewVersionSchema } from '#contract/order-schemas.ts'
import { apiRoutes } from '#contract/paths.ts'
import { getActor } from '#server/http/access.ts'
import type { RouteDeps } from './routes.ts'
import { dismiss, createOrder, refundPayment, restore } from './review.ts'
import { listReview } from './review-list.ts'

type WithId = { Params: { id: string } }

type ReviewDeps = Pick<RouteDeps, 'pin' | 'isTestMode' | 'config'>

const trueOrFalse = z.enum(['true', 'false']).optional().catch(undefined)

export const reviewQuerySchema = z.object({
  archive: trueOrFalse.describe('Those that were resolved, instead of those that wait'),
  tests: trueOrFalse.describe('Also those of test mode; in test mode they always are'),
})

export function mountReview(app: FastifyInstance, deps: ReviewDeps): void {
  const admin = { config: { access: 'admin' } } as const
  /** A decision about money is made with the account of now, also if another node has just changed it. */
  const pinLatest = () => deps.pin().renew()
  app.get(apiRoutes.review, admin, async (request, reply) => {
    const { archive, tests } = reviewQuerySchema.parse(request.query)
    const includesTest = tests === 'true' || deps.isTestMode()
    const entries = await listReview(deps.pin(), { isArchive: archive === 'true', includesTest })
    return reply.header('cache-control', 'no-store').send(entries)
  })
  app.post<WithId>(apiRoutes.reviewOrder, admin, async (request, reply) => {
    const { version, ...given } = reviewOrderSchema.parse(request.body)
    const shown = { id: request.params.id, version }
    const orderId = await createOrder(
      await pinLatest(),
      shown,
      given,
      getActor(request),
      deps.config,
    )
    return reply.code(201).send({ orderId })
  })
  app.post<WithId>(apiRoutes.reviewRefund, admin, async (request, reply) => {
    const { version } = reviewVersionSchema.parse(request.body)
    await refundPayment(await pinLatest(), { id: request.params.id, version }, getActor(request))
    return reply.code(204).send()
  })
  app.post<WithId>(apiRoutes.reviewDismiss, admin, async (request, reply) => {
    const { note, version } = dismissalSchema.parse(request.body)
    const shown = { id: request.params.id, version }
    await dismiss(await pinLatest(), shown, note, getActor(request))
    return reply.code(204).send()
  })
  app.post<WithId>(apiRoutes.reviewRestore, admin, async (request, reply) => {
    const { version } = reviewVersionSchema.parse(request.body)
    await restore(await pinLatest(), { id: request.params.id, version }, getActor(request))
    return reply.code(204).send()
  })
}
