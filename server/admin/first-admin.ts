import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from '#server/db/drizzle.ts'
import type { Db } from '#server/db/database.ts'
import { addAdmin, listAdmins, type NewAdmin } from './admins.ts'
import { makePassword } from './passwords.ts'

/** Any number that no other advisory lock of ours uses. */
const firstAdminLock = 7_411_002

export function firstLoginFile(dataDir: string): string {
  return join(dataDir, 'first-login.txt')
}

/**
 * A shop without an admin gets one. A password that we made is answered, to be shown once, and is kept
 * in a file only its owner can read; a password from the settings is neither shown nor written down.
 */
export async function ensureFirstAdmin(
  db: Db,
  wanted: Omit<NewAdmin, 'password'> & { password: string | undefined },
  dataDir: string,
): Promise<{ username: string; password: string } | undefined> {
  return db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${firstAdminLock})`)
    if ((await listAdmins(tx)).length > 0) return undefined
    const password = wanted.password ?? makePassword()
    await addAdmin(tx, { ...wanted, password })
    if (wanted.password) return undefined
    // Written before the commit: a crash in between leaves no admin rather than an unknown password.
    await writeFirstLogin(dataDir, wanted.username, password)
    return { username: wanted.username, password }
  })
}

async function writeFirstLogin(dataDir: string, username: string, password: string): Promise<void> {
  await mkdir(dataDir, { recursive: true })
  const file = firstLoginFile(dataDir)
  // The mode below counts only for a new file.
  await rm(file, { force: true })
  const text = `Username: ${username}\nPassword: ${password}\n\nDelete this file once you have the password in a safe place.\n`
  await writeFile(file, text, { mode: 0o600 })
}
