import { createHmac, hash, randomBytes } from 'node:crypto'
import type { AdminUser, RecoveryCodes, SecondFactorOffer } from '#contract/admin.ts'
import { Refusal } from '#contract/refusals.ts'
import { secondFactors } from '#server/db/admin-schema.ts'
import type { Db } from '#server/db/database.ts'
import { and, eq, isNull, lt, sql } from '#server/db/drizzle.ts'
import { recordAudit, type Actor, type AdminActor } from '#server/http/audit.ts'
import { consumeLimit, resetLimit, type Limit } from '#server/http/rate-limits.ts'
import { decrypt, encrypt, isSameText } from '#server/secret.ts'
import { lockAccount } from './admins.ts'
import { generateCode, tooManyLogins } from './passwords.ts'
import { deleteSessionsOf } from './sessions.ts'

/** The defaults of RFC 6238, the only ones that every authenticator app knows. */
const stepSeconds = 30
const digits = 6
const secretBytes = 20
/** A code is also accepted one step early and late: clocks differ, and people type slowly. */
const tolerance = 1

const recoveryCodeCount = 10

/** Three of a million codes are valid at a time; who guesses has the password already. */
const appCodes: Limit = { name: 'second factor', max: 10, seconds: 60 * 60 }
/** Recovery codes are counted apart: while a stranger guesses codes, an owner without a phone has no other way in. */
const recoveryCodes: Limit = { name: 'recovery code', max: 10, seconds: 60 * 60 }

/** Whose attempts are counted together. */
type Guesser =
  /** Everybody at this account who is not one of the others. */
  | { userId: string }
  /** A browser that signed in with the second factor before: strangers cannot use up its attempts. */
  | { userId: string; device: string }
  /** Who has a session. */
  | { userId: string; isSignedIn: true }

function formatGuesser(guesser: Guesser): string {
  if ('device' in guesser) return `${guesser.userId} device ${guesser.device}`
  return 'isSignedIn' in guesser ? `${guesser.userId} session` : guesser.userId
}

/** The code of one time step (RFC 4226 with SHA-1). */
export function codeAt(secret: Buffer, step: number, length = digits): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const hmac = createHmac('sha1', secret).update(counter).digest()
  const offset = (hmac.at(-1) ?? 0) & 15
  const number = hmac.readUInt32BE(offset) & 0x7fff_ffff
  return String(number % 10 ** length).padStart(length, '0')
}

const base32Alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** For a multiple of five bytes, which needs no padding. */
function toBase32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  const groups = bits.match(/.{5}/g) ?? []
  return groups.map((group) => base32Alphabet[Number.parseInt(group, 2)]).join('')
}

/** A second factor that was not confirmed yet is replaced. */
export async function offerSecondFactor(
  db: Db,
  secret: string,
  admin: AdminUser,
  issuer: string,
): Promise<SecondFactorOffer> {
  const key = randomBytes(secretBytes)
  const encrypted = encrypt(secret, sealFor(admin.id), key.toString('base64url'))
  const [offered] = await db
    .insert(secondFactors)
    .values({ userId: admin.id, secret: encrypted })
    .onConflictDoUpdate({
      target: secondFactors.userId,
      set: { secret: encrypted },
      setWhere: isNull(secondFactors.confirmedAt),
    })
    .returning({ userId: secondFactors.userId })
  if (!offered) throw new Refusal('second-factor-on')
  return describeKey(key, admin, issuer)
}

function describeKey(key: Buffer, admin: AdminUser, issuer: string): SecondFactorOffer {
  const text = toBase32(key)
  // A colon separates the two names.
  const name = issuer.replaceAll(':', ' ').trim()
  const label = `${encodeURIComponent(name)}:${encodeURIComponent(admin.email)}`
  const parameters = `secret=${text}&issuer=${encodeURIComponent(name)}&algorithm=SHA1&digits=${digits}&period=${stepSeconds}`
  return { secret: text, uri: `otpauth://totp/${label}?${parameters}` }
}

/** Switches the second factor on, once a code shows that the app has the secret. Other sessions, which had none, end. */
export async function confirmSecondFactor(
  db: Db,
  secret: string,
  actor: AdminActor,
  code: string,
  currentToken: string,
): Promise<RecoveryCodes> {
  const { admin } = actor
  const found = await findFactor(db, admin.id)
  if (!found) throw new Refusal('second-factor-not-begun')
  if (found.isConfirmed) throw new Refusal('second-factor-on')
  const key = getKey(secret, admin.id, found.secret)
  const guesser = formatGuesser({ userId: admin.id, isSignedIn: true })
  await consumeAttempt(db, appCodes, guesser)
  const step = findStep(key, code, found)
  if (step === undefined) throw await recordWrongCode(db, actor)
  const newCodes = Array.from({ length: recoveryCodeCount }, () => generateCode(4, 4))
  await db.transaction(async (tx) => {
    await lockAccount(tx, admin.id)
    const { rowCount } = await tx
      .update(secondFactors)
      .set({
        confirmedAt: sql`now()`,
        lastStep: step,
        recoveryHashes: newCodes.map((text) => hashRecoveryCode(admin.id, text)),
      })
      .where(
        and(
          eq(secondFactors.userId, admin.id),
          eq(secondFactors.secret, found.secret),
          isNull(secondFactors.confirmedAt),
        ),
      )
    if (rowCount === 0) throw new Refusal('second-factor-not-begun')
    const endedSessions = await deleteSessionsOf(tx, admin.id, currentToken)
    const detail = { endedSessions }
    await recordAudit(tx, actor, { action: 'second-factor-on', subject: admin.id, detail })
  })
  await resetLimit(db, appCodes, guesser)
  return { recoveryCodes: newCodes }
}

/** A signed-in admin proves to have the second factor. */
export async function assertSecondFactor(
  db: Db,
  secret: string,
  actor: AdminActor,
  code: string,
): Promise<void> {
  const guesser = { userId: actor.admin.id, isSignedIn: true } as const
  if (!(await consumeSecondFactor(db, secret, guesser, code)))
    throw await recordWrongCode(db, actor)
}

async function recordWrongCode(db: Db, actor: AdminActor): Promise<Refusal> {
  await recordAudit(db, actor, { action: 'confirmation-failed', detail: { reason: 'code' } })
  return new Refusal('wrong-second-factor')
}

/** Returns false if it was off. */
export async function removeSecondFactor(db: Db, userId: string, actor: Actor): Promise<boolean> {
  return db.transaction(async (tx) => {
    const [removed] = await tx
      .delete(secondFactors)
      .where(eq(secondFactors.userId, userId))
      .returning({ confirmedAt: secondFactors.confirmedAt })
    if (!removed?.confirmedAt) return false
    await recordAudit(tx, actor, { action: 'second-factor-off', subject: userId })
    return true
  })
}

/** What an admin is told about the own second factor. */
export async function readSecondFactor(
  db: Db,
  userId: string,
): Promise<{ hasSecondFactor: boolean; recoveryCodesLeft: number }> {
  const found = await findFactor(db, userId)
  const hasSecondFactor = found?.isConfirmed ?? false
  return { hasSecondFactor, recoveryCodesLeft: hasSecondFactor ? (found?.codesLeft ?? 0) : 0 }
}

/**
 * Uses a code of the app, or a recovery code. Either works once, on all nodes together. Returns which it was, or
 * undefined for a wrong one.
 */
export async function consumeSecondFactor(
  db: Db,
  secret: string,
  guesser: Guesser,
  code: string,
  widen: (limit: Limit) => Limit = (limit) => limit,
): Promise<'app' | 'recovery' | undefined> {
  const { userId } = guesser
  const found = await findFactor(db, userId)
  if (!found?.isConfirmed) return undefined
  // Refused before it counts, if it cannot be compared.
  const key = /^\d{6}$/.test(code) ? getKey(secret, userId, found.secret) : undefined
  const limit = key ? appCodes : recoveryCodes
  await consumeAttempt(db, widen(limit), formatGuesser(guesser))
  const used = key
    ? await consumeAppCode(db, userId, findStep(key, code, found))
    : await consumeRecoveryCode(db, userId, code)
  if (used) await resetLimit(db, limit, formatGuesser(guesser))
  return used
}

async function consumeAttempt(db: Db, limit: Limit, guesser: string): Promise<void> {
  const { isAllowed, secondsLeft } = await consumeLimit(db, limit, guesser)
  if (!isAllowed) throw tooManyLogins(secondsLeft)
}

async function consumeAppCode(
  db: Db,
  userId: string,
  step: number | undefined,
): Promise<'app' | undefined> {
  if (step === undefined) return undefined
  const { rowCount } = await db
    .update(secondFactors)
    .set({ lastStep: step })
    .where(and(eq(secondFactors.userId, userId), lt(secondFactors.lastStep, step)))
  return rowCount === 1 ? 'app' : undefined
}

async function consumeRecoveryCode(
  db: Db,
  userId: string,
  code: string,
): Promise<'recovery' | undefined> {
  const codeHash = hashRecoveryCode(userId, code)
  const { rowCount } = await db
    .update(secondFactors)
    .set({ recoveryHashes: sql`array_remove(${secondFactors.recoveryHashes}, ${codeHash})` })
    .where(
      and(
        eq(secondFactors.userId, userId),
        sql`${codeHash} = any(${secondFactors.recoveryHashes})`,
      ),
    )
  return rowCount === 1 ? 'recovery' : undefined
}

type Factor = { secret: string; isConfirmed: boolean; codesLeft: number; step: number }

async function findFactor(db: Db, userId: string): Promise<Factor | undefined> {
  const [found] = await db
    .select({
      secret: secondFactors.secret,
      isConfirmed: sql<boolean>`${secondFactors.confirmedAt} is not null`,
      codesLeft: sql<number>`cardinality(${secondFactors.recoveryHashes})`,
      // The database's clock, so that all nodes agree.
      step: sql<number>`floor(extract(epoch from now()) / ${stepSeconds})::int`,
    })
    .from(secondFactors)
    .where(eq(secondFactors.userId, userId))
  return found
}

/** The step whose code this is. */
function findStep(key: Buffer, code: string, { step }: Factor): number | undefined {
  const steps = [step, step - tolerance, step + tolerance]
  return steps.find((candidate) => isSameText(codeAt(key, candidate), code))
}

function getKey(secret: string, userId: string, encrypted: string): Buffer {
  const text = decrypt(secret, sealFor(userId), encrypted)
  if (text === undefined) throw new Refusal('second-factor-unreadable')
  return Buffer.from(text, 'base64url')
}

function sealFor(userId: string) {
  return { purpose: 'second factor', owner: userId }
}

/** Recovery codes have 79 random bits: a fast hash is enough. They work even after the session secret was lost. */
function hashRecoveryCode(userId: string, code: string): string {
  return hash('sha256', `${userId} ${code.replaceAll('-', '')}`)
}
