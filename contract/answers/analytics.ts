import { z } from 'zod'
import { count, day, id, money } from './fields.ts'

/** What happens on the way to an order. */
export const eventTypes = ['checkout_view', 'checkout_complete', 'thank_you_view'] as const

export const listedEvent = z
  .object({
    eventType: z.enum(eventTypes),
    productId: id.nullable(),
    orderId: id.nullable(),
    deviceType: z.string().nullable(),
    country: z.string().nullable(),
  })
  .meta({ id: 'ListedEvent', description: 'What happened on the way to an order.' })

export const headline = z.object({
  revenue: money.describe(
    'In the shop’s currency: what was kept of the orders placed then, without what went back since',
  ),
  grossRevenue: money.describe('The same with what went back'),
  orders: count.describe('All orders, in whatever currency'),
  averageOrder: money.describe(
    'Revenue divided by the orders in the shop’s currency; 0.00 without any',
  ),
  views: count.describe('Loads of a checkout page, except by crawlers and link previews'),
  visitors: count.describe(
    'Browsers that loaded a checkout page, each counted once a day (UTC) by a cookie',
  ),
  started: count.describe('Payments for which contact and delivery were handed in'),
  completed: count.describe(
    'Payments that became an order; in test mode also reported completions',
  ),
  thanked: count.describe('Orders whose thank-you page was seen'),
  conversion: z
    .number()
    .min(0)
    .max(100)
    .describe('completed / views in percent, one decimal, at most 100; 0 without views'),
})

export const dayFigures = z
  .object({ day, revenue: money, orders: count, views: count })
  .meta({ id: 'DayFigures', description: 'One day in the shop’s time zone.' })

export const periodBefore = headline
  .extend({ from: day, to: day, days: z.array(dayFigures) })
  .meta({
    id: 'PeriodBefore',
    description:
      'The period before, as long as the one asked for and ending the day before it begins.',
  })

const topProduct = z.object({
  productId: z.string(),
  name: z.string(),
  orders: count,
  revenue: money,
  values: z
    .array(z.object({ value: z.string(), orders: count }))
    .exactOptional()
    .describe('How often each value of its choice was bought; absent where nothing was chosen'),
})

const percent = z.number().min(0).max(100)

export const analyticsSummary = headline
  .extend({
    from: day.describe('As asked for; without `from` the first day anything happened'),
    to: day.describe('As asked for; without `to` today'),
    tz: z.string().describe('The shop’s time zone, whose days these are'),
    today: day.describe('Today there'),
    currency: z.string().describe('Of all money above and below, except in otherCurrencies'),
    topProducts: z.array(topProduct).describe('The five with the most revenue'),
    devices: z
      .array(z.object({ device: z.string(), views: count, percent }))
      .describe('All of them, most views first; `unknown` where it was not told'),
    countries: z
      .array(z.object({ country: z.string(), views: count, percent }))
      .describe('The top five; percent is of all views. `Unknown` where it is not known'),
    referrers: z
      .array(z.object({ referrer: z.string(), views: count }))
      .describe(
        'The top five addresses that visitors came from, or `Direct`, or `Other` beyond a day’s most',
      ),
    days: z
      .array(dayFigures)
      .describe('Every day of the range, oldest first, also those on which nothing happened'),
    before: periodBefore.nullable().describe('Null for all time, that is without `from`'),
    otherCurrencies: z
      .array(z.object({ currency: z.string(), revenue: money, orders: count }))
      .describe('Money taken in currencies other than the shop’s'),
    attribution: z
      .object({ text: z.string(), url: z.string() })
      .nullable()
      .describe(
        'Must be shown as a link beside the countries; null where the owner brought a file of their own',
      ),
  })
  .meta({
    id: 'AnalyticsSummary',
    description:
      'The figures of a range of days. The funnel is views → started → orders → thanked.',
  })
