import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { eventTypes } from '#contract/analytics.ts'
import { defaultCurrency } from '#contract/currencies.ts'
import { apiRoutes } from '#contract/paths.ts'
import type { ProductCache } from '#server/catalog/product-cache.ts'
import type { Config } from '#server/config.ts'
import type { Db } from '#server/db/database.ts'
import { jsonStream, sendStream } from '#server/http/send-stream.ts'
import type { Places } from './places.ts'
import { summaryQuerySchema } from './range.ts'
import { listEvents } from './list-events.ts'
import { readSummary } from './summary.ts'
import type { Tracking } from './tracking.ts'
import type { Visitors } from './visitors.ts'
import { validateEvent } from './validate-event.ts'

const eventSchema = z.object({
  eventType: z.enum(eventTypes),
  productId: z.guid('Product not found').toLowerCase(),
  orderId: z.guid('Order not found').toLowerCase().nullish(),
})

const largestEventBytes = 2_048
const eventsPerMinute = 120

export function mountAnalytics(
  app: FastifyInstance,
  shop: {
    config: Config
    db: Db
    productCache: ProductCache
    places: Places
    tracking: Tracking
    visitors: Visitors
  },
): void {
  const { db, visitors } = shop
  const currency = currencyOf(shop.config)

  const tracks = {
    config: { access: 'public', maxPerMinute: eventsPerMinute },
    bodyLimit: largestEventBytes,
    compress: false,
  } as const
  app.post(apiRoutes.track, tracks, async (request, reply) => {
    const { eventType, productId, ...told } = eventSchema.parse(request.body)
    // A view happens before there is an order, whatever its page says.
    const orderId = eventType === 'checkout_view' ? null : (told.orderId ?? null)
    const { counts } = await validateEvent(shop, { eventType, productId, orderId })
    const { isBot, buyer, facts } = await visitors.see(request)
    if (!isBot && !isAhead(request))
      await shop.tracking.track({ eventType, productId, orderId, facts, visitor: buyer, counts })
    reply.code(204)
  })

  app.get(apiRoutes.analyticsSummary, { config: { access: 'admin' } }, async (request, reply) => {
    const asked = summaryQuerySchema.parse(request.query)
    const summary = await readSummary(db, asked, currency)
    const { attribution } = shop.places
    return reply.header('cache-control', 'no-store').send({ ...summary, attribution })
  })

  app.get(apiRoutes.analyticsEvents, { config: { access: 'admin' } }, async (_request, reply) => {
    return sendStream(reply, jsonStream, listEvents(db))
  })
}

/** Browsers open pages before they are clicked; many are never looked at. */
function isAhead({ headers }: FastifyRequest): boolean {
  return /prefetch|prerender/i.test(String(headers['sec-purpose'] ?? ''))
}

/** What figures are in. Where each product is paid in its own currency, the euro is as good as any. */
function currencyOf({ payments }: Config): string {
  return payments.currency === 'product' ? defaultCurrency : payments.currency
}
