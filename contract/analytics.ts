/** What happens on the way to an order. */
export const eventTypes = ['checkout_view', 'checkout_complete', 'thank_you_view'] as const
export type EventType = (typeof eventTypes)[number]

/**
 * The request header with the site that a visitor came from: calls of the checkout page have the page itself as their
 * referrer, and a cookie would be one that the sale does not need.
 */
export const visitorFromHeader = 'x-visitor-from'

/** The five fields of each event in GET /api/analytics/events. */
export type ListedEvent = {
  eventType: EventType
  productId: string | null
  orderId: string | null
  deviceType: string | null
  country: string | null
}

/** How a visitor without one is named in the lists. */
export const unknownDevice = 'unknown'
export const unknownCountry = 'Unknown'
export const withoutReferrer = 'Direct'
/** Further sites on a day with too many of them. */
export const otherReferrer = 'Other'

/** The device types we distinguish. */
export const deviceTypes = ['desktop', 'mobile', 'tablet'] as const
export type DeviceType = (typeof deviceTypes)[number]

/**
 * The figures of a range of days. The funnel is views → started → completed → thanked.
 * Over all time none of these is larger than the one before it.
 */
export type Headline = {
  /** In the shop's currency, two decimals: '1234.50'. */
  revenue: string
  /** All orders, in whatever currency. */
  orders: number
  /** Revenue divided by the orders in the shop's currency; '0.00' without any. */
  averageOrder: string
  /** Visits of a checkout page; reloads within 30 minutes are none, nor are crawlers and link previews. */
  views: number
  /** Payments for which contact and delivery were handed in. */
  started: number
  /** Payments that became an order. */
  completed: number
  /** Orders whose thank-you page was seen. */
  thanked: number
  /** completed / views in percent, one decimal, at most 100; 0 without views. */
  conversion: number
}

/** One day in the owner's time zone, YYYY-MM-DD. */
export type DayFigures = { day: string; revenue: string; orders: number; views: number }

/** The period before, as long as the one asked for and ending the day before it begins. */
export type PeriodBefore = Headline & { from: string; to: string; days: DayFigures[] }

export type TopProduct = { productId: string; name: string; orders: number; revenue: string }

/** The answer of GET /api/analytics/summary?from&to&tz; from and to are days in tz, both counted in. */
export type AnalyticsSummary = Headline & {
  /** What was asked for; without from the first day anything happened, without to today. */
  from: string
  to: string
  /** By its proper name: utc is UTC, and CET is Europe/Brussels. UTC where none was asked for. */
  tz: string
  /** Today there. */
  today: string
  /** Of all money above and below, except in otherCurrencies. */
  currency: string
  /** The five with the most revenue in the shop's currency. */
  topProducts: TopProduct[]
  /** All of them, most views first; the percents add up to 100. 'unknown' where it was not told. */
  devices: { device: string; views: number; percent: number }[]
  /** The top five; percent is of all views. 'Unknown' where it is not known. */
  countries: { country: string; views: number; percent: number }[]
  /** The top five addresses (https://example.com) that visitors came from, or 'Direct', or 'Other' beyond a day's most. */
  referrers: { referrer: string; views: number }[]
  /** Every day of the range, oldest first, also those on which nothing happened. */
  days: DayFigures[]
  /** Absent (null) for all time, that is without from. */
  before: PeriodBefore | null
  /** Money taken in currencies other than the shop's. */
  otherCurrencies: { currency: string; revenue: string; orders: number }[]
  /** Must be shown as a link beside the countries; null where the owner brought a file of their own (GEOIP_DB). */
  attribution: { text: string; url: string } | null
}

/** DB-IP's free data asks for exactly these words and this link (CC BY 4.0). */
export const dbipAttribution = { text: 'IP Geolocation by DB-IP', url: 'https://db-ip.com' }
