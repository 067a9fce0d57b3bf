import type { Db } from './database.ts'
import { sql } from './drizzle.ts'

/** Claims work that one node does for all; undefined while another has it. After a crash the claim ends by itself. */
export async function claimJob(
  db: Db,
  name: string,
  holdMinutes: number,
): Promise<{ doneUntil: Date | undefined; now: Date } | undefined> {
  const { rows } = await db.execute<{ done_until: string | null; now: string }>(sql`
    insert into node_jobs as job (name, held_until) values (${name}, now() + make_interval(mins => ${holdMinutes}))
    on conflict (name) do update set held_until = excluded.held_until where job.held_until <= now()
    returning done_until::text, now()::text`)
  const [job] = rows
  if (!job) return undefined
  return {
    doneUntil: job.done_until ? new Date(job.done_until) : undefined,
    now: new Date(job.now),
  }
}

/** The work is done until then, and due again after so many minutes. */
export async function finishJob(
  db: Db,
  name: string,
  { everyMinutes, doneUntil }: { everyMinutes: number; doneUntil: Date },
): Promise<void> {
  await db.execute(sql`
    update node_jobs set done_until = ${doneUntil.toISOString()}::timestamptz,
      held_until = now() + make_interval(mins => ${everyMinutes}) where name = ${name}`)
}
