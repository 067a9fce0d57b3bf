import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { AdminAccount, AdminUser } from '#contract/admin.ts'
import { Refusal, refusals } from '#contract/refusals.ts'
import { CannotStart } from '#server/cannot-start.ts'
import { adminInvites, credentials, secondFactors, users } from '#server/db/admin-schema.ts'
import { createDataDir } from '#server/data-dir.ts'
import type { Db } from '#server/db/database.ts'
import { and, eq, isNull, ne, sql } from '#server/db/drizzle.ts'
import { recordAudit, shellActor, type Actor, type AdminActor } from '#server/http/audit.ts'
import {
  assertStrongPassword,
  findPasswordFault,
  generatePassword,
  hashPassword,
} from './passwords.ts'
import { deleteSessionsOf } from './sessions.ts'

type NewAdmin = { username: string; email: string; password: string }

/** Admins and invitations together. */
const maxAdmins = 100

/** Must differ from all other advisory locks of ours. */
const adminsLock = 7_411_002

/** Held until the transaction ends: who may sign in is decided by one at a time. */
export async function lockAdmins(tx: Db): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${adminsLock})`)
}

export async function listAdmins(db: Db): Promise<AdminAccount[]> {
  const rows = await db
    .select({
      id: users.id,
      email: users.email,
      username: credentials.username,
      createdAt: users.createdAt,
      disabledAt: credentials.disabledAt,
      confirmedAt: secondFactors.confirmedAt,
    })
    .from(credentials)
    .innerJoin(users, eq(users.id, credentials.userId))
    .leftJoin(secondFactors, eq(secondFactors.userId, users.id))
    .orderBy(users.createdAt)
  return rows.map(({ createdAt, disabledAt, confirmedAt, ...admin }) => ({
    ...admin,
    createdAt: createdAt.toISOString(),
    isDisabled: disabledAt !== null,
    hasSecondFactor: confirmedAt !== null,
  }))
}

/** `claim` runs in the same transaction, before the admin is added. */
export async function addAdmin(
  db: Db,
  admin: NewAdmin,
  actor: Actor,
  claim?: (tx: Db) => Promise<void>,
): Promise<AdminUser> {
  await assertStrongPassword(admin.password, admin)
  const passwordHash = await hashPassword(admin.password)
  return db.transaction(async (tx) => {
    await claim?.(tx)
    return insertAdmin(tx, { ...admin, passwordHash }, actor)
  })
}

type AdminRow = Omit<NewAdmin, 'password'> & {
  passwordHash: string
  isWeak?: boolean
  isGenerated?: boolean
}

async function insertAdmin(tx: Db, admin: AdminRow, actor: Actor): Promise<AdminUser> {
  const { username, email, passwordHash, isWeak = false, isGenerated = false } = admin
  await lockAdmins(tx)
  await assertNamesFree(tx, [username, email])
  await assertRoomForAdmin(tx)
  const [user] = await tx.insert(users).values({ email }).returning({ id: users.id })
  if (!user) throw new Error('adding a user returned no row')
  await tx
    .insert(credentials)
    .values({ userId: user.id, username, passwordHash, isWeak, isGenerated })
  const detail = { username, email }
  await recordAudit(tx, actor, { action: 'admin-added', subject: user.id, detail })
  return { id: user.id, email, username }
}

/** Nor may a name be another admin's e-mail address: they sign in with either. */
export async function assertNamesFree(tx: Db, names: string[], ownId?: string): Promise<void> {
  const wanted = new Set(names.map((name) => name.toLowerCase()))
  const isTaken = (await listAdmins(tx)).some(
    ({ id, username, email }) =>
      id !== ownId && [username, email].some((name) => wanted.has(name.toLowerCase())),
  )
  if (isTaken) throw new Refusal('admin-taken')
}

export async function assertRoomForAdmin(tx: Db): Promise<void> {
  const count = (await tx.$count(credentials)) + (await tx.$count(adminInvites))
  if (count >= maxAdmins) throw new Refusal('too-many-admins')
}

/** Sessions stay; from now on the admin signs in with the new address, or with the username as before. */
export async function changeEmail(
  db: Db,
  admin: AdminUser,
  email: string,
  actor: Actor,
): Promise<AdminUser> {
  await db.transaction(async (tx) => {
    const { email: before } = await getAdmin(tx, admin.id)
    if (before === email) return
    await assertNamesFree(tx, [email], admin.id)
    await tx
      .update(users)
      .set({ email, updatedAt: sql`now()` })
      .where(eq(users.id, admin.id))
    const detail = { from: before, to: email }
    await recordAudit(tx, actor, { action: 'email-changed', subject: admin.id, detail })
  })
  return { ...admin, email }
}

/** Signs the admin out everywhere. Returns false when there is no such admin. */
export async function changePassword(db: Db, username: string, password: string): Promise<boolean> {
  const admin = await findAdminByName(db, username)
  if (!admin) return false
  await setPassword(db, admin, password, shellActor)
  return true
}

/** Ends the admin's sessions, or all but the one in which the password is changed, and the invitations they made. */
export async function setPassword(
  db: Db,
  admin: AdminUser,
  password: string,
  actor: AccountActor,
  currentToken?: string,
): Promise<void> {
  await assertStrongPassword(password, admin)
  const passwordHash = await hashPassword(password)
  await db.transaction(async (tx) => {
    await assertStillProven(tx, actor)
    await tx
      .update(credentials)
      .set({ passwordHash, isWeak: false, isGenerated: false, updatedAt: sql`now()` })
      .where(eq(credentials.userId, admin.id))
    const endedSessions = await deleteSessionsOf(tx, admin.id, currentToken)
    const endedInvites = await deleteInvitesOf(tx, admin.id)
    const detail = { endedSessions, endedInvites }
    await recordAudit(tx, actor, { action: 'password-changed', subject: admin.id, detail })
  })
}

/** Stores the same password at the current strength, unless it was changed meanwhile. Sessions stay. */
export async function rehashPassword(
  db: Db,
  userId: string,
  password: string,
  verifiedHash: string,
): Promise<void> {
  const passwordHash = await hashPassword(password)
  await db
    .update(credentials)
    .set({ passwordHash })
    .where(and(eq(credentials.userId, userId), eq(credentials.passwordHash, verifiedHash)))
}

/** When the password was chosen, as text: a Date has fewer digits. */
export const passwordSetAt = sql<string>`${credentials.updatedAt}::text`

/** Held until the transaction ends: what decides about a sign-in stays as it is. */
export async function lockAccount(
  tx: Db,
  userId: string,
): Promise<{ passwordSetAt: string; isDisabled: boolean } | undefined> {
  const isDisabled = sql<boolean>`${credentials.disabledAt} is not null`
  const [account] = await tx
    .select({ passwordSetAt, isDisabled })
    .from(credentials)
    .where(eq(credentials.userId, userId))
    .for('update')
  return account
}

/** An admin whose password was right, and which one: see `assertStillProven`. */
export type ProvenActor = AdminActor & { passwordSetAt: string }

/** Who may change accounts. */
type AccountActor = ProvenActor | typeof shellActor

/**
 * Checking a password takes a while, in which the admin may be disabled, removed or given another one: a call that was
 * under way then must not bring them back.
 */
export async function assertStillProven(tx: Db, actor: AccountActor): Promise<void> {
  if (!actor.admin) return
  const account = await lockAccount(tx, actor.admin.id)
  if (account?.passwordSetAt !== actor.passwordSetAt || account.isDisabled)
    throw new Refusal('unauthorized')
}

/** By username alone, as on the server's command line. */
export async function findAdminByName(db: Db, username: string): Promise<AdminAccount | undefined> {
  const name = username.toLowerCase()
  return (await listAdmins(db)).find((admin) => admin.username.toLowerCase() === name)
}

/** A disabled admin is signed out at once, and cannot sign in until enabled again. Invitations they made end. */
export async function setDisabled(
  db: Db,
  id: string,
  isDisabled: boolean,
  actor: AccountActor,
): Promise<void> {
  await db.transaction(async (tx) => {
    const admin = await getAdmin(tx, id)
    await assertStillProven(tx, actor)
    if (admin.isDisabled === isDisabled) return
    if (isDisabled) await assertNotLast(tx, admin)
    await tx
      .update(credentials)
      .set({ disabledAt: isDisabled ? sql`now()` : null })
      .where(eq(credentials.userId, id))
    if (isDisabled) {
      await deleteSessionsOf(tx, id)
      await deleteInvitesOf(tx, id)
    }
    const action = isDisabled ? 'admin-disabled' : 'admin-enabled'
    await recordAudit(tx, actor, { action, subject: id, detail: { username: admin.username } })
  })
}

/** What the admin did stays, under a name of a former admin; their open invitations go with them. */
export async function removeAdmin(db: Db, id: string, actor: AccountActor): Promise<void> {
  await db.transaction(async (tx) => {
    const { username, email, ...admin } = await getAdmin(tx, id)
    await assertStillProven(tx, actor)
    if (!admin.isDisabled) await assertNotLast(tx, admin)
    await deleteSessionsOf(tx, id)
    await tx.delete(users).where(eq(users.id, id))
    const detail = { username, email }
    await recordAudit(tx, actor, { action: 'admin-removed', subject: id, detail })
  })
}

/** Deletes the invitations that this admin made. Returns their number. */
async function deleteInvitesOf(tx: Db, id: string): Promise<number> {
  const { rowCount } = await tx.delete(adminInvites).where(eq(adminInvites.invitedBy, id))
  return rowCount ?? 0
}

async function getAdmin(tx: Db, id: string): Promise<AdminAccount> {
  await lockAdmins(tx)
  const admin = (await listAdmins(tx)).find((known) => known.id === id)
  if (!admin) throw new Refusal('admin-missing')
  return admin
}

async function assertNotLast(tx: Db, { id }: { id: string }): Promise<void> {
  const others = await tx.$count(
    credentials,
    and(ne(credentials.userId, id), isNull(credentials.disabledAt)),
  )
  if (others === 0) throw new Refusal('last-admin')
}

/** The username of the first admin, if it has an easy password from the shop's time in test mode. */
export async function findWeakAdmin(db: Db): Promise<string | undefined> {
  const [found] = await db
    .select({ username: credentials.username })
    .from(credentials)
    .where(and(eq(credentials.isWeak, true), isNull(credentials.disabledAt)))
    .limit(1)
  return found?.username
}

export function firstLoginFile(dataDir: string): string {
  return join(dataDir, 'first-login.txt')
}

type FirstAdminOptions = { dataDir: string; isLive: boolean; say?: (line: string) => void }

/**
 * Creates an admin in a shop that has none. A generated password is returned, to be shown once, and stored in a file
 * that only its owner can read; a password from the settings is neither shown nor written down.
 */
export async function ensureFirstAdmin(
  db: Db,
  wanted: Omit<NewAdmin, 'password'> & { password: string | undefined },
  { dataDir, isLive, say }: FirstAdminOptions,
): Promise<{ username: string; password: string } | undefined> {
  const fault = wanted.password && (await findPasswordFault(wanted.password, wanted))
  const { username, email, password = generatePassword() } = wanted
  // Before the transaction: on a busy machine it takes longer than a transaction may rest.
  const isFirstStart = (await listAdmins(db)).length === 0
  const passwordHash = isFirstStart ? await hashPassword(password) : undefined
  return db.transaction(async (tx) => {
    await lockAdmins(tx)
    const hasAdmin = (await listAdmins(tx)).length > 0
    if (fault && isLive) {
      // An admin may still have this password from the shop's time in test mode.
      const weak = await findWeakAdmin(tx)
      if (!hasAdmin || weak)
        throw new CannotStart(
          `ADMIN_PASSWORD cannot be used by a shop that takes money. ${refusals[fault].text} If there is an admin already, change that password with npm run admin -- reset ${weak ?? wanted.username} and remove ADMIN_PASSWORD.`,
        )
      say?.('Note: ADMIN_PASSWORD is easy to guess. No admin has it any more: please remove it.')
    }
    if (hasAdmin || passwordHash === undefined) return undefined
    const isWeak = Boolean(fault)
    const isGenerated = !wanted.password
    const admin = { username, email, passwordHash, isWeak, isGenerated }
    await insertAdmin(tx, admin, shellActor)
    if (wanted.password) return undefined
    // Before the commit: a crash in between leaves no admin instead of an unknown password.
    await writeFirstLogin(dataDir, username, password)
    return { username, password }
  })
}

async function writeFirstLogin(dataDir: string, username: string, password: string): Promise<void> {
  await createDataDir(dataDir)
  const file = firstLoginFile(dataDir)
  // The mode only applies to a new file.
  await rm(file, { force: true })
  const text = `Username: ${username}\nPassword: ${password}\n\nDelete this file once you have the password in a safe place.\n`
  await writeFile(file, text, { mode: 0o600 })
}
