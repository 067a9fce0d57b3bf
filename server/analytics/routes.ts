import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { AnalyticsSummary } from '#contract/analytics.ts'
import { eventTypes } from '#contract/answers/analytics.ts'
import { defaultCurrency } from '#contract/currencies.ts'
import { apiRoutes } from '#contract/paths.ts'
import { Refusal } from '#contract/refusals.ts'
import type { ProductCache } from '#server/catalog/product-cache.ts'
import type { Config } from '#server/config.ts'
import type { Db } from '#server/db/database.ts'
import { eq } from '#server/db/drizzle.ts'
import { orders } from '#server/db/schema.ts'
import { jsonStream, sendStream } from '#server/http/send-stream.ts'
import { listEvents, type NewEvent } from './events.ts'
import type { GeoLocations } from './geo-locations.ts'
import { readSummary, summaryQuerySchema } from './summary.ts'
import type { Tracking } from './tracking.ts'
import type { Visitors } from './visitors.ts'

export const eventSchema = z.object({
  eventType: z.enum(eventTypes),
  productId: z.guid('Product not found').toLowerCase(),
  orderId: z.guid('Order not found').toLowerCase().nullish(),
})

const maxEventBytes = 2_048
export const maxEventsPerMinute = 120

export function mountAnalytics(
  app: FastifyInstance,
  shop: {
    config: Config
    db: Db
    productCache: ProductCache
    geoLocations: GeoLocations
    tracking: Tracking
    visitors: Visitors
    isTestMode: () => boolean
  },
): void {
  const { db, visitors } = shop
  const { currency } = shop.config.payments
  // Where each product is paid in its own currency, figures are in the default one.
  const shownCurrency = currency === 'product' ? defaultCurrency : currency

  const trackOptions = {
    config: { access: 'public', maxPerMinute: maxEventsPerMinute },
    bodyLimit: maxEventBytes,
    compress: false,
  } as const
  app.post(apiRoutes.track, trackOptions, async (request, reply) => {
    const { eventType, productId, ...sent } = eventSchema.parse(request.body)
    // There is no order yet at the time of a view, whatever the page says.
    const orderId = eventType === 'checkout_view' ? null : (sent.orderId ?? null)
    const { isCounted, isTest } = await validateEvent(shop, { eventType, productId, orderId })
    const { isBot, isNew, facts } = await visitors.identify(request)
    if (!isBot && !isPrefetch(request))
      await shop.tracking.track({
        eventType,
        productId,
        orderId,
        isTest: isTest ?? shop.isTestMode(),
        isNewVisitor: isNew && eventType === 'checkout_view',
        facts,
        isCounted,
      })
    reply.code(204)
  })

  app.get(apiRoutes.analyticsSummary, { config: { access: 'admin' } }, async (request, reply) => {
    const query = summaryQuerySchema.parse(request.query)
    const summary = await readSummary(db, query, {
      timeZone: shop.config.timeZone,
      currency: shownCurrency,
      includesTest: shop.isTestMode(),
    })
    const { attribution } = shop.geoLocations
    return reply
      .header('cache-control', 'no-store')
      .send({ ...summary, attribution } satisfies AnalyticsSummary)
  })

  app.get(apiRoutes.analyticsEvents, { config: { access: 'admin' } }, async (_request, reply) => {
    return sendStream(reply, jsonStream, listEvents(db, shop.isTestMode()))
  })
}

/**
 * Refuses impossible events, and decides whether the others count. A view needs a product on sale. Later events belong to
 * an order, whose product may be deleted by then; those without an order of ours are listed but not counted.
 */
async function validateEvent(
  { db, productCache }: { db: Db; productCache: ProductCache },
  { eventType, productId, orderId }: Pick<NewEvent, 'eventType' | 'productId' | 'orderId'>,
): Promise<{ isCounted: boolean; isTest: boolean | undefined }> {
  const { productId: product, isTest } = orders
  const [order] = orderId
    ? await db.select({ productId: product, isTest }).from(orders).where(eq(orders.id, orderId))
    : []
  if (order && order.productId !== productId)
    throw new Refusal('bad-request', { text: 'This order is of another product.' })
  if (!order && !(await productCache.find(productId))) throw new Refusal('product-missing')
  // An order is what it was, whatever mode the shop is in by now.
  return { isCounted: order !== undefined || eventType === 'checkout_view', isTest: order?.isTest }
}

/** Browsers load pages before they are clicked; many are never looked at. */
function isPrefetch({ headers }: FastifyRequest): boolean {
  return /prefetch|prerender/i.test(String(headers['sec-purpose'] ?? ''))
}
