import { createHash, randomBytes } from 'node:crypto'
import type { AdminUser } from '#contract/admin.ts'
import { credentials, sessions, users } from '#server/db/admin-schema.ts'
import { deleteInBatches } from '#server/db/batches.ts'
import type { Db } from '#server/db/database.ts'
import { and, eq, gt, sql } from '#server/db/drizzle.ts'

/** A session ends after a working day without use, and after a day in any case. */
const maxIdleSeconds = 8 * 60 * 60
const maxAgeSeconds = 24 * 60 * 60
/** At most one write a minute, so that reading a page does not write to the database. */
const extendEverySeconds = 60

/** Returns the token for the cookie. Only its hash is stored, so a copy of the table cannot sign in. */
export async function createSession(db: Db, userId: string): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  await db.insert(sessions).values({
    sid: hashToken(token),
    sess: sql`jsonb_build_object('userId', ${userId}::text, 'createdAt', now())`,
    expire: secondsFromNow(maxIdleSeconds),
  })
  return token
}

export async function findSessionAdmin(db: Db, token: string): Promise<AdminUser | undefined> {
  const sid = hashToken(token)
  const [found] = await db
    .select({
      id: users.id,
      email: users.email,
      username: credentials.username,
      unusedSeconds: sql<number>`${maxIdleSeconds} - extract(epoch from ${sessions.expire} - now())::float8`,
    })
    .from(sessions)
    .innerJoin(users, sql`${users.id}::text = ${sessions.sess}->>'userId'`)
    .innerJoin(credentials, eq(credentials.userId, users.id))
    .where(and(eq(sessions.sid, sid), gt(sessions.expire, sql`now()`)))
  if (!found) return undefined
  const { unusedSeconds, ...admin } = found
  if (unusedSeconds > extendEverySeconds) await extendSession(db, sid)
  return admin
}

export async function deleteSession(db: Db, token: string): Promise<void> {
  await db.delete(sessions).where(eq(sessions.sid, hashToken(token)))
}

export async function deleteSessionsOf(db: Db, userId: string): Promise<void> {
  await db.delete(sessions).where(sql`${sessions.sess}->>'userId' = ${userId}`)
}

export function deleteExpiredSessions(db: Db): Promise<number> {
  return deleteInBatches(db, sql`sessions`, sql`expire < now()`)
}

async function extendSession(db: Db, sid: string): Promise<void> {
  const end = sql`(${sessions.sess}->>'createdAt')::timestamptz + make_interval(secs => ${maxAgeSeconds})`
  await db
    .update(sessions)
    .set({ expire: sql`least(${secondsFromNow(maxIdleSeconds)}, ${end})` })
    .where(eq(sessions.sid, sid))
}

function secondsFromNow(seconds: number) {
  return sql`now() + make_interval(secs => ${seconds})`
}

function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
