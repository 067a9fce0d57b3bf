import type { Db } from '#server/db/database.ts'
import { sql } from '#server/db/drizzle.ts'
import { addUp } from './figures.ts'
import { countAnew } from './recount.ts'

/** An owner has one zone, or two on a journey; each that is kept costs every sale a little. */
const mostZones = 8
/** No transaction of the shop takes this long, so nothing older than this is still to come. */
const finalAfterMinutes = 10
/** A quarter at a time, so that no statement takes longer with the years. */
const sliceMs = 92 * 24 * 60 * 60 * 1000
/** Whoever counts a zone's past holds this one alone, and so does whoever changes the past. Taken before the figures. */
export const pastLock = 7_411_007

/** From here on the figures of this zone are kept; those of its past are counted once, now. */
export async function ensureZone(db: Db, zone: string): Promise<void> {
  const { rows } = await db.execute<{ isFresh: boolean }>(sql`
    select used_at > now() - interval '1 hour' as "isFresh" from analytics_zones where zone = ${zone}`)
  if (rows[0]?.isFresh) return
  if (!rows[0]) return addZone(db, zone)
  await db.execute(sql`update analytics_zones set used_at = now() where zone = ${zone}`)
}

/** The zone's figures are counted anew. */
export async function rebuildZone(db: Db, zone: string): Promise<void> {
  await db.transaction(async (tx) => {
    await lockPast(tx)
    await dropZones(tx, [zone])
  })
  await addZone(db, zone)
}

/** For whoever writes events or orders past the shop's own code: figures are counted anew when they are next asked for. */
export async function forgetFigures(db: Db): Promise<void> {
  await db.transaction(async (tx) => {
    await lockPast(tx)
    await tx.execute(sql`delete from analytics_zones`)
    await tx.execute(sql`delete from analytics_days`)
  })
}

async function lockPast(tx: Db): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${pastLock})`)
  await holdFigures(tx)
}

/**
 * Whoever changes figures waits from here on, and has changed them or not begun to. PostgreSQL takes a table's lock
 * before it looks at the data: so what happened is either among what a new zone is filled from, or its statement knows
 * of the zone.
 */
async function holdFigures(tx: Db): Promise<void> {
  // Sales wait behind it: better that a summary is asked for again than that they wait for a vacuum.
  await tx.execute(sql`set local lock_timeout = '2s'`)
  await tx.execute(sql`lock table analytics_days in share row exclusive mode`)
}

type Counting = { zones: Map<string, Promise<void>>; last: Promise<unknown> }

/** What this process counts, for each database it has. */
const counting = new WeakMap<Db, Counting>()

/** One zone at a time, and whoever asks for the same one waits for it without a connection: buyers need those. */
function addZone(db: Db, zone: string): Promise<void> {
  const queue = counting.get(db) ?? { zones: new Map(), last: Promise.resolve() }
  counting.set(db, queue)
  const begun = queue.zones.get(zone)
  if (begun) return begun
  const adding = queue.last.then(() => countZone(db, zone)).finally(() => queue.zones.delete(zone))
  queue.zones.set(zone, adding)
  queue.last = adding.catch(() => {})
  return adding
}

/**
 * The long past is counted while the shop goes on; only for the last minutes everyone who writes waits. A node that is
 * killed over it leaves nothing behind.
 */
async function countZone(db: Db, zone: string): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${pastLock})`)
    const { rows: known } = await tx.execute(sql`select from analytics_zones where zone = ${zone}`)
    if (known.length > 0) return
    const { first, final } = await readPast(tx)
    for (let since = first; since < final;) {
      const until = new Date(Math.min(since.getTime() + sliceMs, final.getTime()))
      await fill(tx, zone, since, until)
      since = until
    }
    await holdFigures(tx)
    await fill(tx, zone, first < final ? final : first)
    await tx.execute(sql`insert into analytics_zones (zone) values (${zone})`)
    const { rows: leaving } = await tx.execute<{ zone: string }>(
      sql`select zone from analytics_zones where zone <> ${zone}
        order by used_at desc offset ${mostZones - 1}`,
    )
    await dropZones(
      tx,
      leaving.map((left) => left.zone),
    )
  })
}

async function readPast(tx: Db): Promise<{ first: Date; final: Date }> {
  const { rows } = await tx.execute<{ first: string; final: string }>(sql`
    select extract(epoch from final) * 1000 as final, extract(epoch from coalesce(least(
      (select min(created_at) from analytics_events),
      (select min(started_at) from checkouts),
      (select min(created_at) from orders)), final)) * 1000 as first
    from (select clock_timestamp() - make_interval(mins => ${finalAfterMinutes})) as past (final)`)
  const [past] = rows
  if (!past) throw new Error('there is no past')
  const inMs = (milliseconds: string) => new Date(Math.floor(Number(milliseconds)))
  return { first: inMs(past.first), final: inMs(past.final) }
}

async function fill(tx: Db, zone: string, since: Date, until?: Date): Promise<void> {
  const counts = countAnew(zone, (moment) =>
    until ? sql`${moment} >= ${since} and ${moment} < ${until}` : sql`${moment} >= ${since}`,
  )
  await tx.execute(sql`
    insert into analytics_days as known
      (zone, day, kind, key, shard, views, started, completed, thanked, orders, revenue)
    select ${zone}, day, kind, key, 0, views, started, completed, thanked, orders, revenue
      from (${counts}) as counts
    on conflict (zone, day, kind, key, shard) do update set ${addUp}`)
}

async function dropZones(tx: Db, zones: string[]): Promise<void> {
  for (const zone of zones) {
    await tx.execute(sql`delete from analytics_zones where zone = ${zone}`)
    await tx.execute(sql`delete from analytics_days where zone = ${zone}`)
  }
}
