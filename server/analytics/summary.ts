import { z } from 'zod'
import type { AnalyticsSummary, DayFigures, Headline } from '#contract/analytics.ts'
import { addDays, countDays, isDay, maxDays, type Day, type Days } from '#contract/days.ts'
import { formatCents } from '#contract/money.ts'
import { Refusal } from '#contract/refusals.ts'
import type { Db } from '#server/db/database.ts'
import { sql } from '#server/db/drizzle.ts'
import { getZoneName } from '#server/db/time-zones.ts'
import {
  findFirstDay,
  findLiveDays,
  listCounts,
  type DayCounts,
  type Entry,
  type Kind,
} from './days.ts'
import {
  findFirstSale,
  listSold,
  showTopProducts,
  sumOtherCurrencies,
  topEntries,
  type ShownMoney,
  type SoldOnDay,
} from './money.ts'

const daysMessage = `Please give a number of days from 1 to ${maxDays}.`

const day = z.string().refine(isDay, 'Please give days as YYYY-MM-DD.')

export const summaryQuerySchema = z.object({
  from: day.optional(),
  to: day.optional(),
  /** As many days up to today, instead of `from` and `to`. */
  last: z
    .string(daysMessage)
    .regex(/^\d{1,4}$/, daysMessage)
    .transform(Number)
    .pipe(z.number().min(1, daysMessage).max(maxDays, daysMessage))
    .optional(),
})
type SummaryQuery = z.output<typeof summaryQuerySchema>

type Summary = Omit<AnalyticsSummary, 'attribution'>

/** Which figures: of days in which time zone, with those of test mode or without, and the currency of sums. */
type Asked = { timeZone: string; currency: string; includesTest: boolean }

/** The figures of a range of days, in one snapshot, so that all agree with each other. */
export async function readSummary(db: Db, query: SummaryQuery, asked: Asked): Promise<Summary> {
  const { currency, includesTest } = asked
  const zone = await getZoneName(db, asked.timeZone)
  const isShown = includesTest ? sql`true` : sql`not is_test`
  return db.transaction((tx) => findSummary(tx, query, { zone, isShown, currency }), {
    isolationLevel: 'repeatable read',
    accessMode: 'read only',
  })
}

async function findSummary(tx: Db, query: SummaryQuery, shown: ShownMoney): Promise<Summary> {
  const { zone, currency } = shown
  const live = await findLiveDays(tx, zone)
  const range = chooseRange(query, await findFirst(tx, query, shown), live.today)
  const before = query.from || query.last ? periodBefore(range) : undefined
  const allDays = { from: before?.from ?? range.from, to: range.to }
  const sold = await listSold(tx, shown, allDays, range.from)
  const counts = await listCounts(tx, shown, live, allDays, range.from)
  const days = addMoney(counts.days, sold.days, currency)
  const entries = Map.groupBy(counts.entries, ({ kind }) => kind)
  const entriesOf = (kind: Kind) => entries.get(kind) ?? []
  return {
    ...range,
    tz: zone,
    today: live.today,
    currency,
    ...showHeadline(days, range),
    days: showDays(days, range),
    topProducts: await showTopProducts(tx, shown, range, sold.products),
    devices: addPercents(entriesOf('device')).map(({ key, ...share }) => ({
      device: key,
      ...share,
    })),
    countries: addPercents(entriesOf('country'))
      .slice(0, topEntries)
      .map(({ key, ...share }) => ({ country: key, ...share })),
    referrers: entriesOf('referrer')
      .slice(0, topEntries)
      .map(({ key, views }) => ({ referrer: key, views })),
    otherCurrencies: sumOtherCurrencies(sold.days, range.from, currency),
    before: before
      ? { ...before, ...showHeadline(days, before), days: showDays(days, before) }
      : null,
  }
}

/** The first day with any figures; only needed where the range begins with it. */
async function findFirst(
  tx: Db,
  { from, last }: SummaryQuery,
  shown: ShownMoney,
): Promise<Day | null> {
  if (from || last) return null
  const first = [await findFirstDay(tx, shown), await findFirstSale(tx, shown)]
  return first.filter((day) => day !== null).toSorted()[0] ?? null
}

/** Without `from` the range begins on the first day, without `to` it ends today. */
function chooseRange({ from, to, last }: SummaryQuery, first: Day | null, today: Day): Days {
  if (last) return { from: addDays(today, 1 - last), to: today }
  const end = to ?? today
  const begin = first ?? today
  const range = { from: from ?? (begin < end ? begin : end), to: end }
  if (range.from > range.to) refuse(`The first day comes after the last, ${range.to}.`)
  const isAllTime = !from && !to
  if (!isAllTime && countDays(range) > maxDays) refuse('Please ask for ten years at most.')
  return range
}

function refuse(text: string): never {
  throw new Refusal('bad-request', { text })
}

/** As many days as the range has, right before it. */
function periodBefore(range: Days): Days {
  return { from: addDays(range.from, -countDays(range)), to: addDays(range.from, -1) }
}

type DayRow = DayCounts & {
  orders: number
  /** In the shop's currency. */
  ownOrders: number
  grossCents: number
  keptCents: number
}

const noCounts = { views: 0, visitors: 0, started: 0, completed: 0, thanked: 0 }
const noMoney = { orders: 0, ownOrders: 0, grossCents: 0, keptCents: 0 }

/** Days with what happened and what was sold, those on which nothing did left out. */
function addMoney(counts: DayCounts[], sold: SoldOnDay[], currency: string): DayRow[] {
  const days = new Map(counts.map((row): [Day, DayRow] => [row.day, { ...row, ...noMoney }]))
  for (const { day, orders, ...money } of sold) {
    const row = days.get(day) ?? { day, ...noCounts, ...noMoney }
    row.orders += orders
    if (money.currency === currency) {
      row.ownOrders += orders
      row.grossCents += money.grossCents
      row.keptCents += money.keptCents
    }
    days.set(day, row)
  }
  return [...days.values()]
}

function showHeadline(days: DayRow[], { from, to }: Days): Headline {
  const inRange = days.filter(({ day }) => day >= from && day <= to)
  const sum = (of: Exclude<keyof DayRow, 'day'>) =>
    inRange.reduce((total, day) => total + day[of], 0)
  const cents = sum('keptCents')
  const ownOrders = sum('ownOrders')
  const views = sum('views')
  const completed = sum('completed')
  return {
    revenue: formatCents(cents),
    grossRevenue: formatCents(sum('grossCents')),
    orders: sum('orders'),
    averageOrder: formatCents(ownOrders === 0 ? 0 : Math.round(cents / ownOrders)),
    views,
    visitors: sum('visitors'),
    started: sum('started'),
    completed,
    thanked: sum('thanked'),
    conversion: calculateConversion(completed, views),
  }
}

/** In percent with one decimal. Buyers who block tracking, or looked before midnight, must not make it more than 100. */
function calculateConversion(completed: number, views: number): number {
  return views === 0 ? 0 : Math.min(100, Math.round((completed * 1000) / views) / 10)
}

function showDays(days: DayRow[], range: Days): DayFigures[] {
  const known = new Map(days.map((row) => [row.day, row]))
  return Array.from({ length: countDays(range) }, (_, index) => {
    const day = addDays(range.from, index)
    const { keptCents = 0, orders = 0, views = 0 } = known.get(day) ?? {}
    return { day, revenue: formatCents(keptCents), orders, views }
  })
}

/** Percents with one decimal that add up to 100: the largest remainders are rounded up. */
function addPercents(entries: Entry[]): { key: string; views: number; percent: number }[] {
  const total = entries.reduce((sum, { views }) => sum + views, 0)
  const shares = entries.map(({ key, views }) => {
    const thousandths = total === 0 ? 0 : (views * 1000) / total
    return { key, views, floor: Math.floor(thousandths), remainder: thousandths % 1 }
  })
  const left = (total === 0 ? 0 : 1000) - shares.reduce((sum, { floor }) => sum + floor, 0)
  const byRemainder = shares.toSorted((a, b) => b.remainder - a.remainder)
  const roundedUp = new Set(byRemainder.slice(0, left))
  return shares.map((share) => ({
    key: share.key,
    views: share.views,
    percent: (share.floor + (roundedUp.has(share) ? 1 : 0)) / 10,
  }))
}
