import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { spawn } from 'node:child_process'
import type { ClientConfig } from 'pg'
import { makeTestDatabase } from '#server/testing/test-database.ts'
import { migrate, readMigrations, readSchemaVersion } from './migrate.ts'
import * as adminSchema from './admin-schema.ts'
import * as analyticsSchema from './analytics-schema.ts'
import { openDatabase } from './database.ts'
import * as orderListSchema from './order-list-schema.ts'
import * as shopSchema from './schema.ts'

/** Deaf to a database that is dropped while its connections are still saying goodbye. */
const openPool = (connection: ClientConfig) => openDatabase(connection, () => {}).pool

const empty = () => makeTestDatabase('template0')

/** One node of the shop that starts: another process, as in life. */
function startNode(connection: object): Promise<{ code: number | null; errors: string }> {
  const script = `
    import { Pool } from 'pg'
    import { migrate, readMigrations } from '#server/db/migrate.ts'
    const pool = new Pool(${JSON.stringify(connection)})
    await migrate(pool, await readMigrations())
    await pool.end()`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    cwd: join(import.meta.dirname, '..', '..'),
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let errors = ''
  child.stderr.on('data', (text) => (errors += text))
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, errors })))
}

test('eight nodes that start at once on an empty database migrate it once, without error', async () => {
  const connection = await empty()
  const nodes = await Promise.all(Array.from({ length: 8 }, () => startNode(connection)))
  for (const { code, errors } of nodes) assert.equal(code, 0, errors)
  const pool = openPool(connection)
  const { rows } = await pool.query('select count(*)::int as count from till_migrations')
  assert.equal(rows[0].count, (await readMigrations()).length)
  await pool.end()
})

test('a database newer than the code is refused, with both versions named', async () => {
  const pool = openPool(await empty())
  const migrations = await readMigrations()
  const next = {
    version: migrations.length + 1,
    name: '9999_future',
    sql: 'select 1',
    checksum: 'x',
  }
  await migrate(pool, [...migrations, next])
  const both = new RegExp(`version ${migrations.length + 1}.*version ${migrations.length}`)
  await assert.rejects(migrate(pool, migrations), both)
  await pool.end()
})

test('a migration that fails leaves nothing of itself behind', async () => {
  const pool = openPool(await empty())
  const migrations = await readMigrations()
  const version = migrations.length
  const half = {
    version: version + 1,
    name: 'half',
    sql: 'create table half (); select 1/0',
    checksum: 'x',
  }
  await assert.rejects(migrate(pool, [...migrations, half]), /division by zero/)
  assert.equal(await readSchemaVersion(pool), version)
  await assert.rejects(pool.query('select * from half'), /does not exist/)
  await pool.end()
})

test('a migration that was edited after it was applied is noticed', async () => {
  const pool = openPool(await empty())
  const migrations = await readMigrations()
  await migrate(pool, migrations)
  const edited = migrations.map((migration) => ({ ...migration, checksum: 'other' }))
  await assert.rejects(migrate(pool, edited), /never edited/)
  await pool.end()
})

test('a user who may not add what the search needs is told whom to ask for what', async () => {
  const connection = await empty()
  const owner = openPool(connection)
  const user = `guest_${process.pid}`
  await owner.query(`create role ${user} login`)
  await owner.query(`grant all on schema public to ${user}`)
  const guest = openPool({ ...connection, user })
  await assert.rejects(migrate(guest, await readMigrations()), /CREATE EXTENSION pg_trgm;/)
  await owner.query('create extension pg_trgm')
  await migrate(guest, await readMigrations())
  await guest.end()
  await owner.query(`drop owned by ${user}`)
  await owner.query(`drop role ${user}`)
  await owner.end()
})

test('the committed migrations make exactly the schema of the code', async () => {
  const { generateDrizzleJson, generateMigration } = await import('drizzle-kit/api')
  const folder = join(import.meta.dirname, 'migrations', 'meta')
  const journal = JSON.parse(readFileSync(join(folder, '_journal.json'), 'utf8'))
  const last = String(journal.entries.length - 1).padStart(4, '0')
  const committed = JSON.parse(readFileSync(join(folder, `${last}_snapshot.json`), 'utf8'))
  const missing = await generateMigration(
    committed,
    generateDrizzleJson(
      { ...shopSchema, ...orderListSchema, ...adminSchema, ...analyticsSchema },
      committed.id,
    ),
  )
  assert.deepEqual(missing, [], 'run: npm run migration -- what-changed')
})
