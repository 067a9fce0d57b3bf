import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Mode } from '#contract/mode.ts'
import type { AnalyticsSummary } from '#contract/analytics.ts'
import { analyticsSummary, eventTypes, listedEvent } from '#contract/answers/analytics.ts'
import { defaultCurrency } from '#contract/currencies.ts'
import { apiRoutes } from '#contract/paths.ts'
import { Refusal } from '#contract/refusals.ts'
import type { ProductCache } from '#server/catalog/product-cache.ts'
import type { Config } from '#server/config.ts'
import type { Db } from '#server/db/database.ts'
import { eq } from '#server/db/drizzle.ts'
import { orders } from '#server/db/schema.ts'
import { callsOf } from '#server/http/calls.ts'
import { jsonStream, sendStream } from '#server/http/send-stream.ts'
import { listEvents, type NewEvent } from './events.ts'
import type { GeoLocations } from './geo-locations.ts'
import { readSummary, summaryQuerySchema } from './summary.ts'
import type { Tracking } from './tracking.ts'
import type { Visitors } from './visitors.ts'

type AnalyticsDeps = {
  config: Config
  db: Db
  productCache: ProductCache
  geoLocations: GeoLocations
  tracking: Tracking
  visitors: Visitors
  findMode: () => Mode | undefined
}

const eventSchema = z.object({
  eventType: z.enum(eventTypes),
  productId: z.guid('Product not found').toLowerCase(),
  orderId: z.guid('Order not found').toLowerCase().nullish(),
})

const maxEventBytes = 2_048
const maxEventsPerMinute = 120

const call = callsOf<AnalyticsDeps>('Analytics', 'admin')

export const analyticsCalls = [
  call(`GET ${apiRoutes.analyticsSummary}`, {
    summary: 'Reads the figures of a range of days.',
    note: 'Both days count; without them all time. Instead of both, `last` is how many days up to today. Days are those of the shop’s time zone. A range has at most ten years.',
    query: summaryQuerySchema,
    answers: { 200: analyticsSummary },
    async handle({ config, db, geoLocations, findMode }, { query }): Promise<AnalyticsSummary> {
      const { currency } = config.payments
      const summary = await readSummary(db, query, {
        timeZone: config.timeZone,
        // Where each product is paid in its own currency, figures are in the default one.
        currency: currency === 'product' ? defaultCurrency : currency,
        includesTest: findMode() === 'test',
      })
      return { ...summary, attribution: geoLocations.attribution }
    },
  }),

  call(`GET ${apiRoutes.analyticsEvents}`, {
    summary: 'Lists all events, as far as they are kept.',
    answers: { 200: z.array(listedEvent) },
    handle: ({ db, findMode }, { reply }) =>
      sendStream(reply, jsonStream, listEvents(db, findMode() === 'test')),
  }),

  call(`POST ${apiRoutes.track}`, {
    access: 'public',
    summary: 'Counts what happens on a checkout or thank-you page.',
    note: `${maxEventsPerMinute} a minute for each address. Bots and prefetched pages are not counted.`,
    body: eventSchema,
    example: { eventType: 'checkout_view', productId: '3f0c9a52-7d1b-4c5e-9a53-0b6a1f0f7c11' },
    answers: { 204: null },
    refusals: ['product-missing'],
    options: {
      config: { maxPerMinute: maxEventsPerMinute },
      bodyLimit: maxEventBytes,
      compress: false,
    },
    async handle(deps, { body: { eventType, productId, ...sent }, request }) {
      // There is no order yet at the time of a view, whatever the page says.
      const orderId = eventType === 'checkout_view' ? null : (sent.orderId ?? null)
      const { isCounted, isTest } = await validateEvent(deps, { eventType, productId, orderId })
      const { isBot, isNew, facts } = await deps.visitors.identify(request)
      if (isBot || isPrefetch(request)) return
      await deps.tracking.track({
        eventType,
        productId,
        orderId,
        isTest: isTest ?? deps.findMode() === 'test',
        isNewVisitor: isNew && eventType === 'checkout_view',
        facts,
        isCounted,
      })
    },
  }),
]

/**
 * Refuses impossible events, and decides whether the others count. A view needs a product on sale. Later events belong to
 * an order, whose product may be deleted by then; those without an order of ours are listed but not counted, except
 * completions in test mode, which a program may report that pays elsewhere.
 */
async function validateEvent(
  { db, productCache, findMode }: Pick<AnalyticsDeps, 'db' | 'productCache' | 'findMode'>,
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
  const isReportedTest = eventType === 'checkout_complete' && findMode() === 'test'
  const isCounted = order !== undefined || eventType === 'checkout_view' || isReportedTest
  return { isCounted, isTest: order?.isTest }
}

/** Browsers load pages before they are clicked; many are never looked at. */
function isPrefetch({ headers }: FastifyRequest): boolean {
  return /prefetch|prerender/i.test(String(headers['sec-purpose'] ?? ''))
}
