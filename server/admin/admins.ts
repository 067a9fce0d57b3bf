import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { AdminUser } from '#contract/admin.ts'
import { credentials, users } from '#server/db/admin-schema.ts'
import type { Db } from '#server/db/database.ts'
import { eq, sql } from '#server/db/drizzle.ts'
import { generatePassword, hashPassword } from './passwords.ts'
import { deleteSessionsOf } from './sessions.ts'

type NewAdmin = { username: string; email: string; password: string }

export async function listAdmins(db: Db): Promise<AdminUser[]> {
  return db
    .select({ id: users.id, email: users.email, username: credentials.username })
    .from(credentials)
    .innerJoin(users, eq(users.id, credentials.userId))
    .orderBy(users.createdAt)
}

export async function addAdmin(db: Db, admin: NewAdmin): Promise<AdminUser> {
  const passwordHash = await hashPassword(admin.password)
  return db.transaction(async (tx) => {
    const [user] = await tx.insert(users).values({ email: admin.email }).returning({ id: users.id })
    if (!user) throw new Error('adding a user returned no row')
    await tx.insert(credentials).values({ userId: user.id, username: admin.username, passwordHash })
    return { id: user.id, email: admin.email, username: admin.username }
  })
}

/** Signs the admin out everywhere. Returns false when there is no such admin. */
export async function changePassword(db: Db, username: string, password: string): Promise<boolean> {
  const passwordHash = await hashPassword(password)
  return db.transaction(async (tx) => {
    const [changed] = await tx
      .update(credentials)
      .set({ passwordHash, updatedAt: sql`now()` })
      .where(sql`lower(${credentials.username}) = lower(${username})`)
      .returning({ userId: credentials.userId })
    if (changed) await deleteSessionsOf(tx, changed.userId)
    return changed !== undefined
  })
}

/** Stores the same password at the current strength. Sessions stay. */
export async function rehashPassword(db: Db, userId: string, password: string): Promise<void> {
  const passwordHash = await hashPassword(password)
  await db.update(credentials).set({ passwordHash }).where(eq(credentials.userId, userId))
}

/** Must differ from all other advisory locks of ours. */
const firstAdminLock = 7_411_002

export function firstLoginFile(dataDir: string): string {
  return join(dataDir, 'first-login.txt')
}

/**
 * Creates an admin in a shop that has none. A generated password is returned, to be shown once, and stored in a file
 * that only its owner can read; a password from the settings is neither shown nor written down.
 */
export async function ensureFirstAdmin(
  db: Db,
  wanted: Omit<NewAdmin, 'password'> & { password: string | undefined },
  dataDir: string,
): Promise<{ username: string; password: string } | undefined> {
  return db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${firstAdminLock})`)
    if ((await listAdmins(tx)).length > 0) return undefined
    const password = wanted.password ?? generatePassword()
    await addAdmin(tx, { ...wanted, password })
    if (wanted.password) return undefined
    // Before the commit: a crash in between leaves no admin instead of an unknown password.
    await writeFirstLogin(dataDir, wanted.username, password)
    return { username: wanted.username, password }
  })
}

async function writeFirstLogin(dataDir: string, username: string, password: string): Promise<void> {
  await mkdir(dataDir, { recursive: true })
  const file = firstLoginFile(dataDir)
  // The mode only applies to a new file.
  await rm(file, { force: true })
  const text = `Username: ${username}\nPassword: ${password}\n\nDelete this file once you have the password in a safe place.\n`
  await writeFile(file, text, { mode: 0o600 })
}
