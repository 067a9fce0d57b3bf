import { setTimeout as pause } from 'node:timers/promises'
import type { Db } from '#server/db/database.ts'
import { and, eq, isNull, sql } from '#server/db/drizzle.ts'
import { mails } from '#server/db/schema.ts'
import type { MailRow } from './mails.ts'

/** What became of one try. */
export type Fate =
  | { is: 'sent' }
  | { is: 'skipped'; why: string }
  | { is: 'put-off'; why: string; seconds: number }
  | { is: 'given-up'; why: string }

/** A sent mail that is not noted is sent again: a database that restarts is worth waiting for. */
const waitsMs = [100, 500, 2_000, 5_000]

export async function noteFate(db: Db, mail: MailRow, fate: Fate): Promise<void> {
  for (const waitMs of waitsMs) {
    try {
      return await write(db, mail, fate)
    } catch {
      await pause(waitMs)
    }
  }
  await write(db, mail, fate)
}

async function write(db: Db, { id, attempts }: MailRow, fate: Fate): Promise<void> {
  // Who took the mail over meanwhile knows better, except that sent is sent.
  const isOurs = and(eq(mails.id, id), eq(mails.attempts, attempts), isNull(mails.sentAt))
  switch (fate.is) {
    case 'sent':
      return set(db, eq(mails.id, id), { sentAt: sql`now()`, nextTryAt: null, lastError: null })
    case 'skipped':
      return set(db, isOurs, { sentAt: sql`now()`, nextTryAt: null, lastError: fate.why })
    case 'put-off': {
      const nextTryAt = sql`now() + make_interval(secs => ${fate.seconds})`
      return set(db, isOurs, { nextTryAt, lastError: fate.why })
    }
    case 'given-up':
      return set(db, isOurs, { nextTryAt: null, givenUpAt: sql`now()`, lastError: fate.why })
  }
}

async function set(
  db: Db,
  which: ReturnType<typeof and>,
  change: Parameters<ReturnType<typeof db.update<typeof mails>>['set']>[0],
): Promise<void> {
  await db.update(mails).set(change).where(which)
}
