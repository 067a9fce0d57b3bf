import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { z } from 'zod'
import type { AdminUser, loginSchema } from '#contract/admin.ts'
import { Refusal } from '#contract/refusals.ts'
import { credentials, users } from '#server/db/admin-schema.ts'
import type { Db } from '#server/db/database.ts'
import { eq, or, sql } from '#server/db/drizzle.ts'
import { recordFailedSignIn } from '#server/http/audit.ts'
import { consumeLimit, releaseLimit, resetLimit, type Limit } from '#server/http/rate-limits.ts'
import { isSignature, sign } from '#server/secret.ts'
import { rehashPassword } from './admins.ts'
import { isOutdatedHash, verifyPassword } from './passwords.ts'
import { readSecondFactor, consumeSecondFactor } from './second-factor.ts'

/** Only failures count. An account is never locked: its owner may be the one who types. */
const perAccountAndAddress: Limit = { name: 'login account+address', max: 10, seconds: 15 * 60 }
export const perAddress: Limit = { name: 'login address', max: 40, seconds: 15 * 60 }
const perAccount: Limit = { name: 'login account', max: 50, seconds: 60 * 60 }
/** In place of all others, for a device where this admin has signed in before: strangers cannot use it up. */
const perDevice: Limit = { name: 'login device', max: 10, seconds: 15 * 60 }
/** For the current password of a signed-in admin. */
const perAdmin: Limit = { name: 'password check', max: 10, seconds: 15 * 60 }

/** Above its limit an account answers more and more slowly instead of not at all. */
const maxDelayMs = 30_000

type Deps = { db: Db; secret: string }
type SignInFrom = {
  address: string
  /** The address as limits know it. */
  addressKey: string
  deviceToken: string | undefined
}

/** Same message and same work for an unknown name and a wrong password. */
export async function signIn(
  { db, secret }: Deps,
  login: z.output<typeof loginSchema>,
  { address, addressKey, deviceToken }: SignInFrom,
  wait: (ms: number) => Promise<unknown> = sleep,
): Promise<{ admin: AdminUser; factor: 'app' | 'recovery' | undefined }> {
  const found = await findCredentials(db, login.username)
  const device = found && findDevice(secret, deviceToken, found.id)
  // Username and e-mail address of an admin are one account.
  const account = found?.id ?? login.username.toLowerCase()
  const limits: [Limit, string][] = device
    ? [[perDevice, device]]
    : [
        [perAddress, addressKey],
        [perAccountAndAddress, `${account}\n${addressKey}`],
        [perAccount, account],
      ]
  // Counted before the password is checked, so that guesses sent at once all count.
  for (const [limit, key] of limits) {
    const { isAllowed, used, secondsLeft } = await consumeLimit(db, limit, key)
    if (isAllowed) continue
    if (limit !== perAccount) throw new Refusal('too-many-logins', { retryAfter: secondsLeft })
    await wait(Math.min(maxDelayMs, 1_000 * (used - perAccount.max)))
  }
  const turn = { key: device ?? addressKey, isKnown: device !== undefined }
  const isRight = await verifyPassword(found?.passwordHash, login.password, turn)
  const fail = async (
    reason: Parameters<typeof recordFailedSignIn>[2]['reason'],
    refusal: Refusal,
  ) => {
    await recordFailedSignIn(db, address, { name: login.username, reason })
    return refusal
  }
  if (!isRight || !found) throw await fail('password', new Refusal('wrong-credentials'))
  if (found.isDisabled) throw await fail('disabled', new Refusal('account-disabled'))
  const { hasSecondFactor } = await readSecondFactor(db, found.id)
  const factor =
    hasSecondFactor && login.code
      ? await consumeSecondFactor(db, secret, found.id, login.code)
      : undefined
  if (hasSecondFactor && login.code && !factor) throw await fail('code', new Refusal('wrong-code'))
  for (const [limit, key] of limits) {
    // The owner's own typos are forgiven. Others may guess from the same address, or at the same account.
    if (limit === perAccountAndAddress || limit === perDevice) await resetLimit(db, limit, key)
    else await releaseLimit(db, limit, key)
  }
  if (hasSecondFactor && !factor) throw new Refusal('second-factor-needed')
  if (isOutdatedHash(found.passwordHash)) await rehashPassword(db, found.id, login.password)
  const { id, email, username } = found
  return { admin: { id, email, username }, factor }
}

/** Who is signed in proves to be the admin, before what protects the account is changed. */
export async function assertPassword(db: Db, admin: AdminUser, password: string): Promise<void> {
  const { isAllowed, secondsLeft } = await consumeLimit(db, perAdmin, admin.id)
  if (!isAllowed) throw new Refusal('too-many-logins', { retryAfter: secondsLeft })
  const found = await findCredentials(db, admin.username)
  const turn = { key: admin.id, isKnown: true }
  if (!(await verifyPassword(found?.passwordHash, password, turn)))
    throw new Refusal('wrong-password')
  await resetLimit(db, perAdmin, admin.id)
}

const devicePurpose = 'known device'

/**
 * For a cookie that outlives the session. It signs nobody in; sign-ins of this admin with it are counted apart, so that
 * strangers cannot use up the owner's attempts or places in the queue (OWASP's device cookies).
 */
export function createDeviceToken(secret: string, userId: string): string {
  const text = `${userId}.${randomBytes(16).toString('base64url')}`
  return `${text}.${sign(secret, devicePurpose, text)}`
}

/** The device's id, if the token is one of ours for this admin. */
export function findDevice(
  secret: string,
  token: string | undefined,
  userId: string,
): string | undefined {
  const [owner = '', device = '', signature = ''] = token?.split('.') ?? []
  const isOurs =
    owner === userId && isSignature(secret, devicePurpose, `${owner}.${device}`, signature)
  return isOurs ? device : undefined
}

/** By username or by e-mail address; a username wins where somebody's name is another's address. */
async function findCredentials(db: Db, name: string) {
  const [found] = await db
    .select({
      id: users.id,
      email: users.email,
      username: credentials.username,
      passwordHash: credentials.passwordHash,
      isDisabled: sql<boolean>`${credentials.disabledAt} is not null`,
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
