import { setTimeout as pause } from 'node:timers/promises'
import { eq, or, sql } from '#server/db/drizzle.ts'
import type { AdminUser, Login } from '#contract/admin.ts'
import { Refusal } from '#contract/refusals.ts'
import type { Db } from '#server/db/database.ts'
import { credentials, users } from '#server/db/admin-schema.ts'
import { clearTurns, giveTurnBack, takeTurn, type Limit } from '#server/http/shared-limits.ts'
import { renewHash } from './admins.ts'
import { isOutdated, isPassword } from './passwords.ts'

/** Only failures count. One account is never locked: its owner may be the one who types. */
const perAccountAndAddress: Limit = { name: 'login account+address', most: 10, seconds: 15 * 60 }
export const perAddress: Limit = { name: 'login address', most: 40, seconds: 15 * 60 }
const perAccount: Limit = { name: 'login account', most: 50, seconds: 60 * 60 }

/** Beyond its limit an account answers ever slower instead of not at all. */
const longestPauseMs = 30_000

/** Same words and same work for an unknown name and a wrong password. */
export async function signIn(
  db: Db,
  login: Login,
  address: string,
  wait: (ms: number) => Promise<unknown> = pause,
): Promise<AdminUser> {
  const found = await maybeCredentials(db, login.username)
  // An admin is one account, whether named by username or by e-mail address.
  const account = found?.id ?? login.username.toLowerCase()
  const turns: [Limit, string][] = [
    [perAddress, address],
    [perAccountAndAddress, `${account}\n${address}`],
    [perAccount, account],
  ]
  // Counted before the password is looked at, so that guesses sent at once all count.
  for (const [limit, whose] of turns) {
    const turn = await takeTurn(db, limit, whose)
    if (turn.allowed) continue
    if (limit !== perAccount) throw new Refusal('too-many-logins', { retryAfter: turn.secondsLeft })
    await wait(Math.min(longestPauseMs, 1_000 * (turn.taken - perAccount.most)))
  }
  if (!(await isPassword(found?.passwordHash, login.password)) || !found) {
    throw new Refusal('wrong-credentials')
  }
  for (const [limit, whose] of turns) {
    // Who knows the password was no guesser before. Others may guess from the same address, or at the same account.
    if (limit === perAccountAndAddress) await clearTurns(db, limit, whose)
    else await giveTurnBack(db, limit, whose)
  }
  if (isOutdated(found.passwordHash)) await renewHash(db, found.id, login.password)
  return { id: found.id, email: found.email, username: found.username }
}

/** By username or by e-mail address; a username wins where somebody's name is another's address. */
async function maybeCredentials(db: Db, name: string) {
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
