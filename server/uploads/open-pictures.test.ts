import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { readConfig } from '#server/config.ts'
import { startS3 } from '#server/testing/s3-server.ts'
import { temporaryFolder } from '#server/testing/temporary-folder.ts'
import { openTestDatabase } from '#server/testing/test-database.ts'
import { testSecret } from '#server/testing/test-shop.ts'
import { identifyPictureStore, openPictures } from './open-pictures.ts'

const { db } = await openTestDatabase()
const DATABASE_URL = 'postgres://127.0.0.1:1/never-connected-to'

async function identify(environment: Record<string, string>): Promise<string> {
  const config = readConfig({ DATABASE_URL, DATA_DIR: temporaryFolder(), ...environment })
  return identifyPictureStore(config, await openPictures(config, testSecret), db)
}

test('nodes that share a folder agree on it, also if they start at once', async () => {
  const folder = { DATA_DIR: temporaryFolder() }
  const first = await Promise.all([identify(folder), identify(folder), identify(folder)])
  assert.equal(new Set([...first, await identify(folder)]).size, 1)
  assert.match(first[0], /^folder [0-9a-f-]{36}$/)
  assert.notEqual(await identify({}), first[0])
  assert.deepEqual(await readdir(join(folder.DATA_DIR, 'objects', 'work')), [])
})

test('buckets are told apart by more than their name', async () => {
  const [one, other] = [await startS3(), await startS3()]
  const first = await Promise.all([identify(one.environment), identify(one.environment)])
  assert.equal(new Set([...first, await identify(one.environment)]).size, 1)
  assert.match(first[0], /^bucket \S+ [0-9a-f-]{36}$/)
  assert.notEqual(await identify(other.environment), first[0])
  await one.stop()
  assert.equal(await identify(one.environment), first[0].replace(/ [^ ]+$/, ''))
})

test('a folder that cannot be written to is known by its path, and the shop starts', async () => {
  const dataDir = temporaryFolder()
  const config = readConfig({ DATABASE_URL, DATA_DIR: dataDir })
  const pictures = await openPictures(config, testSecret)
  const store = { ...pictures.store, writeFile: () => Promise.reject(new Error('ENOSPC')) }
  assert.equal(
    await identifyPictureStore(config, { ...pictures, store }, db),
    `folder ${hostname()}:${dataDir}`,
  )
})

test('a shop with its own database writes nothing to be known by', async () => {
  const dataDir = temporaryFolder()
  const config = readConfig({ DATA_DIR: dataDir })
  const pictures = await openPictures(config, testSecret)
  assert.equal(await identifyPictureStore(config, pictures, db), 'folder')
  assert.deepEqual(await readdir(join(dataDir, 'objects', 'stored')), [])
})
