import { createHash } from 'node:crypto'
import { eq, lt, sql, type SQL } from '#server/db/drizzle.ts'
import type { Db } from '#server/db/database.ts'
import { rateLimits } from '#server/db/admin-schema.ts'
import { prepareQuery } from '#server/db/prepared.ts'

/** A limit that holds across nodes: at most `most` turns in `seconds`. */
export type Limit = { name: string; most: number; seconds: number }

/** Counts one turn. Answers how many were taken in this window, this one included, and when it ends. */
export async function takeTurn(
  db: Db,
  limit: Limit,
  whose: string,
): Promise<{ taken: number; allowed: boolean; secondsLeft: number }> {
  const over = sql`${rateLimits.resetsAt} <= now()`
  const windowEnd = sql`now() + make_interval(secs => ${limit.seconds})`
  const [row] = await db
    .insert(rateLimits)
    .values({ key: keyOf(limit, whose), count: 1, resetsAt: windowEnd })
    .onConflictDoUpdate({
      target: rateLimits.key,
      set: {
        count: sql`case when ${over} then 1 else ${rateLimits.count} + 1 end`,
        resetsAt: sql`case when ${over} then ${windowEnd} else ${rateLimits.resetsAt} end`,
      },
    })
    .returning({
      taken: rateLimits.count,
      secondsLeft: sql<number>`extract(epoch from ${rateLimits.resetsAt} - now())::float8`,
    })
  if (!row) throw new Error('counting a turn returned no row')
  return { ...row, allowed: row.taken <= limit.most }
}

/** Counting one turn as a step of a larger statement: `taken` in this window, and `seconds_left` of it. */
export function turnStep(limit: Limit, whose: string): SQL {
  const windowEnd = sql`now() + make_interval(secs => ${limit.seconds})`
  return sql`
    insert into rate_limits as known (key, count, resets_at) values (${keyOf(limit, whose)}, 1, ${windowEnd})
    on conflict (key) do update set
      count = case when known.resets_at <= now() then 1 else known.count + 1 end,
      resets_at = case when known.resets_at <= now() then ${windowEnd} else known.resets_at end
    returning count as taken, extract(epoch from resets_at - now())::float8 as seconds_left`
}

/** How many turns were taken in the window that runs now, and when it ends. */
export async function readTurns(
  db: Db,
  limit: Limit,
  whose: string,
): Promise<{ taken: number; secondsLeft: number }> {
  const [row] = await turnsByKey(db, { key: keyOf(limit, whose) })
  return row && row.secondsLeft > 0 ? row : { taken: 0, secondsLeft: 0 }
}

const turnsByKey = prepareQuery('turns_by_key', (db) =>
  db
    .select({
      taken: rateLimits.count,
      secondsLeft: sql<number>`extract(epoch from ${rateLimits.resetsAt} - now())::float8`,
    })
    .from(rateLimits)
    .where(eq(rateLimits.key, sql.placeholder('key'))),
)

/** A turn that turned out well does not count. */
export async function giveTurnBack(db: Db, limit: Limit, whose: string): Promise<void> {
  await db
    .update(rateLimits)
    .set({ count: sql`greatest(${rateLimits.count} - 1, 0)` })
    .where(eq(rateLimits.key, keyOf(limit, whose)))
}

/** Whoever turned out to be trusted begins anew. */
export async function clearTurns(db: Db, limit: Limit, whose: string): Promise<void> {
  await db.delete(rateLimits).where(eq(rateLimits.key, keyOf(limit, whose)))
}

export async function dropEndedWindows(db: Db): Promise<void> {
  await db.delete(rateLimits).where(lt(rateLimits.resetsAt, sql`now()`))
}

/** Names and addresses of people stay out of the table. */
function keyOf(limit: Limit, whose: string): string {
  return createHash('sha256').update(`${limit.name}\n${whose}`).digest('hex')
}
