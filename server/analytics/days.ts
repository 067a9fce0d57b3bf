import {
  otherReferrer,
  unknownCountry,
  unknownDevice,
  withoutReferrer,
} from '#contract/analytics.ts'
import { addDays, type Day, type Days } from '#contract/days.ts'
import { deleteInBatches } from '#server/db/batches.ts'
import type { Db } from '#server/db/database.ts'
import { sql, type SQL } from '#server/db/drizzle.ts'
import { selectDays, startOfDay } from '#server/db/time-zones.ts'

/*
 * Views, completions and started payments, counted per day of the shop's time zone. Days that ended more than a day ago are
 * counted once, into analytics_days (rollUpEvents). All other days are counted from the events whenever they are asked for,
 * so that no figure depends on when the roll-up ran.
 */

/** The time zone of the days, and the condition on is_test of what is shown. */
export type Shown = { zone: string; isShown: SQL }

/** What the counts of a day are grouped by. */
export type Kind = 'total' | 'device' | 'country' | 'referrer'

/** Anyone can claim any referring site, and each is a row of its day. */
const maxReferrersPerDay = 300
/** More than there are countries; of referrers only the top is shown. */
const maxEntriesOfKind = 300
/** A month in each statement, so that none takes longer with the years. */
const daysPerStatement = 31
/** The job in node_jobs whose `done_until` says before when events were deleted. */
const deletionJob = 'event-deletion'

const deletedBefore = sql`coalesce((select done_until from node_jobs where name = ${deletionJob}), '-infinity')`
/** Rows that cannot be counted again, since events of their day were deleted: they stay, whatever the time zone is later. */
const isFinal = sql`(${startOfDay(sql`(day + 1)`, sql`zone`)} <= ${deletedBefore})`

/** `liveFrom`: the first day that is not rolled up; null if none is. */
type LiveDays = { today: Day; liveFrom: Day | null }

export async function findLiveDays(db: Db, zone: string): Promise<LiveDays> {
  const { rows } = await db.execute<LiveDays>(sql`
    select (now() at time zone ${zone})::date::text as today,
      greatest((select max(day) + 1 from analytics_days where zone = ${zone}),
        (select (done_until at time zone ${zone})::date from node_jobs where name = ${deletionJob}))::text as "liveFrom"`)
  const [row] = rows
  if (!row) throw new Error('reading the days returned no row')
  return row
}

/** The first day with anything to count; null if there is none. */
export async function findFirstDay(db: Db, { zone, isShown }: Shown): Promise<Day | null> {
  const { rows } = await db.execute<{ day: Day | null }>(sql`
    select least(
      (select min(day) from analytics_days where (zone = ${zone} or ${isFinal}) and ${isShown}),
      (select (min(created_at) at time zone ${zone})::date from analytics_events
        where created_at >= ${deletedBefore} and is_counted and ${isShown}),
      (select (min(started_at) at time zone ${zone})::date from checkouts
        where started_at >= ${deletedBefore} and ${isShown}))::text as day`)
  return rows[0]?.day ?? null
}

export type DayCounts = {
  day: Day
  views: number
  visitors: number
  started: number
  completed: number
  thanked: number
}

/** The views by one device, from one country or referrer. */
export type Entry = { kind: Kind; key: string; views: number }

/** What happened on each of the days, and the views of each kind from `from` on, most views first. */
export async function listCounts(
  db: Db,
  { zone, isShown }: Shown,
  { liveFrom }: LiveDays,
  days: Days,
  from: Day,
): Promise<{ days: DayCounts[]; entries: Entry[] }> {
  const firstLive = liveFrom && liveFrom > days.from ? liveFrom : days.from
  const live = sql`union all (${countEvents(zone, { from: firstLive, to: days.to })})`
  const { rows } = await db.execute<DayCounts & Entry>(sql`
    select day::text, kind, key, views::int, visitors::int, started::int, completed::int, thanked::int from (
      select case kind when 'total' then day end as day, kind, key, sum(views) as views, sum(visitors) as visitors,
        sum(started) as started, sum(completed) as completed, sum(thanked) as thanked,
        row_number() over (partition by kind order by sum(views) desc, key) as rank
      from (
        select day, is_test, kind, key, ${countColumns} from analytics_days
        where day between ${days.from} and ${days.to} and (zone = ${zone} or ${isFinal})
        ${firstLive > days.to ? sql`` : live}
      ) as counts
      where (kind = 'total' or day >= ${from}) and ${isShown}
      group by 1, kind, key) as sums
    where kind = 'total' or rank <= ${maxEntriesOfKind} order by kind, rank`)
  return {
    days: rows.filter(({ kind }) => kind === 'total'),
    entries: rows.filter(({ kind }) => kind !== 'total'),
  }
}

const countColumns = sql.raw('views, visitors, started, completed, thanked')

/** Counts days from events and started payments, in one row for each key. */
function countEvents(zone: string, days: Days): SQL {
  return sql`
    with days as (
      select day, greatest(starts, ${deletedBefore}) as starts, ends from (${selectDays(days, zone)}) as days
    ), events as materialized (
      select day, events.* from days cross join lateral (
        select is_test, event_type, device_type, country, referrer, count(*) as times,
          count(*) filter (where is_new_visitor) as visitors
        from analytics_events where created_at >= starts and created_at < ends and is_counted
        group by is_test, event_type, device_type, country, referrer) as events
    ), views as (
      select * from events where event_type = 'checkout_view'
    ), started as (
      select day, started.* from days cross join lateral (
        select is_test, count(*) as times from checkouts where started_at >= starts and started_at < ends
        group by is_test) as started
    ), sites as (
      select day, is_test, coalesce(referrer, ${withoutReferrer}) as site, sum(times) as times,
        row_number() over (partition by day, is_test order by sum(times) desc, referrer) as rank
      from views group by day, is_test, referrer
    ), counts as (
      select day, is_test, 'total' as kind, '' as key,
        case event_type when 'checkout_view' then times else 0 end as views,
        case event_type when 'checkout_view' then visitors else 0 end as visitors,
        0 as started,
        case event_type when 'checkout_complete' then times else 0 end as completed,
        case event_type when 'thank_you_view' then times else 0 end as thanked
      from events
      union all select day, is_test, 'total', '', 0, 0, times, 0, 0 from started
      union all select day, is_test, 'device', coalesce(device_type, ${unknownDevice}), times, 0, 0, 0, 0 from views
      union all select day, is_test, 'country', coalesce(country, ${unknownCountry}), times, 0, 0, 0, 0 from views
      union all select day, is_test, 'referrer', case when rank <= ${maxReferrersPerDay} then site else ${otherReferrer} end,
        times, 0, 0, 0, 0 from sites
    )
    select day, is_test, kind, key, sum(views) as views, sum(visitors) as visitors, sum(started) as started,
      sum(completed) as completed, sum(thanked) as thanked
    from counts group by day, is_test, kind, key`
}

/**
 * Rolls up all days that ended more than a day ago, so that events which were written around midnight are there. Days of an
 * earlier time zone are counted anew in this one, as far as their events still exist. Run again, or at the same time, it
 * adds nothing; where it was interrupted, it goes on.
 */
export async function rollUpEvents(db: Db, zone: string): Promise<void> {
  await db.execute(sql`delete from analytics_days where zone <> ${zone} and not ${isFinal}`)
  const { today, liveFrom } = await findLiveDays(db, zone)
  const first = liveFrom ?? (await findFirstDay(db, { zone, isShown: sql`true` }))
  const last = addDays(today, -2)
  for (let from = first; from && from <= last; from = addDays(from, daysPerStatement)) {
    const end = addDays(from, daysPerStatement - 1)
    const counted = countEvents(zone, { from, to: end < last ? end : last })
    await db.execute(sql`
      insert into analytics_days (zone, day, is_test, kind, key, ${countColumns})
      select ${zone}, counted.* from (${counted}) as counted on conflict do nothing`)
  }
}

/** Deletes events from before so many days, once they are rolled up: the counts of their days stay. */
export async function deleteOldEvents(db: Db, days: number, zone: string): Promise<number> {
  const { today, liveFrom } = await findLiveDays(db, zone)
  if (!liveFrom) return 0
  const oldest = addDays(today, -days)
  const keptFrom = oldest < liveFrom ? oldest : liveFrom
  const { rows } = await db.execute<{ before: string }>(sql`
    insert into node_jobs as job (name, done_until)
    values (${deletionJob}, ${startOfDay(sql`${keptFrom}`, sql`${zone}`)})
    on conflict (name) do update set done_until = greatest(job.done_until, excluded.done_until)
    returning done_until::text as before`)
  // The time is given as a value: PostgreSQL would expect many older events if it had to look it up, and read them all.
  return deleteInBatches(
    db,
    sql`analytics_events`,
    sql`created_at < ${rows[0]?.before}::timestamptz`,
  )
}

/** For code that writes events of the past directly: all days are counted anew. */
export async function deleteDays(db: Db): Promise<void> {
  await db.execute(sql`delete from analytics_days`)
  await db.execute(sql`delete from node_jobs where name = ${deletionJob}`)
}

/** Of test mode; its events are deleted before. */
export async function deleteTestDays(db: Db): Promise<void> {
  await db.execute(sql`delete from analytics_days where is_test`)
}
