import assert from 'node:assert/strict'
import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { zstdCompressSync } from 'node:zlib'
import { packTar } from 'modern-tar'
import { madeBeforeFirstRelease } from '#server/cannot-start.ts'
import { readConfig } from '#server/config.ts'
import {
  adminInvites,
  credentials,
  settingsRowId,
  shopSettings,
  users,
} from '#server/db/admin-schema.ts'
import { backUp, openEmptyDatabase } from '#server/testing/backups.ts'
import { temporaryFolder } from '#server/testing/temporary-folder.ts'
import { templateDatabase } from '#server/testing/test-database.ts'
import { openPictures } from '#server/uploads/open-pictures.ts'
import { checkBackup } from './restore-backup.ts'

const key = 'a'.repeat(32)
const { pool } = await openEmptyDatabase(templateDatabase)
const { store } = await openPictures(readConfig({ DATA_DIR: temporaryFolder() }), '')
const source = { pool, store, secret: { value: 'a'.repeat(64), isGenerated: true } }
const file = await backUp(source, join(temporaryFolder(), 'shop.backup'))

async function writeFiles(files: { name: string; content: string | Buffer }[]): Promise<string> {
  const path = join(temporaryFolder(), 'made.backup')
  const tar = await packTar(
    files.map(({ name, content }) => ({ header: { name, size: content.length }, body: content })),
  )
  writeFileSync(path, zstdCompressSync(tar))
  return path
}

async function readManifest() {
  const { manifest, end } = await checkBackup(file)
  return { manifest: { format: 3, ...manifest }, end }
}

test('a small file that unpacks to much is refused as soon as something is larger than can be', async () => {
  const { manifest } = await readManifest()
  const first = { name: 'manifest.json', content: JSON.stringify(manifest) }
  const large = [
    { name: 'manifest.json', content: Buffer.alloc(17 * 1024 * 1024) },
    { name: 'secret', content: Buffer.alloc(2_000) },
    { name: `pictures/image/png/${key}`, content: Buffer.alloc(65 * 1024 * 1024) },
    { name: 'tables/products/000002.copy', content: Buffer.alloc(1_000_000) },
    { name: 'tables/products/000002.copy', content: Buffer.alloc(1_000_000, '\n') },
    { name: 'tables/products/000002.copy', content: Buffer.alloc(65 * 1024 * 1024) },
    { name: 'tables/no_table/000002.copy', content: '1\n' },
    { name: `pictures/text/html/${key}`, content: 'x' },
    { name: 'pictures/image/png/../../../secret', content: 'x' },
    { name: 'beyond', content: '' },
  ]
  for (const entry of large) {
    const isFirst = entry.name === first.name
    const path = await writeFiles([...(isFirst ? [] : [first]), entry])
    assert.ok(statSync(path).size < 33_000)
    await assert.rejects(checkBackup(path), /is cut off or damaged/, entry.name)
  }
})

test('a backup with fewer rows than its manifest names is refused', async () => {
  const { manifest, end } = await readManifest()
  const migrations = [...manifest.migrations, { version: 99, name: 'x', checksum: 'x' }]
  const write = (changed: Partial<typeof manifest>) =>
    writeFiles([
      { name: 'manifest.json', content: JSON.stringify({ ...manifest, ...changed }) },
      { name: 'end.json', content: JSON.stringify(end) },
    ])
  await assert.rejects(checkBackup(await write({})), /is cut off or damaged/)
  await assert.rejects(checkBackup(await write({ format: 4 })), /written by a newer Till/)
  await assert.rejects(
    checkBackup(await write({ migrations })),
    /but this Till knows only version \d+: restore it with the newer one/,
  )
  const altered = manifest.migrations.map((one) => ({ ...one, checksum: 'x' }))
  await assert.rejects(checkBackup(await write({ migrations: altered })), {
    message: madeBeforeFirstRelease,
  })
})

test('a checked backup tells whose shop it is, as its rows say and whatever its manifest does', async () => {
  const { db, pool } = await openEmptyDatabase(templateDatabase)
  const add = async (username: string, disabledAt: Date | null = null) => {
    const email = `${username.length}@example.com`
    const [user] = await db.insert(users).values({ email }).returning()
    const userId = user?.id ?? ''
    await db.insert(credentials).values({ userId, username, passwordHash: 'none', disabledAt })
    return userId
  }
  const invitedBy = await add('anna')
  await add('b\\N\t"c"\n\u001b[2K', new Date())
  const expiresAt = new Date(Date.now() + 86_400_000)
  const invite = { tokenHash: 'x', email: 'mia@example.com', invitedBy, expiresAt }
  await db.insert(adminInvites).values(invite)
  const address = { publicUrl: 'https://shop.example.com', customDomain: 'pay.example.com' }
  const values = { address, sumup: { merchantCode: 'MDECOY' } }
  await db.insert(shopSettings).values({ id: 'decoy', version: 1, values: { sumup: values.sumup } })
  const ofShop = { ...values, sumup: { merchantCode: 'MCODE1', apiKey: 'x' } }
  await db.insert(shopSettings).values({ id: settingsRowId, version: 1, values: ofShop })

  const { facts } = await checkBackup(
    await backUp({ ...source, pool }, join(temporaryFolder(), 'facts.backup')),
  )
  const byLength = facts.admins.toSorted((one, other) => one.email.localeCompare(other.email))
  assert.deepEqual(
    { ...facts, admins: byLength },
    {
      admins: [
        { username: 'b\\N\t"c"\n\u001b[2K', email: '12@example.com', isDisabled: true },
        { username: 'anna', email: '4@example.com', isDisabled: false },
      ],
      invited: ['mia@example.com'],
      ...address,
      merchantCode: 'MCODE1',
    },
  )
})
