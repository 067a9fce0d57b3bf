import { deleteInBatches } from '#server/db/batches.ts'
import type { Db } from '#server/db/database.ts'
import { sql, type SQL } from '#server/db/drizzle.ts'
import { getZoneName } from '#server/db/time-zones.ts'
import { addToKnown, figureColumns, figureSums } from './figures.ts'
import {
  deletionJob,
  findKeptZone,
  lastIncompleteDay,
  selectRecount,
  selectReturned,
} from './recount.ts'

/* The figures of each day in the shop's time zone: kept from when they are first asked for, and counted anew. */

/** No transaction of the shop takes this long, so nothing older will still be written. */
const finalAfterMinutes = 10
/** A quarter per statement, so that none takes longer with the years. */
const sliceMs = 92 * 24 * 60 * 60 * 1000
/** Advisory lock for counting or changing the past. Taken before the lock on the figures. */
export const historyLock = 7_411_007

/** What this process is counting, per database. */
const counting = new WeakMap<Db, Promise<void>>()

/**
 * Keeps the figures of days in this zone from now on, and of no other; the past is counted once, now. Requests that come
 * meanwhile wait without a connection, which buyers need.
 */
export async function keepFigures(db: Db, zone: string): Promise<void> {
  if (await isKept(db, zone)) return
  const pending = counting.get(db)
  if (pending) {
    await pending
    return keepFigures(db, zone)
  }
  const counted = countPast(db, zone).finally(() => counting.delete(db))
  counting.set(db, counted)
  return counted
}

async function isKept(db: Db, zone: string): Promise<boolean> {
  const { rows } = await db.execute(sql`select from analytics_zones where zone = ${zone}`)
  return rows.length > 0
}

/** Replaces the figures with a recount, except those of days whose events were deleted. */
export async function rebuildFigures(db: Db): Promise<void> {
  const zone = await findKeptZone(db)
  if (!zone) return
  await recountAfter(db, async () => {})
  await keepFigures(db, zone)
}

/** Changes what figures are counted from. Those that can be counted again are, when they are next asked for. */
export async function recountAfter(db: Db, change: (tx: Db) => Promise<void>): Promise<void> {
  await db.transaction(async (tx) => {
    await lockHistory(tx)
    await lockFigures(tx)
    await change(tx)
    const zone = await findKeptZone(tx)
    if (!zone) return
    await tx.execute(sql`delete from analytics_zones`)
    await tx.execute(sql`delete from analytics_days where zone <> ${zone}
      or day > coalesce(${lastIncompleteDay(zone)}, '-infinity')`)
  })
}

/** For code that writes past events or orders directly: figures are counted again when they are next asked for. */
export async function deleteFigures(db: Db): Promise<void> {
  await db.transaction(async (tx) => {
    await lockHistory(tx)
    await lockFigures(tx)
    await tx.execute(sql`delete from analytics_zones`)
    await tx.execute(sql`delete from analytics_days`)
    await tx.execute(sql`delete from node_jobs where name = ${deletionJob}`)
  })
}

/** Deletes the figures of test mode with what they are counted from, while nobody counts. */
export async function deleteTestFigures(
  db: Db,
  deleteCounted: (tx: Db) => Promise<void>,
): Promise<void> {
  await db.transaction(async (tx) => {
    await lockHistory(tx)
    await lockFigures(tx)
    await deleteCounted(tx)
    await tx.execute(sql`delete from analytics_days where is_test`)
  })
}

/** Deletes events from before so many days, once they are counted: the figures of their days stay. */
export async function deleteOldEvents(db: Db, days: number, timeZone: string): Promise<number> {
  const isOld = sql`created_at < now() - make_interval(days => ${days})`
  const { rows: old } = await db.execute(sql`select from analytics_events where ${isOld} limit 1`)
  if (old.length === 0) return 0
  await keepFigures(db, await getZoneName(db, timeZone))
  await db.transaction(async (tx) => {
    await lockHistory(tx)
    await tx.execute(sql`
      insert into node_jobs as job (name, done_until) values (${deletionJob}, now() - make_interval(days => ${days}))
      on conflict (name) do update set done_until = greatest(job.done_until, excluded.done_until)`)
  })
  const isDeletable = sql`created_at < (select done_until from node_jobs where name = ${deletionJob})`
  return deleteInBatches(db, sql`analytics_events`, isDeletable)
}

async function deleteAllBut(tx: Db, zone: string): Promise<void> {
  await tx.execute(sql`delete from analytics_zones where zone <> ${zone}`)
  await tx.execute(sql`delete from analytics_days where zone <> ${zone}`)
}

async function lockHistory(tx: Db): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${historyLock})`)
}

/**
 * Makes writers of figures wait. PostgreSQL takes a table's lock before the snapshot of the statement: so each event is
 * either among those that are counted, or its statement sees the zone.
 */
async function lockFigures(tx: Db): Promise<void> {
  // Sales wait behind this lock: rather fail a summary than make them wait for a vacuum.
  await tx.execute(sql`set local lock_timeout = '2s'`)
  await tx.execute(sql`lock table analytics_days in share row exclusive mode`)
}

/** Writers wait only while the last minutes are counted. All in one transaction: a crash leaves nothing behind. */
async function countPast(db: Db, zone: string): Promise<void> {
  await db.transaction(async (tx) => {
    await lockHistory(tx)
    // Another node may have counted meanwhile.
    if (await isKept(tx, zone)) return
    await takeOverIncompleteDays(tx, zone)
    const { first, final } = await getHistory(tx, zone)
    for (let since = first; since < final;) {
      const until = new Date(Math.min(since.getTime() + sliceMs, final.getTime()))
      await countRange(tx, zone, since, until)
      since = until
    }
    await lockFigures(tx)
    await countRange(tx, zone, first < final ? final : first)
    // At last and of all days: money of the oldest order may go back while others are counted, or while no zone is kept.
    await tx.execute(
      sql`update analytics_days set returned = 0 where zone = ${zone} and returned <> 0`,
    )
    await addCounted(
      tx,
      zone,
      selectReturned(zone, () => sql`true`),
    )
    await deleteAllBut(tx, zone)
    await tx.execute(sql`insert into analytics_zones (zone) values (${zone})`)
  })
}

/** Days whose events were deleted keep the figures of the zone before: its days begin some hours earlier or later. */
async function takeOverIncompleteDays(tx: Db, zone: string): Promise<void> {
  const isIncomplete = sql`day <= ${lastIncompleteDay(zone)}`
  await tx.execute(sql`
    insert into analytics_days (zone, day, kind, key, is_test, shard, ${figureColumns})
    select ${zone}, day, kind, key, is_test, 0, ${figureSums} from analytics_days
    where ${isIncomplete} and zone <> ${zone} and zone = (
      select zone from analytics_days left join analytics_zones using (zone) where ${isIncomplete}
      order by zone = ${zone} desc, used_at desc nulls last limit 1)
    group by day, kind, key, is_test`)
}

/** When anything first happened that can be counted, and until when nothing more will be written. */
async function getHistory(tx: Db, zone: string): Promise<{ first: Date; final: Date }> {
  const countable = sql`((${lastIncompleteDay(zone)} + 1)::timestamp at time zone ${zone})`
  const { rows } = await tx.execute<{ first: string; final: string }>(sql`
    select extract(epoch from final) * 1000 as final, extract(epoch from coalesce(greatest(least(
      (select min(created_at) from analytics_events),
      (select min(started_at) from checkouts),
      (select min(created_at) from orders)), ${countable}), final)) * 1000 as first
    from (select clock_timestamp() - make_interval(mins => ${finalAfterMinutes})) as past (final)`)
  const [row] = rows
  if (!row) throw new Error('reading the history returned no row')
  const toDate = (ms: string) => new Date(Math.floor(Number(ms)))
  return { first: toDate(row.first), final: toDate(row.final) }
}

async function countRange(tx: Db, zone: string, since: Date, until?: Date): Promise<void> {
  const recount = selectRecount(zone, (time) =>
    until ? sql`${time} >= ${since} and ${time} < ${until}` : sql`${time} >= ${since}`,
  )
  await addCounted(tx, zone, recount)
}

async function addCounted(tx: Db, zone: string, counted: SQL): Promise<void> {
  await tx.execute(sql`
    insert into analytics_days as known (zone, day, kind, key, is_test, shard, ${figureColumns})
    select ${zone}, day, kind, key, is_test, 0, ${figureColumns} from (${counted}) as counted
    on conflict (zone, day, kind, key, is_test, shard) do update set ${addToKnown}`)
}
