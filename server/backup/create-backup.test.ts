import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { Socket } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { readConfig } from '#server/config.ts'
import { sql } from '#server/db/drizzle.ts'
import { joinNodes } from '#server/db/nodes.ts'
import { fingerprintOf } from '#server/secret.ts'
import { openEmptyDatabase, sourceOf } from '#server/testing/backups.ts'
import { createPng, openPictureClient } from '#server/testing/pictures.ts'
import { temporaryFolder } from '#server/testing/temporary-folder.ts'
import { templateDatabase } from '#server/testing/test-database.ts'
import { openTestShop } from '#server/testing/test-shop.ts'
import { openPictures } from '#server/uploads/open-pictures.ts'
import { listFileNames } from '#server/uploads/picture-store.ts'
import { createBackup } from './create-backup.ts'
import { checkBackup } from './restore-backup.ts'

const folder = temporaryFolder()
const { store } = await openPictures(readConfig({ DATA_DIR: temporaryFolder() }), '')
const [ours, other] = ['a'.repeat(64), 'b'.repeat(64)] as const

test('pictures that are gone are counted; where all are, a backup by hand fails', async () => {
  const lost = await openTestShop()
  const client = await openPictureClient(lost)
  const first = await client.upload(await createPng(5_000))
  await client.upload(await createPng(6_000))
  await lost.shop.pictures.store.deleteFiles(listFileNames(first.key))
  const { end } = await createBackup(sourceOf(lost.shop), join(folder, 'some.backup'))
  assert.deepEqual([end.pictures, end.missing], [1, 1])
  await checkBackup(join(folder, 'some.backup'))
  const elsewhere = { ...sourceOf(lost.shop), store }
  await assert.rejects(
    createBackup(elsewhere, join(folder, 'none.backup'), { assertsPlace: true }),
    /None of the 2 pictures is in the store. Run the backup where the shop runs/,
  )
  assert.ok(!existsSync(join(folder, 'none.backup')))
})

test('a backup by hand with another secret than that of the shop fails', async () => {
  const { db, pool } = await openEmptyDatabase(templateDatabase)
  const secretPrint = fingerprintOf(ours)
  const facts = { name: 'one:3000', secretPrint, pictureStore: 'folder x', poolSize: 1 }
  await joinNodes(facts, { db, isAlone: false, isPooled: false, say: () => {} })
  const write = (value: string) =>
    createBackup(
      { pool, store, secret: { value, isGenerated: true } },
      join(folder, `${value}.backup`),
      { assertsPlace: true },
    )
  await assert.rejects(write(other), /has another secret than the one here/)
  assert.ok(!existsSync(join(folder, `${other}.backup`)))
  await write(ours)
})

test('a database that goes away ends the backup, and leaves no file', async () => {
  const { db, pool } = await openEmptyDatabase(templateDatabase)
  await db.execute(
    sql`insert into analytics_events (event_type) select repeat('x', 50) from generate_series(1, 50000)`,
  )
  // Cut here and at once: a backup of so little would be done before PostgreSQL was asked to cut it.
  const connection = new Socket()
  pool.options.stream = () => connection
  const onProgress = () => void connection.destroy()
  const lost = temporaryFolder()
  const source = { pool, store, secret: { value: ours, isGenerated: true } }
  await assert.rejects(createBackup(source, join(lost, 'lost.backup'), { onProgress }))
  assert.deepEqual(readdirSync(lost), [])
})
