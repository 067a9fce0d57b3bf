import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { eventTypes } from '#contract/analytics.ts'
import { calls } from '#contract/paths.ts'
import { Refusal } from '#contract/refusals.ts'
import type { ProductCache } from '#server/catalog/product-cache.ts'
import type { Db } from '#server/db/database.ts'
import { analyticsEvents } from '#server/db/analytics-schema.ts'
import { addressToCount } from '#server/http/client-address.ts'

const eventSchema = z.object({
  eventType: z.enum(eventTypes),
  productId: z.guid('Product not found'),
  orderId: z.guid().nullish(),
})

const largestEventBytes = 2_048

/** Notes what buyers' pages tell of themselves. Who they are is not kept: an address only without its end. */
export function mountAnalytics(
  app: FastifyInstance,
  shop: { db: Db; productCache: ProductCache },
): void {
  const options = { config: { access: 'public' }, bodyLimit: largestEventBytes } as const
  app.post(calls.track, options, async (request, reply) => {
    const { eventType, productId, orderId } = eventSchema.parse(request.body)
    if (!(await shop.productCache.read(productId))) throw new Refusal('product-missing')
    await shop.db.insert(analyticsEvents).values({
      eventType,
      productId,
      orderId: orderId ?? null,
      visitorIp: withoutEnd(request.ip),
    })
    return reply.code(204).send()
  })
}

/** 203.0.113.7 is kept as 203.0.113.0, an IPv6 address as its first three groups. */
function withoutEnd(ip: string): string {
  const plain = addressToCount(ip)
  return plain.includes(':')
    ? `${plain.split(':').slice(0, 3).join(':')}::`
    : plain.replace(/\.\d+$/, '.0')
}
