import type { z } from 'zod'
import type {
  analyticsSummary,
  dayFigures,
  eventTypes,
  headline,
  listedEvent,
  periodBefore,
} from './answers/analytics.ts'

export type EventType = (typeof eventTypes)[number]

/**
 * The request header with the site that a visitor came from: calls of the checkout page have the page itself as their
 * referrer, and a cookie would be one that the sale does not need.
 */
export const visitorFromHeader = 'x-visitor-from'

/** The five fields of each event in GET /api/analytics/events. */
export type ListedEvent = z.infer<typeof listedEvent>

/** How a visitor without one is named in the lists. */
export const unknownDevice = 'unknown'
export const unknownCountry = 'Unknown'
export const withoutReferrer = 'Direct'
/** Further sites on a day with too many of them. */
export const otherReferrer = 'Other'

/** The device types we distinguish. */
export const deviceTypes = ['desktop', 'mobile', 'tablet'] as const
export type DeviceType = (typeof deviceTypes)[number]

/** The figures of a range of days. The funnel is views → started → completed → thanked. */
export type Headline = z.infer<typeof headline>

/** One day in the shop's time zone, YYYY-MM-DD. */
export type DayFigures = z.infer<typeof dayFigures>

/** The period before, as long as the one asked for and ending the day before it begins. */
export type PeriodBefore = z.infer<typeof periodBefore>

/** The answer of GET /api/analytics/summary?from&to or ?last; from and to are days in the shop's time zone, both counted in. */
export type AnalyticsSummary = z.infer<typeof analyticsSummary>

/** DB-IP's free data asks for exactly these words and this link (CC BY 4.0). */
export const dbipAttribution = { text: 'IP Geolocation by DB-IP', url: 'https://db-ip.com' }
