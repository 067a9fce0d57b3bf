import { setTimeout as sleep } from 'node:timers/promises'
import type { AdminUser, Login } from '#contract/admin.ts'
import { Refusal } from '#contract/refusals.ts'
import { credentials, users } from '#server/db/admin-schema.ts'
import type { Db } from '#server/db/database.ts'
import { eq, or, sql } from '#server/db/drizzle.ts'
import { consumeLimit, releaseLimit, resetLimit, type Limit } from '#server/http/rate-limits.ts'
import { rehashPassword } from './admins.ts'
import { isOutdatedHash, verifyPassword } from './passwords.ts'

/** Only failures count. An account is never locked: its owner may be the one who types. */
const perAccountAndAddress: Limit = { name: 'login account+address', max: 10, seconds: 15 * 60 }
export const perAddress: Limit = { name: 'login address', max: 40, seconds: 15 * 60 }
const perAccount: Limit = { name: 'login account', max: 50, seconds: 60 * 60 }

/** Above its limit an account answers more and more slowly instead of not at all. */
const maxDelayMs = 30_000

/** Same message and same work for an unknown name and a wrong password. */
export async function signIn(
  db: Db,
  login: Login,
  address: string,
  wait: (ms: number) => Promise<unknown> = sleep,
): Promise<AdminUser> {
  const found = await findCredentials(db, login.username)
  // Username and e-mail address of an admin are one account.
  const account = found?.id ?? login.username.toLowerCase()
  const limits: [Limit, string][] = [
    [perAddress, address],
    [perAccountAndAddress, `${account}\n${address}`],
    [perAccount, account],
  ]
  // Counted before the password is checked, so that guesses sent at once all count.
  for (const [limit, key] of limits) {
    const { isAllowed, used, secondsLeft } = await consumeLimit(db, limit, key)
    if (isAllowed) continue
    if (limit !== perAccount) throw new Refusal('too-many-logins', { retryAfter: secondsLeft })
    await wait(Math.min(maxDelayMs, 1_000 * (used - perAccount.max)))
  }
  if (!(await verifyPassword(found?.passwordHash, login.password)) || !found) {
    throw new Refusal('wrong-credentials')
  }
  for (const [limit, key] of limits) {
    // The owner's own typos are forgiven. Others may guess from the same address, or at the same account.
    if (limit === perAccountAndAddress) await resetLimit(db, limit, key)
    else await releaseLimit(db, limit, key)
  }
  if (isOutdatedHash(found.passwordHash)) await rehashPassword(db, found.id, login.password)
  return { id: found.id, email: found.email, username: found.username }
}

/** By username or by e-mail address; a username wins where somebody's name is another's address. */
async function findCredentials(db: Db, name: string) {
  const [found] = await db
    .select({
      id: users.id,
      email: users.email,
      username: credentials.username,
      passwordHash: credentials.passwordHash,
    })
    .from(credentials)
    .innerJoin(users, eq(users.id, credentials.userId))
    .where(
      or(
        sql`lower(${credentials.username}) = lower(${name})`,
        sql`lower(${users.email}) = lower(${name})`,
      ),
    )
    .orderBy(sql`lower(${credentials.username}) = lower(${name}) desc`)
    .limit(1)
  return found
}
