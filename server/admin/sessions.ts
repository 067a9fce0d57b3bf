import { hash, randomBytes } from 'node:crypto'
import { parse } from 'bowser'
import type { AdminSession } from '#contract/admin.ts'
import { credentials, sessions, users } from '#server/db/admin-schema.ts'
import { deleteInBatches } from '#server/db/batches.ts'
import type { Db } from '#server/db/database.ts'
import { and, desc, eq, gt, isNull, ne, sql } from '#server/db/drizzle.ts'
import type { FoundSession } from '#server/http/access.ts'
import { truncateAddress } from '#server/http/client-address.ts'

/** A session ends after a working day without use, and after a day in any case. */
const maxIdleSeconds = 8 * 60 * 60
const maxAgeSeconds = 24 * 60 * 60
/** At most one write a minute, so that reading a page does not write to the database. */
const extendEverySeconds = 60

/** Returns the token for the cookie. Only its hash is stored, so a copy of the table cannot sign in. */
export async function createSession(
  db: Db,
  userId: string,
  from: { address: string; userAgent: string | undefined },
): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  await db.insert(sessions).values({
    sid: sessionIdOf(token),
    sess: sql`jsonb_build_object('userId', ${userId}::text, 'createdAt', now(), 'lastSeenAt', now(),
      'address', ${truncateAddress(from.address) ?? null}::text,
      'browser', ${describeBrowser(from.userAgent) ?? null}::text)`,
    expire: secondsFromNow(maxIdleSeconds),
  })
  return token
}

/** Longer than any browser's; parsing more would only cost time. */
const maxUserAgentLength = 500
const maxBrowserLength = 60

/** Such as 'Firefox on macOS'. */
function describeBrowser(userAgent = ''): string | undefined {
  const text = userAgent.slice(0, maxUserAgentLength).trim()
  if (text === '') return undefined
  const { browser, os } = parse(text)
  return [browser.name, os.name].filter(Boolean).join(' on ').slice(0, maxBrowserLength)
}

/** A disabled admin has no session, on any node. What `isBackground` asks by itself, which does not count as use. */
export async function findSession(
  db: Db,
  token: string,
  isBackground = false,
): Promise<FoundSession | undefined> {
  const sid = sessionIdOf(token)
  const [found] = await db
    .select({
      id: users.id,
      email: users.email,
      username: credentials.username,
      checkedMs: sql<number>`extract(epoch from now())::float8 * 1000`,
      unusedSeconds: sql<number>`${maxIdleSeconds} - extract(epoch from ${sessions.expire} - now())::float8`,
    })
    .from(sessions)
    .innerJoin(users, sql`${users.id}::text = ${sessions.sess}->>'userId'`)
    .innerJoin(credentials, and(eq(credentials.userId, users.id), isNull(credentials.disabledAt)))
    .where(and(eq(sessions.sid, sid), gt(sessions.expire, sql`now()`)))
  if (!found) return undefined
  const { unusedSeconds, checkedMs, ...admin } = found
  if (unusedSeconds > extendEverySeconds && !isBackground) await extendSession(db, sid)
  return { admin, checkedAt: new Date(checkedMs) }
}

/** Another hash of what is stored: neither the cookie nor a row can be found with it. */
const publicId = sql<string>`encode(sha256(convert_to('public ' || ${sessions.sid}, 'UTF8')), 'hex')`

/** The latest first. */
export async function listSessions(
  db: Db,
  userId: string,
  currentToken: string,
): Promise<AdminSession[]> {
  const rows = await db
    .select({ id: publicId, sid: sessions.sid, sess: sessions.sess })
    .from(sessions)
    .where(and(isOf(userId), gt(sessions.expire, sql`now()`)))
    .orderBy(desc(sql`(${sessions.sess}->>'createdAt')::timestamptz`))
  const currentSid = sessionIdOf(currentToken)
  return rows.map(({ id, sid, sess }) => ({
    id,
    createdAt: new Date(sess.createdAt).toISOString(),
    lastSeenAt: new Date(sess.lastSeenAt).toISOString(),
    address: sess.address ?? null,
    browser: sess.browser ?? null,
    isCurrent: sid === currentSid,
  }))
}

export async function deleteSession(db: Db, token: string): Promise<boolean> {
  const { rowCount } = await db.delete(sessions).where(eq(sessions.sid, sessionIdOf(token)))
  return rowCount === 1
}

/** Ends one session of this admin. Returns false if there is no such session. */
export async function deleteSessionById(db: Db, userId: string, id: string): Promise<boolean> {
  const { rowCount } = await db.delete(sessions).where(and(isOf(userId), eq(publicId, id)))
  return rowCount === 1
}

/** Ends all sessions of this admin, or all but one. Returns their number. */
export async function deleteSessionsOf(
  db: Db,
  userId: string,
  exceptToken?: string,
): Promise<number> {
  const isOther = exceptToken === undefined ? undefined : ne(sessions.sid, sessionIdOf(exceptToken))
  const { rowCount } = await db.delete(sessions).where(and(isOf(userId), isOther))
  return rowCount ?? 0
}

function isOf(userId: string) {
  return sql`${sessions.sess}->>'userId' = ${userId}`
}

export function deleteExpiredSessions(db: Db): Promise<number> {
  return deleteInBatches(db, sql`sessions`, sql`expire < now()`)
}

async function extendSession(db: Db, sid: string): Promise<void> {
  const end = sql`(${sessions.sess}->>'createdAt')::timestamptz + make_interval(secs => ${maxAgeSeconds})`
  await db
    .update(sessions)
    .set({
      expire: sql`least(${secondsFromNow(maxIdleSeconds)}, ${end})`,
      sess: sql`jsonb_set(${sessions.sess}, '{lastSeenAt}', to_jsonb(now()))`,
    })
    .where(eq(sessions.sid, sid))
}

function secondsFromNow(seconds: number) {
  return sql`now() + make_interval(secs => ${seconds})`
}

/** Where the session of a cookie is stored. */
export function sessionIdOf(token: string): string {
  return hash('sha256', token)
}
