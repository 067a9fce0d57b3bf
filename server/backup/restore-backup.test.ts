import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { before, test } from 'node:test'
import { objectUrl } from '#contract/pictures.ts'
import { productSchema } from '#contract/products.ts'
import { createProduct } from '#server/catalog/products.ts'
import { madeBeforeFirstRelease } from '#server/cannot-start.ts'
import { readConfig } from '#server/config.ts'
import type { Database } from '#server/db/database.ts'
import { sql } from '#server/db/drizzle.ts'
import { listTables, migrate, readHistory, readMigrations } from '#server/db/migrate.ts'
import { findRestored } from '#server/db/restored.ts'
import { recordHeartbeat, joinNodes, leaveNodes } from '#server/db/nodes.ts'
import { sessions } from '#server/db/admin-schema.ts'
import { orderNotes } from '#server/db/order-schema.ts'
import { orders } from '#server/db/schema.ts'
import { recordAudit, shellActor } from '#server/http/audit.ts'
import { countMatches, type OrderSearch } from '#server/orders/search.ts'
import {
  backUp,
  hashTables,
  openEmptyDatabase,
  restore,
  runKilled,
  sourceOf,
} from '#server/testing/backups.ts'
import { addMug, createBuyer, payByCard } from '#server/testing/buyer.ts'
import { addOrder } from '#server/testing/mails.ts'
import { createPng, openPictureClient } from '#server/testing/pictures.ts'
import { startS3 } from '#server/testing/s3-server.ts'
import { temporaryFolder } from '#server/testing/temporary-folder.ts'
import { templateDatabase } from '#server/testing/test-database.ts'
import { openTestShop, testSecret } from '#server/testing/test-shop.ts'
import { openPictures } from '#server/uploads/open-pictures.ts'
import { listFileNames, type PictureStore } from '#server/uploads/picture-store.ts'
import { createBackup } from './create-backup.ts'
import { checkBackup } from './restore-backup.ts'

const folder = temporaryFolder()
const shop = await openTestShop()
const pictures = await openPictureClient(shop)
const { store } = shop.shop.pictures
const generated = 'a'.repeat(64)
let file = ''
let key = ''

before(async () => {
  ;({ key } = await pictures.upload(await createPng(20_000)))
  const product = { name: 'Mug\n"with"\ttabs\\', price: '49.00', headerLogoUrl: objectUrl(key) }
  await createProduct(shop.db, productSchema.parse(product), 'admin')
  const mug = await addMug(shop)
  for (let count = 0; count < 3; count += 1) {
    const buyer = createBuyer(shop)
    const checkoutId = await buyer.arrive(mug)
    await payByCard(shop.sandbox, checkoutId)
    assert.equal((await buyer.order(checkoutId)).statusCode, 201)
  }
  const [order] = await shop.db.select().from(orders)
  const note = { orderId: order?.id ?? '', author: 'admin', text: 'Wants it as a gift' }
  await shop.db.insert(orderNotes).values(note)
  await recordAudit(shop.db, shellActor, { action: 'sign-out' })
  const source = { ...sourceOf(shop.shop), secret: { value: generated, isGenerated: true } }
  file = await backUp(source, join(folder, 'shop.backup'))
})

async function openTarget(
  options: { database?: Database; environment?: Record<string, string>; store?: PictureStore } = {},
) {
  const { database = await openEmptyDatabase() } = options
  const dataDir = temporaryFolder()
  const config = readConfig({ DATA_DIR: dataDir, ...options.environment })
  const { store } = options.store ? { store: options.store } : await openPictures(config, '')
  return { ...database, store, dataDir, sessionSecret: config.sessionSecret }
}

/** All but the jobs, which are due again after a restore, that it was restored, and who is signed in or runs. */
function withoutVolatile(hashes: Record<string, string>) {
  const { node_jobs: _jobs, restored_backups: _restored, ...others } = hashes
  const { nodes: _nodes, sessions: _sessions, ...rest } = others
  return rest
}

async function readFile(store: PictureStore, name: string): Promise<Buffer | undefined> {
  const found = await store.findFile(name)
  return found && buffer(found.bytes)
}

async function isEmpty({ pool }: Database): Promise<boolean> {
  const { orders: count = '0 ' } = await hashTables(pool)
  return count === '0 '
}

test('every table of the shop is in the backup but that of its processes', async () => {
  const { rows } = await shop.db.execute<{ name: string }>(
    sql`select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`,
  )
  const { manifest } = await checkBackup(file)
  const names = rows.map(({ name }) => name).toSorted()
  assert.deepEqual(
    manifest.tables.map(({ name }) => name),
    names.filter((name) => name !== 'nodes'),
  )
  assert.deepEqual(listTables(await readMigrations()).toSorted(), names)
  assert.equal(manifest.tables.find(({ name }) => name === 'orders')?.rows, 3)
})

test('a shop is restored as it was: every row, picture and secret, from disk to S3', async () => {
  const s3 = await startS3()
  const target = await openTarget({ environment: s3.environment })
  await restore(target, file)
  assert.deepEqual(
    withoutVolatile(await hashTables(target.pool)),
    withoutVolatile(await hashTables(shop.shop.pool)),
  )
  for (const name of listFileNames(key))
    assert.deepEqual(await readFile(target.store, name), await readFile(store, name), name)
  assert.equal(readFileSync(join(target.dataDir, 'secret'), 'utf8'), generated)
  assert.equal(statSync(join(target.dataDir, 'secret')).mode & 0o777, 0o600)
})

test('a restored shop goes on: numbers and search of new rows are right, jobs are due', async () => {
  const target = await openTarget()
  const { db } = target
  await restore(target, file)
  await recordAudit(db, shellActor, { action: 'sign-out' })
  const added = await addOrder(db)
  // The shop that was backed up gives its own next numbers meanwhile.
  assert.equal(added.number, 1003 + 10_001)
  const [note] = await db.select().from(orderNotes)
  assert.equal(note?.text, 'Wants it as a gift')
  const search: OrderSearch = { words: ['mug'], includesTest: true, sort: 'newest' }
  assert.equal(await countMatches(db, search, 10), 4)
  await assert.rejects(db.delete(orders), 'timelines refer to orders')
  const { manifest } = await checkBackup(file)
  assert.equal((await findRestored(db))?.backupAt.toISOString(), manifest.createdAt)
  const { rows } = await db.execute(
    sql`select from node_jobs where held_until > now() union all
      select from pg_index where not indisvalid`,
  )
  assert.equal(rows.length, 0)
})

test('the indexes and keys after a restore are those of a migrated database', async () => {
  const list = async ({ pool }: Pick<Database, 'pool'>) =>
    (
      await pool.query(`select pg_get_indexdef(indexrelid) as text from pg_index
        join pg_class on oid = indrelid where relnamespace = 'public'::regnamespace
        union select conrelid::regclass || conname || pg_get_constraintdef(oid) from pg_constraint
        where connamespace = 'public'::regnamespace order by 1`)
    ).rows
  const target = await openTarget()
  await restore(target, file)
  assert.deepEqual(await list(target), await list(shop.shop))
})

test('an encrypted backup is restored with its passphrase only', async () => {
  const secret = join(folder, 'encrypted.backup')
  await createBackup(sourceOf(shop.shop), secret, { passphrase: 'correct horse battery' })
  const target = await openTarget({ environment: { SESSION_SECRET: testSecret } })
  await assert.rejects(restore(target, secret), /is encrypted. Set BACKUP_PASSPHRASE/)
  const wrong = { askPassphrase: async () => 'correct horse batterY' }
  await assert.rejects(restore(target, secret, wrong), /The passphrase does not open/)
  await restore(target, secret, { askPassphrase: async () => 'correct horse battery' })
  assert.equal(await target.db.$count(orders), 3)
  assert.ok(!existsSync(join(target.dataDir, 'secret')), 'it came from the settings')
})

test('a shop in use is never restored into, one that was only started is', async () => {
  const used = await openTarget({ database: await openEmptyDatabase(templateDatabase) })
  await addMug(used)
  const before = await hashTables(used.pool)
  await assert.rejects(restore(used, file), /This shop is in use: it has products/)
  assert.deepEqual(await hashTables(used.pool), before)

  const started = await openTarget({ database: await openEmptyDatabase(templateDatabase) })
  await recordAudit(started.db, shellActor, { action: 'sign-in' })
  await restore(started, file)
  assert.deepEqual(
    withoutVolatile(await hashTables(started.pool)),
    withoutVolatile(await hashTables(shop.shop.pool)),
  )
})

test('a database that a shop runs on is not restored into', async () => {
  const target = await openTarget({ database: await openEmptyDatabase(templateDatabase) })
  const { db } = target
  const facts = { name: 'one:3000', secretPrint: 'a', pictureStore: 'folder x', poolSize: 1 }
  const deps = { db, isAlone: false, isPooled: false, say: () => {} }
  const node = await joinNodes(facts, deps)
  const stopping = new AbortController()
  const beating = (async () => {
    while (!stopping.signal.aborted) await recordHeartbeat(db, node)
  })()
  try {
    await assert.rejects(restore(target, file), /A shop is running on this database. Stop it first/)
  } finally {
    stopping.abort()
    await beating
  }
  await leaveNodes(db, node)
  await restore(target, file)
})

test('a killed shop delays a restore for seconds only', async () => {
  const target = await openTarget({ database: await openEmptyDatabase(templateDatabase) })
  const { db } = target
  const facts = { name: 'one:3000', secretPrint: 'a', pictureStore: 'folder x', poolSize: 1 }
  await joinNodes(facts, { db, isAlone: false, isPooled: false, say: () => {} })
  await db.execute(sql`update nodes set seen_at = now() + interval '1 day'`)
  await restore(target, file)
  const { rows } = await db.execute(sql`select from nodes`)
  assert.equal(rows.length, 0, 'the first start warns of no other secret')
})

test('everybody signs in again after a restore', async () => {
  assert.ok((await shop.db.$count(sessions)) > 0)
  const target = await openTarget()
  await restore(target, file)
  assert.equal(await target.db.$count(sessions), 0)
})

test('with another secret a shop is restored only on request', async () => {
  const environment = { SESSION_SECRET: 'another secret than the one of the shop' }
  const target = await openTarget({ environment })
  await assert.rejects(restore(target, file), /SESSION_SECRET of this backup's shop is another one/)
  assert.ok(await isEmpty(target))
  await restore({ ...target, acceptsOtherSecret: true }, file)
  const fromSettings = await backUp(sourceOf(shop.shop), join(folder, 'from-settings.backup'))
  await assert.rejects(
    restore(await openTarget(), fromSettings),
    /is missing here. Set the one it had/,
  )
})

test('a damaged file is refused before anything is written', async () => {
  const bytes = readFileSync(file)
  const target = await openTarget()
  const broken = join(folder, 'broken.backup')
  for (const at of [300, bytes.length >> 1, bytes.length - 5]) {
    writeFileSync(broken, bytes.subarray(0, at))
    await assert.rejects(restore(target, broken), /is cut off or damaged/)
    writeFileSync(broken, bytes.with(at, (bytes[at] ?? 0) ^ 4))
    await assert.rejects(restore(target, broken), /is cut off or damaged/)
  }
  assert.deepEqual(await hashTables(target.pool), {})
  assert.deepEqual(readdirSync(join(target.dataDir, 'objects', 'stored')), [])
})

test('a backup of an older schema is restored and migrated, also into an empty shop with the newer one', async () => {
  const migrations = await readMigrations()
  const version = migrations.length + 1
  const added = {
    version,
    name: 'sizes',
    checksum: 'sizes',
    sql: "alter table products add column size text not null default 'large'",
  }
  const newer = [...migrations, added]
  const empty = await openTarget()
  const started = await openTarget({ database: await openEmptyDatabase(templateDatabase) })
  await migrate(started.pool, newer)
  for (const target of [empty, started]) {
    await restore(target, file, { migrations: newer })
    assert.equal((await readHistory(target.pool, newer)).length, version)
    const { rows } = await target.pool.query("select from products where size = 'large'")
    assert.equal(rows.length, 2)
  }
})

test('a database from before 1.0 is neither backed up nor restored into, and nothing in it changes', async () => {
  const target = await openTarget({ database: await openEmptyDatabase(templateDatabase) })
  await target.pool.query("update till_migrations set checksum = 'another' where version = 1")
  const before = await hashTables(target.pool)
  const refusal = { name: 'CannotStart', message: madeBeforeFirstRelease }
  await assert.rejects(restore(target, file), refusal)
  assert.deepEqual(await hashTables(target.pool), before)
  const source = { ...sourceOf(shop.shop), pool: target.pool }
  await assert.rejects(createBackup(source, join(folder, 'before.backup')), refusal)
  assert.ok(!existsSync(join(folder, 'before.backup')))
})

test('a backup that is killed leaves no file that looks complete', async () => {
  const dataDir = temporaryFolder()
  const killed = join(dataDir, 'killed.backup')
  await runKilled({ kind: 'backup', file: killed, dataDir }, shop.shop.pool)
  const [left = '', ...more] = readdirSync(dataDir)
  assert.deepEqual(more, [])
  assert.match(left, /^killed\.backup\.[0-9a-f]{8}\.partial$/)
  await assert.rejects(checkBackup(join(dataDir, left)), /is cut off or damaged|is not a backup/)
})

test('a restore that is killed leaves an empty shop, which can be restored again', async () => {
  const target = await openTarget()
  const { dataDir } = target
  await runKilled({ kind: 'restore', file, dataDir }, target.pool)
  assert.ok(await isEmpty(target))
  assert.ok(!existsSync(join(dataDir, 'secret')))
  await restore(target, file)
  assert.deepEqual(
    withoutVolatile(await hashTables(target.pool)),
    withoutVolatile(await hashTables(shop.shop.pool)),
  )
})

test('a store that does not answer fails the backup in one sentence', async () => {
  const s3 = await startS3()
  const { store } = await openTarget({ environment: s3.environment })
  await s3.stop()
  await assert.rejects(
    createBackup({ ...sourceOf(shop.shop), store }, join(folder, 'away.backup')),
    /The pictures could not be read: The bucket pictures at .* does not answer/,
  )
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.startsWith('away')),
    [],
  )
})

test('nothing is overwritten', async () => {
  await assert.rejects(backUp(sourceOf(shop.shop), file), /exists already. Nothing is overwritten/)
})
