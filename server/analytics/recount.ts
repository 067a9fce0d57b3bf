import type { Db } from '#server/db/database.ts'
import { sql, type SQL } from '#server/db/drizzle.ts'
import { figuresOfEvents } from './figures.ts'

const summed = sql.raw(`day, kind, key, sum(views)::int as views, sum(started)::int as started,
  sum(completed)::int as completed, sum(thanked)::int as thanked, sum(orders)::int as orders,
  sum(revenue) as revenue`)

/**
 * The figures of days, counted anew from what really happened: events, payments that were started, and orders.
 * `within` says which moments are counted.
 */
export function countAnew(zone: string, within: (moment: SQL) => SQL): SQL {
  const created = sql`created_at`
  const started = sql`started_at`
  const dayOf = (moment: SQL) => sql`(${moment} at time zone ${zone})::date`
  return sql`
    with events as materialized (
      select ${dayOf(created)} as day, event_type, device_type, country, referrer, count(*) as times
      from analytics_events where ${within(created)} and (event_type = 'checkout_view'
        or exists (select from orders where orders.id = analytics_events.order_id))
      group by 1, 2, 3, 4, 5
    ), starts as (
      select ${dayOf(started)} as day, count(*) as times
      from checkouts where ${within(started)} group by 1
    ), sold as (
      select ${dayOf(created)} as day, product_id, currency, count(*) as times, sum(amount) as revenue
      from orders where ${within(created)} group by 1, 2, 3
    ), counts as (
      ${figuresOfEvents(sql`events`)}
      union all select day, 'total', '', 0, times, 0, 0, 0, 0 from starts
      union all select day, 'currency', currency, 0, 0, 0, 0, times, revenue from sold
      union all select day, 'product', product_id || ':' || currency, 0, 0, 0, 0, times, revenue
        from sold
    )
    select ${summed} from counts group by day, kind, key`
}

export type Difference = {
  zone: string
  day: string
  kind: string
  key: string
  /** views/started/completed/thanked/orders/revenue; null where there is no such row. */
  kept: string | null
  counted: string | null
}

/** All kept figures beside what a recount finds. Both are read at one moment, while the shop goes on. */
export async function compareWithRecount(
  db: Db,
): Promise<{ rows: number; differences: Difference[] }> {
  return db.transaction(
    async (tx) => {
      const { rows: zones } = await tx.execute<{ zone: string }>(
        sql`select zone from analytics_zones order by zone`,
      )
      const found = { rows: 0, differences: [] as Difference[] }
      for (const { zone } of zones) {
        for (const { from, to } of await slicesOf(tx, zone)) {
          const slice = await compareDays(tx, zone, from, to)
          found.rows += slice.rows
          found.differences.push(...slice.differences)
        }
      }
      return found
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  )
}

const daysAtOnce = 92

/** A quarter at a time, so that no statement takes longer with the years. */
async function slicesOf(tx: Db, zone: string): Promise<{ from: string; to: string }[]> {
  const { rows } = await tx.execute<{ from: string; to: string }>(sql`
    select first::date::text as from, (first + make_interval(days => ${daysAtOnce}))::date::text as to
    from generate_series(
      (select least(
        (select (min(created_at) at time zone ${zone})::date from analytics_events),
        (select (min(started_at) at time zone ${zone})::date from checkouts),
        (select (min(created_at) at time zone ${zone})::date from orders),
        (select min(day) from analytics_days where zone = ${zone}))),
      (select greatest((now() at time zone ${zone})::date,
        (select max(day) from analytics_days where zone = ${zone}))),
      make_interval(days => ${daysAtOnce})) as first`)
  return rows
}

async function compareDays(tx: Db, zone: string, from: string, to: string) {
  const day = (moment: SQL) => sql`(${moment} at time zone ${zone})::date`
  // No clock is two days away from another: so an index finds what the day then decides about.
  const within = (moment: SQL) => sql`${moment} >= ${from}::date - interval '2 days'
    and ${moment} < ${to}::date + interval '2 days'
    and ${day(moment)} >= ${from}::date and ${day(moment)} < ${to}::date`
  const figures = (of: SQL) => sql`concat_ws('/', ${of}.views, ${of}.started, ${of}.completed,
    ${of}.thanked, ${of}.orders, ${of}.revenue::numeric(14, 2))`
  const { rows } = await tx.execute<Difference>(sql`
    select ${zone} as zone, day::text, kind, key,
      case when kept.views is not null then ${figures(sql`kept`)} end as kept,
      case when counted.views is not null then ${figures(sql`counted`)} end as counted
    from (${countAnew(zone, within)}) as counted full join (
      select ${summed} from analytics_days
      where zone = ${zone} and day >= ${from}::date and day < ${to}::date
      group by day, kind, key) as kept using (day, kind, key)`)
  return { rows: rows.length, differences: rows.filter(({ kept, counted }) => kept !== counted) }
}
