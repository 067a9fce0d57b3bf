import type { Db } from './database.ts'
import { sql } from './drizzle.ts'

/** Work that one node does for all, such as `comparison`. */
type ClaimedJob = { doneUntil: Date | undefined; now: Date }

/** No job is held for as long: the clock was wrong when one is. */
const maxHoldDays = 2

/**
 * Claims a job, unless a node has done it lately or is doing it. Held for longer than the job takes: after a crash
 * another node takes over then.
 */
export async function claimJob(
  db: Db,
  name: string,
  holdMinutes: number,
): Promise<ClaimedJob | undefined> {
  const { rows } = await db.execute<{ done_until: string | null; now: string }>(sql`
    insert into node_jobs as job (name, held_until) values (${name}, now() + make_interval(mins => ${holdMinutes}))
    on conflict (name) do update set held_until = excluded.held_until
      where job.held_until <= now() or job.held_until > now() + make_interval(days => ${maxHoldDays})
    returning done_until::text, now()::text`)
  const [job] = rows
  if (!job) return undefined
  return {
    doneUntil: job.done_until ? new Date(job.done_until) : undefined,
    now: new Date(job.now),
  }
}

/** Says how far the job is done, and when it is due again. */
export async function finishJob(
  db: Db,
  name: string,
  { doneUntil, dueInMinutes }: { doneUntil: Date; dueInMinutes: number },
): Promise<void> {
  await db.execute(sql`
    update node_jobs set done_until = ${doneUntil.toISOString()}::timestamptz,
      held_until = now() + make_interval(mins => ${dueInMinutes}) where name = ${name}`)
}

/** The job failed: it is due again in this time, and done only as far as before. */
export async function postponeJob(db: Db, name: string, dueInMinutes: number): Promise<void> {
  await db.execute(sql`
    update node_jobs set held_until = now() + make_interval(mins => ${dueInMinutes}) where name = ${name}`)
}
