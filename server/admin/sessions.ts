import { createHash, randomBytes } from 'node:crypto'
import { and, eq, gt, lt, sql } from '#server/db/drizzle.ts'
import type { AdminUser } from '#contract/admin.ts'
import type { Db } from '#server/db/database.ts'
import { credentials, sessions, users } from '#server/db/admin-schema.ts'

/** A session ends after a working day without use, and after a day in any case. */
const idleSeconds = 8 * 60 * 60
const absoluteSeconds = 24 * 60 * 60
/** Use is noted at most once a minute, so that reading a page does not write to the database. */
const noteUseEverySeconds = 60

const pruneBatch = 1_000

/** Answers the token for the cookie. Only its hash is kept: a copy of the table opens nothing. */
export async function openSession(db: Db, userId: string): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  await db.insert(sessions).values({
    sid: hashToken(token),
    sess: sql`jsonb_build_object('userId', ${userId}::text, 'createdAt', now())`,
    expire: secondsFromNow(idleSeconds),
  })
  return token
}

export async function maybeSessionAdmin(db: Db, token: string): Promise<AdminUser | undefined> {
  const sid = hashToken(token)
  const [found] = await db
    .select({
      id: users.id,
      email: users.email,
      username: credentials.username,
      unusedSeconds: sql<number>`${idleSeconds} - extract(epoch from ${sessions.expire} - now())::float8`,
    })
    .from(sessions)
    .innerJoin(users, sql`${users.id}::text = ${sessions.sess}->>'userId'`)
    .innerJoin(credentials, eq(credentials.userId, users.id))
    .where(and(eq(sessions.sid, sid), gt(sessions.expire, sql`now()`)))
  if (!found) return undefined
  const { unusedSeconds, ...admin } = found
  if (unusedSeconds > noteUseEverySeconds) await noteUse(db, sid)
  return admin
}

export async function closeSession(db: Db, token: string): Promise<void> {
  await db.delete(sessions).where(eq(sessions.sid, hashToken(token)))
}

export async function closeSessionsOf(db: Db, userId: string): Promise<void> {
  await db.delete(sessions).where(sql`${sessions.sess}->>'userId' = ${userId}`)
}

export async function dropEndedSessions(db: Db): Promise<void> {
  const ended = db
    .select({ sid: sessions.sid })
    .from(sessions)
    .where(lt(sessions.expire, sql`now()`))
    .limit(pruneBatch)
  while (
    (await db.delete(sessions).where(sql`${sessions.sid} in ${ended}`)).rowCount === pruneBatch
  );
}

async function noteUse(db: Db, sid: string): Promise<void> {
  const end = sql`(${sessions.sess}->>'createdAt')::timestamptz + make_interval(secs => ${absoluteSeconds})`
  await db
    .update(sessions)
    .set({ expire: sql`least(${secondsFromNow(idleSeconds)}, ${end})` })
    .where(eq(sessions.sid, sid))
}

function secondsFromNow(seconds: number) {
  return sql`now() + make_interval(secs => ${seconds})`
}

function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
