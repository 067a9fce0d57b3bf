import { Refusal } from '#contract/refusals.ts'
import { deleteInBatches } from '#server/db/batches.ts'
import type { Db } from '#server/db/database.ts'
import { sql } from '#server/db/drizzle.ts'
import { addToKnown, figureColumns, figureSums } from './figures.ts'
import { deletionJob, lastIncompleteDay, selectRecount } from './recount.ts'

/** An owner uses one time zone, or two while travelling; each that is kept makes every sale a little slower. */
const maxZones = 8
/** No transaction of the shop takes this long, so nothing older will still be written. */
const finalAfterMinutes = 10
/** A quarter per statement, so that none takes longer with the years. */
const sliceMs = 92 * 24 * 60 * 60 * 1000
/** Advisory lock for filling a zone or changing the past. Taken before the lock on the figures. */
export const historyLock = 7_411_007

/** For how long the deletion of events waits for an owner who has no figures yet, or whose figures an update deleted. */
const graceDays = 30
const graceJob = 'event-deletion-grace'

/**
 * Deletes events from before so many days; the figures of their days stay, and a zone that is asked for later takes over those
 * of another. Without any figures the owner's zone is not known: they get a month to look at Analytics, then days are UTC's.
 */
export async function deleteOldEvents(db: Db, days: number): Promise<number> {
  const isOld = sql`created_at < now() - make_interval(days => ${days})`
  const { rows: old } = await db.execute(sql`select from analytics_events where ${isOld} limit 1`)
  if (old.length === 0) return 0
  const { rows: zones } = await db.execute(sql`select from analytics_zones limit 1`)
  if (zones.length === 0) {
    if (await isInGrace(db)) return 0
    await addZone(db, 'UTC')
  }
  await db.transaction(async (tx) => {
    await lockHistory(tx)
    await tx.execute(sql`
      insert into node_jobs as job (name, done_until) values (${deletionJob}, now() - make_interval(days => ${days}))
      on conflict (name) do update set done_until = greatest(job.done_until, excluded.done_until)`)
  })
  const isDeletable = sql`created_at < (select done_until from node_jobs where name = ${deletionJob})`
  return deleteInBatches(db, sql`analytics_events`, isDeletable)
}

async function isInGrace(db: Db): Promise<boolean> {
  await db.execute(sql`
    insert into node_jobs (name, held_until) values (${graceJob}, now() + make_interval(days => ${graceDays}))
    on conflict do nothing`)
  const { rows } = await db.execute(
    sql`select from node_jobs where name = ${graceJob} and held_until > now()`,
  )
  return rows.length > 0
}

/** Keeps the figures of this zone from now on; the past is counted once, now. */
export async function ensureZone(db: Db, zone: string): Promise<void> {
  const { rows } = await db.execute<{ isFresh: boolean }>(sql`
    select used_at > now() - interval '1 hour' as "isFresh" from analytics_zones where zone = ${zone}`)
  if (rows[0]?.isFresh) return
  if (!rows[0]) return addZone(db, zone)
  await db.execute(sql`update analytics_zones set used_at = now() where zone = ${zone}`)
}

/** Replaces the zone's figures with a recount, except those of days whose events were deleted. */
export async function rebuildZone(db: Db, zone: string): Promise<void> {
  await db.transaction(async (tx) => {
    await lockHistory(tx)
    await lockFigures(tx)
    await deleteCountable(tx, zone)
  })
  await addZone(db, zone)
}

/** Changes what figures are counted from. Those that can be counted again are, when they are next asked for. */
export async function recountAfter(db: Db, change: (tx: Db) => Promise<void>): Promise<void> {
  await db.transaction(async (tx) => {
    await lockHistory(tx)
    await lockFigures(tx)
    await change(tx)
    const { rows } = await tx.execute<{ zone: string }>(sql`select zone from analytics_zones`)
    for (const { zone } of rows) await deleteCountable(tx, zone)
  })
}

async function deleteCountable(tx: Db, zone: string): Promise<void> {
  await tx.execute(sql`delete from analytics_zones where zone = ${zone}`)
  await tx.execute(sql`delete from analytics_days where zone = ${zone}
    and day > coalesce(${lastIncompleteDay(zone)}, '-infinity')`)
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
    await tx.execute(sql`delete from analytics_visits where is_test`)
    await tx.execute(sql`delete from analytics_days where is_test`)
  })
}

async function lockHistory(tx: Db): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${historyLock})`)
}

/**
 * Makes writers of figures wait. PostgreSQL takes a table's lock before the snapshot of the statement: so each event is
 * either among those a new zone is filled from, or its statement sees the zone.
 */
async function lockFigures(tx: Db): Promise<void> {
  // Sales wait behind this lock: rather fail a summary than make them wait for a vacuum.
  await tx.execute(sql`set local lock_timeout = '2s'`)
  await tx.execute(sql`lock table analytics_days in share row exclusive mode`)
}

/** What this process is filling, per database. */
const filling = new WeakMap<Db, { zones: Map<string, Promise<void>>; last: Promise<unknown> }>()

/** One zone at a time. Requests for the same zone wait without a connection, which buyers need. */
function addZone(db: Db, zone: string): Promise<void> {
  const queue = filling.get(db) ?? {
    zones: new Map<string, Promise<void>>(),
    last: Promise.resolve(),
  }
  filling.set(db, queue)
  const pending = queue.zones.get(zone)
  if (pending) return pending
  const adding = queue.last.then(() => fillZone(db, zone)).finally(() => queue.zones.delete(zone))
  queue.zones.set(zone, adding)
  queue.last = adding.catch(() => {})
  return adding
}

/** Writers wait only while the last minutes are counted. All in one transaction: a crash leaves nothing behind. */
async function fillZone(db: Db, zone: string): Promise<void> {
  await db.transaction(async (tx) => {
    await lockHistory(tx)
    const { rows: known } = await tx.execute(sql`select from analytics_zones where zone = ${zone}`)
    if (known.length > 0) return
    await copyIncompleteDays(tx, zone)
    const { first, final } = await getHistory(tx, zone)
    for (let since = first; since < final;) {
      const until = new Date(Math.min(since.getTime() + sliceMs, final.getTime()))
      await fillRange(tx, zone, since, until)
      since = until
    }
    await lockFigures(tx)
    await fillRange(tx, zone, first < final ? final : first)
    await tx.execute(sql`insert into analytics_zones (zone) values (${zone})`)
    const { rows: unused } = await tx.execute<{ zone: string }>(
      sql`select zone from analytics_zones where zone <> ${zone}
        order by used_at desc offset ${maxZones - 1}`,
    )
    await deleteZones(
      tx,
      unused.map(({ zone }) => zone),
    )
  })
}

/** Days whose events were deleted come from the zone used last: its days begin some hours earlier or later. */
async function copyIncompleteDays(tx: Db, zone: string): Promise<void> {
  await tx.execute(sql`
    insert into analytics_days (zone, day, kind, key, is_test, shard, ${figureColumns})
    select ${zone}, day, kind, key, is_test, 0, ${figureSums} from analytics_days
    where zone = (select zone from analytics_zones where zone <> ${zone} order by used_at desc limit 1)
      and day <= ${lastIncompleteDay(zone)}
      and not exists (select from analytics_days where zone = ${zone} and day <= ${lastIncompleteDay(zone)})
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

async function fillRange(tx: Db, zone: string, since: Date, until?: Date): Promise<void> {
  const recount = selectRecount(zone, (time) =>
    until ? sql`${time} >= ${since} and ${time} < ${until}` : sql`${time} >= ${since}`,
  )
  await tx.execute(sql`
    insert into analytics_days as known (zone, day, kind, key, is_test, shard, ${figureColumns})
    select ${zone}, day, kind, key, is_test, 0, ${figureColumns} from (${recount}) as recount
    on conflict (zone, day, kind, key, is_test, shard) do update set ${addToKnown}`)
}

async function deleteZones(tx: Db, zones: string[]): Promise<void> {
  for (const zone of zones) {
    await tx.execute(sql`delete from analytics_zones where zone = ${zone}`)
    await tx.execute(sql`delete from analytics_days where zone = ${zone}`)
  }
}

/** Whether it names a zone. Offsets like +05:30 do not: PostgreSQL reads their sign the other way round. */
export function isZoneName(name: string): boolean {
  if (!/^[A-Za-z][\w+/-]{1,63}$/.test(name)) return false
  try {
    return Boolean(getIntlName(name))
  } catch {
    return false
  }
}

/** Cached, since PostgreSQL reads a file for each of some six hundred zones to list them. */
const zoneNames = new Map<string, string>()

/** The one name under which the figures of a zone are kept, however it was written. */
export async function getZoneName(db: Db, requested: string): Promise<string> {
  const known = zoneNames.get(requested.toLowerCase())
  if (known) return known
  const { rows } = await db.execute<{ name: string }>(
    sql`select name from pg_timezone_names where lower(name) = lower(${requested}) limit 1`,
  )
  const [listed] = rows
  // Browsers know zones that PostgreSQL does not.
  if (!listed) throw new Refusal('bad-request', { text: 'There is no such time zone.' })
  // PostgreSQL reads CET as an abbreviation without summer time; for browsers it is Europe/Brussels.
  const zone = listed.name.includes('/') ? listed.name : getIntlName(listed.name)
  zoneNames.set(requested.toLowerCase(), zone)
  return zone
}

function getIntlName(zone: string): string {
  return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone
}
