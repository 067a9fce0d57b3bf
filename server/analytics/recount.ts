import type { Db } from '#server/db/database.ts'
import { sql, type SQL } from '#server/db/drizzle.ts'
import { isCountedEvent } from './events.ts'
import {
  figureNames,
  figureSums,
  moneyFigures,
  selectEventFigures,
  selectFigures,
  unionAll,
} from './figures.ts'

/** The zone whose days the figures are of; undefined until somebody has looked at Analytics. */
export async function findKeptZone(db: Db): Promise<string | undefined> {
  const { rows } = await db.execute<{ zone: string }>(
    sql`select zone from analytics_zones order by used_at desc limit 1`,
  )
  return rows[0]?.zone
}

/** The job in node_jobs whose `done_until` says before when events were deleted. */
export const deletionJob = 'event-deletion'

/**
 * The last day of a zone whose events are not all there any more, as SQL; null if none were deleted. Its figures, and those
 * before it, cannot be counted again.
 */
export function lastIncompleteDay(zone: string): SQL {
  return sql`(select (done_until at time zone ${zone})::date from node_jobs where name = ${deletionJob})`
}

/** What went back of the orders of each day, by what is known of their payments. `isWithin`: the condition on the order's time. */
export function selectReturned(zone: string, isWithin: (time: SQL) => SQL): SQL {
  const returned = sql`returned`
  const productKey = sql`product_id || ':' || currency`
  return sql`
    with returns as (
      select (placed.created_at at time zone ${zone})::date as day, placed.is_test, placed.product_id, placed.currency,
        sum(least(paid.amount, paid.refunded + paid.charged_back)) as returned
      from payments as paid join orders as placed on placed.sumup_transaction_id = paid.transaction_id
      where paid.refunded + paid.charged_back > 0 and ${isWithin(sql`placed.created_at`)}
      group by day, placed.is_test, placed.product_id, placed.currency
    ), figures as (${unionAll([
      selectFigures({ kind: 'currency', key: sql`currency`, returned }, sql`returns`),
      selectFigures({ kind: 'product', key: productKey, returned }, sql`returns`),
    ])})
    select day, is_test, kind, key, ${figureSums} from figures group by day, is_test, kind, key`
}

/**
 * The figures of each day but what went back, counted from events, started payments and orders. `isWithin` is the condition on the time of
 * what is counted.
 */
export function selectRecount(zone: string, isWithin: (time: SQL) => SQL): SQL {
  const created = sql`created_at`
  const started = sql`started_at`
  const dayOf = (time: SQL) => sql`(${time} at time zone ${zone})::date`
  const sold = { orders: sql`times`, revenue: sql`amount` }
  const productKey = sql`product_id || ':' || currency`
  const figures = unionAll([
    selectEventFigures(sql`events`),
    selectFigures({ kind: 'total', started: sql`times` }, sql`starts`),
    selectFigures({ kind: 'currency', key: sql`currency`, ...sold }, sql`sales`),
    selectFigures({ kind: 'product', key: productKey, ...sold }, sql`sales`),
  ])
  return sql`
    with events as materialized (
      select ${dayOf(created)} as day, is_test, event_type, device_type, country, referrer, count(*) as times,
        count(*) filter (where is_new_visitor) as visitors
      from analytics_events where ${isWithin(created)} and (event_type = 'checkout_view'
        or ${isCountedEvent(sql`analytics_events`)})
      group by day, is_test, event_type, device_type, country, referrer
    ), starts as (
      select ${dayOf(started)} as day, is_test, count(*) as times
      from checkouts where ${isWithin(started)} group by day, is_test
    ), sales as (
      select ${dayOf(created)} as day, is_test, product_id, currency, count(*) as times, sum(amount) as amount
      from orders where ${isWithin(created)} group by day, is_test, product_id, currency
    ), figures as (${figures})
    select day, is_test, kind, key, ${figureSums} from figures group by day, is_test, kind, key`
}

export type Difference = {
  day: string
  kind: string
  key: string
  isTest: boolean
  /** The figures in the order of figureNames, separated by slashes; null if there is no such row. */
  kept: string | null
  counted: string | null
}

/** Compares all kept figures that can be counted again, both in one snapshot, while the shop goes on. */
export async function compareWithRecount(
  db: Db,
  onProgress: (done: number, total: number) => void = () => {},
): Promise<{ rows: number; differences: Difference[] }> {
  return db.transaction(
    async (tx) => {
      const zone = await findKeptZone(tx)
      const found = { rows: 0, differences: [] as Difference[] }
      if (!zone) return found
      const slices = await listSlices(tx, zone)
      for (const [index, { from, to }] of slices.entries()) {
        const rows = await compareDays(tx, zone, from, to)
        found.rows += rows.length
        found.differences.push(...rows.filter(({ kept, counted }) => kept !== counted))
        onProgress(index + 1, slices.length)
      }
      return found
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  )
}

/** A quarter per statement, so that none takes longer with the years. */
const daysPerSlice = 92

async function listSlices(tx: Db, zone: string): Promise<{ from: string; to: string }[]> {
  const { rows } = await tx.execute<{ from: string; to: string }>(sql`
    select first::date::text as from, (first + make_interval(days => ${daysPerSlice}))::date::text as to
    from generate_series(
      (select greatest(${lastIncompleteDay(zone)} + 1, least(
        (select (min(created_at) at time zone ${zone})::date from analytics_events),
        (select (min(started_at) at time zone ${zone})::date from checkouts),
        (select (min(created_at) at time zone ${zone})::date from orders),
        (select min(day) from analytics_days where zone = ${zone})))),
      (select greatest((now() at time zone ${zone})::date,
        (select max(day) from analytics_days where zone = ${zone}))),
      make_interval(days => ${daysPerSlice})) as first`)
  return rows
}

async function compareDays(tx: Db, zone: string, from: string, to: string): Promise<Difference[]> {
  const dayOf = (time: SQL) => sql`(${time} at time zone ${zone})::date`
  // No zone is two days away from another: the wider condition uses the index, the exact one decides.
  const isWithin = (time: SQL) => sql`${time} >= ${from}::date - interval '2 days'
    and ${time} < ${to}::date + interval '2 days'
    and ${dayOf(time)} >= ${from}::date and ${dayOf(time)} < ${to}::date`
  const formatFigures = (table: string) =>
    sql.raw(`case when ${table}.views is not null then concat_ws('/',
      ${figureNames.map((name) => `${table}.${name}${moneyFigures.has(name) ? '::numeric(14, 2)' : ''}`).join(', ')}) end`)
  const { rows } = await tx.execute<Difference>(sql`
    select day::text, kind, key, is_test as "isTest",
      ${formatFigures('kept')} as kept, ${formatFigures('counted')} as counted
    from (select day, is_test, kind, key, ${figureSums} from (
        select * from (${selectRecount(zone, isWithin)}) as recount
        union all select * from (${selectReturned(zone, isWithin)}) as returned) as both_counts
      group by day, is_test, kind, key) as counted full join (
      select day, kind, key, is_test, ${figureSums} from analytics_days
      where zone = ${zone} and day >= ${from}::date and day < ${to}::date
      group by day, kind, key, is_test) as kept using (day, kind, key, is_test)`)
  return rows
}
