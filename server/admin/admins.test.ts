import assert from 'node:assert/strict'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Db } from '#server/db/database.ts'
import { temporaryFolder } from '#server/testing/temporary-folder.ts'
import { openTestDatabase } from '#server/testing/test-database.ts'
import { ensureFirstAdmin, firstLoginFile, listAdmins } from './admins.ts'
import { signIn } from './sign-in.ts'

const dataDir = temporaryFolder()
const fromHere = { address: '::1', addressKey: '::1', deviceToken: undefined }
const shopOf = (db: Db) => ({ db, secret: 'a secret of a test'.padEnd(32) })
const inTestMode = { dataDir, isLive: false }
const wanted = { username: 'admin', email: 'admin@example.com', password: undefined }

test('a new shop creates one admin, however many nodes start at once, and shows the password once', async () => {
  const { db } = await openTestDatabase()
  const starts = await Promise.all([1, 2, 3].map(() => ensureFirstAdmin(db, wanted, inTestMode)))
  const shown = starts.filter((start) => start !== undefined)
  assert.equal(shown.length, 1)
  assert.equal((await listAdmins(db)).length, 1)
  const password = shown[0]?.password ?? ''
  assert.match(password, /^([a-z2-9]{5}-){3}[a-z2-9]{5}$/)
  assert.match(readFileSync(firstLoginFile(dataDir), 'utf8'), new RegExp(`Password: ${password}`))
  assert.equal(statSync(firstLoginFile(dataDir)).mode & 0o777, 0o600)
  const { admin } = await signIn(shopOf(db), { username: 'admin', password }, fromHere)
  assert.equal(admin.email, 'admin@example.com')
})

test('a password from the settings is used, and neither shown nor written down', async () => {
  const { db } = await openTestDatabase()
  const folder = join(dataDir, 'given')
  const given = { ...wanted, password: 'from the settings' }
  const start = await ensureFirstAdmin(db, given, { dataDir: folder, isLive: true })
  assert.equal(start, undefined)
  assert.equal(existsSync(firstLoginFile(folder)), false)
  await signIn(shopOf(db), { username: 'admin', password: 'from the settings' }, fromHere)
})
