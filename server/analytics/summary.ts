import { z } from 'zod'
import type { AnalyticsSummary, DayFigures, Headline } from '#contract/analytics.ts'
import { addDays, countDays, isDay, maxDays, type Days } from '#contract/days.ts'
import { formatCents } from '#contract/money.ts'
import { Refusal } from '#contract/refusals.ts'
import type { Db } from '#server/db/database.ts'
import { inArray, sql, type SQL } from '#server/db/drizzle.ts'
import { products } from '#server/db/schema.ts'
import { getZoneName } from '#server/db/time-zones.ts'
import type { Kind } from './figures.ts'
import { keepFigures } from './kept-figures.ts'

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

/** Figures disappear while they are rebuilt, or if the time zone changes; neither happens twice in a row. */
const maxAttempts = 3
const topEntries = 5
/** More than there are countries or currencies; of referrers and products only the top is shown. */
const maxEntriesOfKind = 300

/** Which figures: of days in which time zone, with those of test mode or without, and the currency of sums. */
type Shown = { timeZone: string; currency: string; includesTest: boolean }

/** The figures of a range of days, read from the figures kept per day, so that the cost depends on the days alone. */
export async function readSummary(db: Db, query: SummaryQuery, shown: Shown): Promise<Summary> {
  const zone = await getZoneName(db, shown.timeZone)
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    await keepFigures(db, zone)
    // One snapshot, so that all figures agree with each other.
    const summary = await db.transaction((tx) => findSummary(tx, zone, query, shown), {
      isolationLevel: 'repeatable read',
      accessMode: 'read only',
    })
    if (summary) return summary
  }
  throw new Refusal('unavailable', { retryAfter: 2 })
}

/** Undefined if no figures of the zone are kept, which would look like a shop without any visitors. */
async function findSummary(
  tx: Db,
  zone: string,
  query: SummaryQuery,
  { currency, includesTest }: Shown,
): Promise<Summary | undefined> {
  const isShown = includesTest ? sql`true` : sql`not is_test`
  const kept = { zone, isShown, currency }
  const bounds = await findBounds(tx, kept)
  if (!bounds) return undefined
  const range = chooseRange(query, bounds)
  const before = query.from || query.last ? periodBefore(range) : undefined
  const allDays = { from: before?.from ?? range.from, to: range.to }
  const days = await listDays(tx, kept, allDays)
  const entries = Map.groupBy(await listEntries(tx, kept, range), ({ kind }) => kind)
  const entriesOf = (kind: Kind) => entries.get(kind) ?? []
  return {
    ...range,
    tz: zone,
    today: bounds.today,
    currency,
    ...showHeadline(days, range),
    days: showDays(days, range),
    topProducts: await showProducts(tx, kept, range, entriesOf('product').slice(0, topEntries)),
    devices: addPercents(entriesOf('device')).map(({ key, views, percent }) => ({
      device: key,
      views,
      percent,
    })),
    countries: addPercents(entriesOf('country'))
      .slice(0, topEntries)
      .map(({ key, views, percent }) => ({ country: key, views, percent })),
    referrers: entriesOf('referrer')
      .slice(0, topEntries)
      .map(({ key, views }) => ({ referrer: key, views })),
    otherCurrencies: entriesOf('currency')
      .filter(({ key }) => key !== currency)
      .map(({ key, cents, orders }) => ({ currency: key, revenue: formatCents(cents), orders })),
    before: before
      ? { ...before, ...showHeadline(days, before), days: showDays(days, before) }
      : null,
  }
}

type Kept = { zone: string; isShown: SQL; currency: string }

/** `first` is the first day with any figures. */
type Bounds = { first: string | null; today: string }

async function findBounds(tx: Db, { zone, isShown }: Kept): Promise<Bounds | undefined> {
  const { rows } = await tx.execute<Bounds>(sql`
    select (now() at time zone zone)::date::text as today,
      (select min(day)::text from analytics_days where zone = ${zone} and ${isShown}) as first
    from analytics_zones where zone = ${zone}`)
  return rows[0]
}

/** Without `from` the range begins on the first day, without `to` it ends today. */
function chooseRange({ from, to, last }: SummaryQuery, { first, today }: Bounds): Days {
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

type DayRow = {
  day: string
  views: number
  visitors: number
  started: number
  completed: number
  thanked: number
  orders: number
  /** Orders and revenue in the shop's currency. */
  ownOrders: number
  cents: number
  /** What went back of that. */
  returnedCents: number
}

async function listDays(tx: Db, kept: Kept, range: Days): Promise<DayRow[]> {
  const { zone, isShown, currency } = kept
  const isOwn = sql`kind = 'currency' and key = ${currency}`
  const { rows } = await tx.execute<DayRow>(sql`
    select day::text, sum(views)::int as views, sum(visitors)::int as visitors, sum(started)::int as started,
      sum(completed)::int as completed, sum(thanked)::int as thanked, sum(orders)::int as orders,
      coalesce(sum(orders) filter (where ${isOwn}), 0)::int as "ownOrders",
      coalesce(sum(revenue) filter (where ${isOwn}) * 100, 0)::float8 as cents,
      coalesce(sum(returned) filter (where ${isOwn}) * 100, 0)::float8 as "returnedCents"
    from analytics_days
    where zone = ${zone} and day between ${range.from} and ${range.to}
      and kind in ('total', 'currency') and ${isShown}
    group by day`)
  return rows
}

function showHeadline(days: DayRow[], { from, to }: Days): Headline {
  const inRange = days.filter(({ day }) => day >= from && day <= to)
  const sum = (of: Exclude<keyof DayRow, 'day'>) =>
    inRange.reduce((total, day) => total + day[of], 0)
  const gross = sum('cents')
  const cents = gross - sum('returnedCents')
  const ownOrders = sum('ownOrders')
  const views = sum('views')
  const completed = sum('completed')
  return {
    revenue: formatCents(cents),
    grossRevenue: formatCents(gross),
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
    const { cents = 0, returnedCents = 0, orders = 0, views = 0 } = known.get(day) ?? {}
    return { day, revenue: formatCents(cents - returnedCents), orders, views }
  })
}

/** The figures of one device, country, referrer, currency or product. */
type Entry = { kind: Kind; key: string; views: number; orders: number; cents: number }

async function listEntries(
  tx: Db,
  { zone, isShown, currency }: Kept,
  { from, to }: Days,
): Promise<Entry[]> {
  const { rows } = await tx.execute<Entry>(sql`
    select kind, key, views::int, orders::int, (revenue * 100)::float8 as cents from (
      select kind, key, sum(views) as views, sum(orders) as orders,
        greatest(sum(revenue - returned), 0) as revenue,
        row_number() over (partition by kind
          order by greatest(sum(revenue - returned), 0) desc, sum(orders) desc, sum(views) desc, key) as rank
      from analytics_days
      where zone = ${zone} and day between ${from} and ${to} and kind <> 'total' and ${isShown}
        and (kind <> 'product' or right(key, 3) = ${currency})
      group by kind, key) as entries
    where rank <= ${maxEntriesOfKind}
    order by kind, rank`)
  return rows
}

async function showProducts(
  tx: Db,
  kept: Kept,
  range: Days,
  entries: Entry[],
): Promise<AnalyticsSummary['topProducts']> {
  if (entries.length === 0) return []
  const sold = entries.map(({ key, orders, cents }) => {
    const [productId = ''] = key.split(':')
    return { productId, orders, revenue: formatCents(cents) }
  })
  const ids = sold.map(({ productId }) => productId)
  const rows = await tx
    .select({ id: products.id, name: products.name, choice: products.choice })
    .from(products)
    .where(inArray(products.id, ids))
  const names = new Map(rows.map(({ id, name }) => [id, name]))
  const chosen = rows.filter(({ choice }) => choice !== null).map(({ id }) => id)
  const values = await listValues(tx, kept, range, chosen)
  return sold.map(({ productId, orders, revenue }) => {
    const ofProduct = values.get(productId)?.map(({ value, orders: bought }) => ({
      value,
      orders: bought,
    }))
    const name = names.get(productId) ?? 'Unknown'
    return { productId, name, orders, revenue, ...(ofProduct && { values: ofProduct }) }
  })
}

type BoughtValue = { productId: string; value: string; orders: number }

/** How often each value was bought, by product. Not kept by day: few products have a choice, and an index finds their orders. */
async function listValues(
  tx: Db,
  { zone, isShown, currency }: Kept,
  { from, to }: Days,
  productIds: string[],
): Promise<Map<string, BoughtValue[]>> {
  if (productIds.length === 0) return new Map()
  const { rows } = await tx.execute<BoughtValue>(sql`
    select product_id as "productId", count(*)::int as orders,
      (array_agg(product -> 'choice' ->> 'value' order by created_at desc))[1] as value
    from orders
    where product_id = any(${sql.param(productIds)}::uuid[]) and currency = ${currency} and ${isShown}
      and created_at >= ${from}::timestamp at time zone ${zone}
      and created_at < (${to}::timestamp + interval '1 day') at time zone ${zone}
      and (product -> 'choice' ->> 'id') is not null
    group by product_id, product -> 'choice' ->> 'id' order by orders desc, value`)
  return Map.groupBy(rows, ({ productId }) => productId)
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
