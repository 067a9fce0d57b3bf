import type { AnalyticsSummary, Headline } from '#contract/analytics.ts'
import { showCents } from '#contract/money.ts'
import type { Db } from '#server/db/database.ts'
import { sql } from '#server/db/drizzle.ts'
import { readBreakdown } from './breakdown.ts'
import { daysOf, periodBefore, type Range, type SummaryQuery } from './range.ts'
import { ensureZone } from './zones.ts'

export type Summary = Omit<AnalyticsSummary, 'attribution'>

/** The figures of a range of days, from what is kept of each day: however much happened, it takes as long. */
export async function readSummary(db: Db, asked: SummaryQuery, currency: string): Promise<Summary> {
  const zone = asked.tz
  await ensureZone(db, zone)
  // One moment for all of it, so that the figures agree with each other.
  return db.transaction(
    async (tx) => {
      const { today, first } = await readBounds(tx, zone)
      const range = { from: asked.from ?? first ?? today, to: asked.to ?? today }
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
        today,
        currency,
        ...headlineOf(days, range),
        days: listDays(days, range),
        ...(await readBreakdown(tx, zone, range, currency)),
        before: before
          ? { ...before, ...headlineOf(days, before), days: listDays(days, before) }
          : null,
      }
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  )
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

async function readBounds(tx: Db, zone: string): Promise<{ today: string; first: string | null }> {
  const { rows } = await tx.execute<{ today: string; first: string | null }>(sql`
    select (now() at time zone ${zone})::date::text as today,
      (select min(day)::text from analytics_days where zone = ${zone}) as first`)
  return rows[0] ?? { today: '', first: null }
}

async function readDays(tx: Db, zone: string, range: Range, currency: string): Promise<Day[]> {
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

function headlineOf(days: Day[], { from, to }: Range): Headline {
  const inRange = days.filter(({ day }) => day >= from && day <= to)
  const sum = (of: Exclude<keyof Day, 'day'>) => inRange.reduce((total, day) => total + day[of], 0)
  const [views, completed, cents, ownOrders] = [
    sum('views'),
    sum('completed'),
    sum('cents'),
    sum('ownOrders'),
  ]
  return {
    revenue: showCents(cents),
    orders: sum('orders'),
    averageOrder: showCents(ownOrders === 0 ? 0 : Math.round(cents / ownOrders)),
    views,
    started: sum('started'),
    completed,
    thanked: sum('thanked'),
    conversion: conversionOf(completed, views),
  }
}

/** In percent with one decimal. Who looked before midnight and paid after it must not make it more than all. */
function conversionOf(completed: number, views: number): number {
  if (completed === 0) return 0
  return views === 0 ? 100 : Math.min(100, Math.round((completed * 1000) / views) / 10)
}

function listDays(days: Day[], range: Range) {
  const known = new Map(days.map((day) => [day.day, day]))
  return daysOf(range).map((day) => {
    const { cents = 0, orders = 0, views = 0 } = known.get(day) ?? {}
    return { day, revenue: showCents(cents), orders, views }
  })
}
