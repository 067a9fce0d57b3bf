import { z } from 'zod'
import { analyticsSummary, listedEvent } from '#contract/answers/analytics.ts'
import { apiRoutes } from '#contract/paths.ts'
import { defineOperations } from '#server/http/openapi.ts'
import { eventSchema, maxEventsPerMinute } from './routes.ts'
import { summaryQuerySchema } from './summary.ts'

export const analyticsOperations = defineOperations('Analytics', 'admin', {
  [`GET ${apiRoutes.analyticsSummary}`]: {
    summary: 'Reads the figures of a range of days.',
    note: 'Both days count; without them all time. Instead of both, `last` is how many days up to today. Days are those of the shop’s time zone. A range has at most ten years.',
    query: summaryQuerySchema,
    answers: { 200: analyticsSummary },
  },
  [`GET ${apiRoutes.analyticsEvents}`]: {
    summary: 'Lists all events, as far as they are kept.',
    answers: { 200: z.array(listedEvent) },
  },
  [`POST ${apiRoutes.track}`]: {
    access: 'public',
    summary: 'Counts what happens on a checkout or thank-you page.',
    note: `${maxEventsPerMinute} a minute for each address. Bots and prefetched pages are not counted.`,
    body: eventSchema,
    example: { eventType: 'checkout_view', productId: '3f0c9a52-7d1b-4c5e-9a53-0b6a1f0f7c11' },
    answers: { 204: null },
    refusals: ['product-missing'],
  },
})
