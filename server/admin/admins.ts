import { eq, sql } from '#server/db/drizzle.ts'
import type { AdminUser } from '#contract/admin.ts'
import type { Db } from '#server/db/database.ts'
import { credentials, users } from '#server/db/admin-schema.ts'
import { hashPassword } from './passwords.ts'
import { closeSessionsOf } from './sessions.ts'

export type NewAdmin = { username: string; email: string; password: string }

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

/** Whoever held a session with the old password is signed out. Answers false when there is no such admin. */
export async function changePassword(db: Db, username: string, password: string): Promise<boolean> {
  const passwordHash = await hashPassword(password)
  return db.transaction(async (tx) => {
    const [changed] = await tx
      .update(credentials)
      .set({ passwordHash, updatedAt: sql`now()` })
      .where(sql`lower(${credentials.username}) = lower(${username})`)
      .returning({ userId: credentials.userId })
    if (changed) await closeSessionsOf(tx, changed.userId)
    return changed !== undefined
  })
}

/** The same password at today's strength. Sessions go on. */
export async function renewHash(db: Db, userId: string, password: string): Promise<void> {
  const passwordHash = await hashPassword(password)
  await db.update(credentials).set({ passwordHash }).where(eq(credentials.userId, userId))
}
