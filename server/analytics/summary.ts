import type { AnalyticsSummary, Headline } from '#contract/analytics.ts'
import type { Days } from '#contract/days.ts'
import { formatCents } from '#contract/money.ts'
import { Refusal } from '#contract/refusals.ts'
import type { Db } from '#server/db/database.ts'
import { sql } from '#server/db/drizzle.ts'
import { readBreakdown } from './breakdown.ts'
import { daysOf, findRange, periodBefore, type Bounds, type SummaryQuery } from './range.ts'
import { findZone } from './zone-names.ts'
import { ensureZone } from './zones.ts'

export type Summary = Omit<AnalyticsSummary, 'attribution'>

/** A zone is rebuilt by hand, or pushed out by eight others: neither happens twice in a row. */
const mostLooks = 3

/** The figures of a range of days, from what is kept of each day: however much happened, it takes as long. */
export async function readSummary(db: Db, asked: SummaryQuery, currency: string): Promise<Summary> {
  const zone = await findZone(db, asked.tz)
  for (let look = 0; look < mostLooks; look += 1) {
    await ensureZone(db, zone)
    // One moment for all of it, so that the figures agree with each other.
    const summary = await db.transaction((tx) => maybeSummary(tx, zone, asked, currency), {
      isolationLevel: 'repeatable read',
      accessMode: 'read only',
    })
    if (summary) return summary
  }
  throw new Refusal('unavailable', { retryAfter: 2 })
}

/** None while the zone is not kept, which would look like a shop in which nothing ever happened. */
async function maybeSummary(
  tx: Db,
  zone: string,
  asked: SummaryQuery,
  currency: string,
): Promise<Summary | undefined> {
  const bounds = await maybeBounds(tx, zone)
  if (!bounds) return undefined
  const range = findRange(asked, bounds)
  const before = asked.from ? periodBefore(range) : undefined
  const days = await readDays(
    tx,
    zone,
    { from: before?.from ?? range.from, to: range.to },
    currency,
  )
  return {
    ...range,
    tz: zone,
    today: bounds.today,
    currency,
    ...headlineOf(days, range),
    days: listDays(days, range),
    ...(await readBreakdown(tx, zone, range, currency)),
    before: before
      ? { ...before, ...headlineOf(days, before), days: listDays(days, before) }
      : null,
  }
}

type Day = {
  day: string
  views: number
  started: number
  completed: number
  thanked: number
  orders: number
  /** Of the shop's currency alone. */
  ownOrders: number
  cents: number
}

async function maybeBounds(tx: Db, zone: string): Promise<Bounds | undefined> {
  const { rows } = await tx.execute<Bounds>(sql`
    select (now() at time zone zone)::date::text as today,
      (select min(day)::text from analytics_days where zone = ${zone}) as first
    from analytics_zones where zone = ${zone}`)
  return rows[0]
}

async function readDays(tx: Db, zone: string, range: Days, currency: string): Promise<Day[]> {
  const own = sql`kind = 'currency' and key = ${currency}`
  const { rows } = await tx.execute<Day>(sql`
    select day::text, sum(views)::int as views, sum(started)::int as started,
      sum(completed)::int as completed, sum(thanked)::int as thanked, sum(orders)::int as orders,
      coalesce(sum(orders) filter (where ${own}), 0)::int as "ownOrders",
      coalesce(sum(revenue) filter (where ${own}) * 100, 0)::float8 as cents
    from analytics_days
    where zone = ${zone} and day between ${range.from} and ${range.to}
      and kind in ('total', 'currency')
    group by day`)
  return rows
}

function headlineOf(days: Day[], { from, to }: Days): Headline {
  const inRange = days.filter(({ day }) => day >= from && day <= to)
  const sum = (of: Exclude<keyof Day, 'day'>) => inRange.reduce((total, day) => total + day[of], 0)
  const [views, completed, cents, ownOrders] = [
    sum('views'),
    sum('completed'),
    sum('cents'),
    sum('ownOrders'),
  ]
  return {
    revenue: formatCents(cents),
    orders: sum('orders'),
    averageOrder: formatCents(ownOrders === 0 ? 0 : Math.round(cents / ownOrders)),
    views,
    started: sum('started'),
    completed,
    thanked: sum('thanked'),
    conversion: conversionOf(completed, views),
  }
}

/**
 * In percent with one decimal. Who looked before midnight and paid after it must not make it more than all, nor all of
 * nothing.
 */
function conversionOf(completed: number, views: number): number {
  return views === 0 ? 0 : Math.min(100, Math.round((completed * 1000) / views) / 10)
}

function listDays(days: Day[], range: Days) {
  const known = new Map(days.map((day) => [day.day, day]))
  return daysOf(range).map((day) => {
    const { cents = 0, orders = 0, views = 0 } = known.get(day) ?? {}
    return { day, revenue: formatCents(cents), orders, views }
  })
}
