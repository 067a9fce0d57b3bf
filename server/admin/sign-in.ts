import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { passwordProofSchema, type AdminUser, type loginSchema } from '#contract/admin.ts'
import { Refusal, type RefusalCode } from '#contract/refusals.ts'
import { credentials, secondFactors, users } from '#server/db/admin-schema.ts'
import type { Db } from '#server/db/database.ts'
import { eq, or, sql } from '#server/db/drizzle.ts'
import { recordAudit, recordFailedSignIn, type AdminActor } from '#server/http/audit.ts'
import { ownCookie } from '#server/http/own-cookie.ts'
import {
  consumeLimit,
  limitOf,
  releaseLimit,
  resetLimit,
  wideningOf,
  type Limit,
} from '#server/http/rate-limits.ts'
import { isSignature, sign } from '#server/secret.ts'
import { lockAccount, passwordSetAt, rehashPassword, type ProvenActor } from './admins.ts'
import { isOutdatedHash, tooManyLogins, verifyPassword } from './passwords.ts'
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

/** Who gave the right password, and which one: see `lockVerified`. */
type VerifiedSignIn = {
  admin: AdminUser
  factor: 'app' | 'recovery' | undefined
  passwordSetAt: string
  device: DeviceOwner
}

/** Same message and same work for an unknown name and a wrong password. */
export async function signIn(
  { db, secret }: Deps,
  login: z.output<typeof loginSchema>,
  { address, addressKey, deviceToken }: SignInFrom,
  wait: (ms: number) => Promise<unknown> = sleep,
): Promise<VerifiedSignIn> {
  const found = await findCredentials(db, login.username)
  const device = found && findDevice(secret, deviceToken, found)
  // Username and e-mail address of an admin are one account.
  const account = found?.id ?? login.username.toLowerCase()
  const widen = (limit: Limit) => limitOf(addressKey, limit)
  const limits: [Limit, string][] = device
    ? [[widen(perDevice), device]]
    : [
        [widen(perAddress), addressKey],
        [widen(perAccountAndAddress), `${account}\n${addressKey}`],
        [widen(perAccount), account],
      ]
  const fail = async (
    reason: Parameters<typeof recordFailedSignIn>[2]['reason'],
    refusal: Refusal,
  ) => {
    await recordFailedSignIn(db, address, { name: found?.username, reason })
    return refusal
  }
  const turn = {
    key: device ?? addressKey,
    isKnown: device !== undefined,
    widening: wideningOf(addressKey),
  }
  const isRight = await countAttempt(db, limits, wait, () =>
    verifyPassword(found?.passwordHash, login.password, turn),
  )
  if (!isRight || !found) throw await fail('password', new Refusal('wrong-credentials'))
  if (found.isDisabled) throw await fail('disabled', new Refusal('account-disabled'))
  const { hasSecondFactor } = await readSecondFactor(db, found.id)
  const guesser = { userId: found.id, ...(device && { device }) }
  const factor =
    hasSecondFactor && login.code
      ? await consumeSecondFactor(db, secret, guesser, login.code, widen).catch(async (error) => {
          // Nothing was guessed: the secret of the shop is another one.
          if (error instanceof Refusal && error.code === 'second-factor-unreadable')
            await releaseAll(db, limits)
          throw error
        })
      : undefined
  if (hasSecondFactor && login.code && !factor) throw await fail('code', new Refusal('wrong-code'))
  for (const [limit, key] of limits) {
    // The owner's own typos are forgiven. Others may guess from the same address, or at the same account.
    const isOwn = [perAccountAndAddress.name, perDevice.name].includes(limit.name)
    if (isOwn) await resetLimit(db, limit, key)
    else await releaseLimit(db, limit, key)
  }
  if (hasSecondFactor && !factor)
    throw await fail('code-missing', new Refusal('second-factor-needed'))
  const { id, email, username, passwordHash, passwordSetAt, proof } = found
  if (isOutdatedHash(passwordHash))
    await rehashPassword(db, id, login.password, passwordHash).catch(leaveForNextTime)
  return { admin: { id, email, username }, factor, passwordSetAt, device: { id, proof } }
}

/** The password was right: that so many sign in at once must not keep its owner out. */
function leaveForNextTime(error: unknown): void {
  if (!(error instanceof Refusal)) throw error
}

/** Counts before the password is checked, so that guesses sent at once all count. An unchecked attempt does not. */
async function countAttempt(
  db: Db,
  limits: [Limit, string][],
  wait: (ms: number) => Promise<unknown>,
  check: () => Promise<boolean>,
): Promise<boolean> {
  const counted: [Limit, string][] = []
  try {
    for (const [limit, key] of limits) {
      const { isAllowed, used, secondsLeft } = await consumeLimit(db, limit, key)
      counted.push([limit, key])
      if (isAllowed) continue
      if (limit.name !== perAccount.name) throw tooManyLogins(secondsLeft)
      await wait(Math.min(maxDelayMs, 1_000 * (used - limit.max)))
    }
    return await check()
  } catch (error) {
    await releaseAll(db, counted)
    throw error
  }
}

async function releaseAll(db: Db, limits: [Limit, string][]): Promise<void> {
  for (const [limit, key] of limits) await releaseLimit(db, limit, key)
}

/**
 * Locks the account of a sign-in, for its session: a password, second factor or disabling that came after the check either
 * ends the session or is seen here.
 */
export async function lockVerified(
  tx: Db,
  { admin, factor, passwordSetAt }: VerifiedSignIn,
): Promise<void> {
  const account = await lockAccount(tx, admin.id)
  if (account?.passwordSetAt !== passwordSetAt || account.isDisabled)
    throw new Refusal('wrong-credentials')
  if (!factor && (await readSecondFactor(tx, admin.id)).hasSecondFactor)
    throw new Refusal('second-factor-needed')
}

/** What `assertPassword` refuses with. */
export const proofRefusals: RefusalCode[] = ['wrong-password', 'too-many-logins']

/** Who is signed in proves to be the admin, before what protects accounts is changed. */
export async function assertPassword(
  db: Db,
  actor: AdminActor,
  password: string,
): Promise<ProvenActor> {
  const { admin } = actor
  const { isAllowed, secondsLeft } = await consumeLimit(db, perAdmin, admin.id)
  if (!isAllowed) throw tooManyLogins(secondsLeft)
  const found = await findCredentials(db, admin.username)
  const turn = { key: admin.id, isKnown: true }
  if (!(await verifyPassword(found?.passwordHash, password, turn)) || !found) {
    await recordAudit(db, actor, { action: 'confirmation-failed', detail: { reason: 'password' } })
    throw new Refusal('wrong-password')
  }
  await resetLimit(db, perAdmin, admin.id)
  return { ...actor, passwordSetAt: found.passwordSetAt }
}

/** The same with the password that was sent along in the body of a call. */
export function assertProof(db: Db, actor: AdminActor, body: unknown): Promise<ProvenActor> {
  return assertPassword(db, actor, passwordProofSchema.parse(body).password)
}

/** An account with the password and the second factor that it has: with others its devices are not known any more. */
type DeviceOwner = { id: string; proof: string }

/**
 * For a cookie that outlives the session, once a sign-in is complete. It signs nobody in; sign-ins of this admin with it are
 * counted apart, so that strangers cannot use up the owner's attempts or places in the queue (OWASP's device cookies).
 */
export function createDeviceToken(secret: string, owner: DeviceOwner): string {
  const text = `${owner.id}.${randomBytes(16).toString('base64url')}`
  return `${text}.${sign(secret, devicePurpose, `${text}.${owner.proof}`)}`
}

const devicePurpose = 'known device'

/** The id of the device, if the token is one of ours for this admin. */
export function findDevice(
  secret: string,
  token: string | undefined,
  owner: DeviceOwner,
): string | undefined {
  const [ownerId = '', id = '', signature = ''] = token?.split('.') ?? []
  if (ownerId !== owner.id) return undefined
  const text = `${ownerId}.${id}.${owner.proof}`
  return isSignature(secret, devicePurpose, text, signature) ? id : undefined
}

/** How long a browser is remembered after its last sign-in. */
const deviceSeconds = 180 * 24 * 60 * 60

/** As it is now. */
export async function readDeviceOwner(db: Db, userId: string): Promise<DeviceOwner> {
  const [found] = await db
    .select({ proof: deviceProof })
    .from(credentials)
    .leftJoin(secondFactors, eq(secondFactors.userId, credentials.userId))
    .where(eq(credentials.userId, userId))
  return { id: userId, proof: found?.proof ?? '' }
}

const deviceProof = sql<string>`concat_ws(' ', ${credentials.updatedAt}, ${secondFactors.confirmedAt})`

export type Devices = ReturnType<typeof openDevices>

/** Browsers in which an admin has signed in before, by a cookie. */
export function openDevices(shop: { secret: string; config: { publicUrl: string | undefined } }) {
  const { secret, config } = shop
  const cookie = ownCookie('till_device', () => [config.publicUrl], deviceSeconds)
  return {
    read: cookie.read,
    remember(request: FastifyRequest, reply: FastifyReply, owner: DeviceOwner): void {
      const token = cookie.read(request)
      const isKnown = findDevice(secret, token, owner) !== undefined
      cookie.set(request, reply, isKnown && token ? token : createDeviceToken(secret, owner))
    },
  }
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
      passwordSetAt,
      proof: deviceProof,
    })
    .from(credentials)
    .innerJoin(users, eq(users.id, credentials.userId))
    .leftJoin(secondFactors, eq(secondFactors.userId, credentials.userId))
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
