import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { ClientConfig, Pool } from 'pg'
import { madeBeforeFirstRelease } from '#server/cannot-start.ts'
import { asSuperuser, makeTestDatabase } from '#server/testing/test-database.ts'
import {
  concurrentMarker,
  concurrentStatement,
  isConcurrent,
  migrate,
  readHistory,
  readMigrations,
  splitStatements,
} from './migrate.ts'
import * as adminSchema from './admin-schema.ts'
import * as analyticsSchema from './analytics-schema.ts'
import { openDatabase } from './database.ts'
import * as nodeSchema from './node-schema.ts'
import * as orderSchema from './order-schema.ts'
import * as paymentSchema from './payment-schema.ts'
import * as shopSchema from './schema.ts'

/** Ignores errors from databases that are dropped while connections are still closing. */
const openPool = (connection: ClientConfig) => openDatabase(connection, () => {}).pool

const empty = () => makeTestDatabase('template0')

/** In a process of its own, like a node of the shop. */
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
  assert.equal((await readHistory(pool, migrations)).length, version)
  await assert.rejects(pool.query('select * from half'), /does not exist/)
  await pool.end()
})

test('a migration that was edited after it was applied is refused', async () => {
  const pool = openPool(await empty())
  await migrate(pool, await withNext('select 1'))
  await assert.rejects(migrate(pool, await withNext('select 2')), /never edited/)
  await pool.end()
})

/** A database as a Till before 1.0 left it: its first migration was another one, and others came after it. */
async function openFormerDatabase(): Promise<{ pool: Pool; connection: ClientConfig }> {
  const connection = await empty()
  const pool = openPool(connection)
  await pool.query(`create table users (email text); insert into users values ('owner@example.com');
    create table till_migrations (
      version integer primary key, name text, checksum text, applied_at timestamptz default now());
    insert into till_migrations values (1, '0000_initial', 'of then'), (2, '0001_compared-items', 'too')`)
  return { pool, connection }
}

test('a database from before 1.0 is refused with one sentence, and not changed', async () => {
  const { pool, connection } = await openFormerDatabase()
  const tables = `select relname, relnatts from pg_class where relnamespace = 'public'::regnamespace order by 1`
  const before = (await pool.query(tables)).rows
  await assert.rejects(migrate(pool, await readMigrations()), {
    name: 'CannotStart',
    message: madeBeforeFirstRelease,
  })
  const { code, errors } = await startNode(connection)
  assert.equal(code, 1)
  assert.ok(errors.includes(madeBeforeFirstRelease))
  assert.deepEqual((await pool.query(tables)).rows, before)
  assert.equal((await pool.query('select from till_migrations')).rowCount, 2)
  assert.equal((await pool.query('select from users')).rowCount, 1)
  await pool.end()
})

test('a user who may not create the search extension is told the command for the owner', async () => {
  const connection = await empty()
  const owner = openPool(asSuperuser(connection))
  const user = `guest_${process.pid}`
  await owner.query(`create role ${user} login password 'guest'`)
  await owner.query(`grant all on schema public to ${user}`)
  const guest = openPool({ ...connection, user, password: 'guest' })
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
      {
        ...shopSchema,
        ...adminSchema,
        ...analyticsSchema,
        ...nodeSchema,
        ...orderSchema,
        ...paymentSchema,
      },
      committed.id,
    ),
  )
  assert.deepEqual(missing, [], 'run: npm run migration -- what-changed')
})

/** A migration after all others. */
async function withNext(sql: string) {
  const migrations = await readMigrations()
  const version = migrations.length + 1
  return [...migrations, { version, name: `${version}_next`, sql, checksum: sql }]
}

const buildIndexes = `${concurrentMarker}
-- The second one is what a crash in the middle left to do.
CREATE INDEX CONCURRENTLY "mails_kind_idx" ON "mails" USING btree ("kind");
--> statement-breakpoint
CREATE UNIQUE INDEX CONCURRENTLY "orders_code_key" ON "orders" USING btree ("payment_method");`

test('an index of a large table is built while the shop sells, by one of several nodes', async () => {
  const connection = await empty()
  const pools = [openPool(connection), openPool(connection)]
  const [pool = pools[0]] = pools
  assert.ok(pool)
  await migrate(pool, await readMigrations())
  const next = await withNext(buildIndexes)
  // A sale in the middle of its transaction: a plain index would make all others wait behind it.
  const sale = await pool.connect()
  await sale.query('begin; lock table mails in row exclusive mode')
  const migrating = Promise.all(pools.map((each) => migrate(each, next)))
  const building = `select from pg_stat_activity where query like 'CREATE INDEX CONCURRENTLY%' and datname = current_database()`
  const isBuilt = migrating.then(() => assert.fail('the index was built before the sale ended'))
  isBuilt.catch(() => {})
  while ((await pool.query(building)).rowCount === 0) await Promise.race([delay(10), isBuilt])
  await pool.query("insert into mails (order_id, kind) select id, 'x' from orders")
  await sale.query('commit')
  sale.release()
  await migrating
  assert.equal((await readHistory(pool, next)).length, next.length)
  await Promise.all(pools.map((each) => each.end()))
})

test('a concurrent migration that was broken off goes on where it was', async () => {
  const pool = openPool(await empty())
  await migrate(pool, await readMigrations())
  const product = `insert into products (name, price, header_logo_url, created_by) values ('Mug', 1, 'x', 'x') returning id`
  const { id } = (await pool.query(product)).rows[0]
  for (let count = 0; count < 2; count += 1)
    await pool.query(
      `insert into orders (product_id, product, shipping_address, amount, currency, payment_method)
        values ($1, '{}', '{}', 1, 'EUR', 'same')`,
      [id],
    )
  const next = await withNext(buildIndexes)
  await assert.rejects(migrate(pool, next), /orders_code_key/)
  const indexes = `select relname, indisvalid from pg_index join pg_class on pg_class.oid = indexrelid
    where relname in ('mails_kind_idx', 'orders_code_key') order by 1`
  assert.deepEqual((await pool.query(indexes)).rows, [
    { relname: 'mails_kind_idx', indisvalid: true },
    { relname: 'orders_code_key', indisvalid: false },
  ])
  await pool.query('update orders set payment_method = id::text')
  await migrate(pool, next)
  assert.deepEqual((await pool.query(indexes)).rows, [
    { relname: 'mails_kind_idx', indisvalid: true },
    { relname: 'orders_code_key', indisvalid: true },
  ])
  await pool.end()
})

test('a migration may take longer than buyers wait for a query', async () => {
  const pool = openPool({ ...(await empty()), query_timeout: 100 })
  const next = await withNext('select pg_sleep(0.5)')
  // On a busy machine the statements around it may as well.
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...args: unknown[]) => unknown
    client.query = ((first: string | object, values?: unknown[]) =>
      query(
        typeof first === 'string' ? { text: first, query_timeout: 60_000 } : first,
        values,
      )) as typeof client.query
  })
  await migrate(pool, next)
  await pool.end()
})

test('an index waits for long sales, also if only the database has a timeout for that', async () => {
  const pool = openPool({ ...(await empty()), statement_timeout: 0 })
  await migrate(pool, await readMigrations())
  await pool.query(`insert into node_jobs (name) values ('any');
    create function check_patience(text) returns text immutable language plpgsql as $$ begin
      if current_setting('lock_timeout') <> '0' then raise 'the index would not wait'; end if;
      return $1;
    end $$`)
  const statement = `CREATE INDEX CONCURRENTLY "patient_idx" ON "node_jobs" (check_patience("name"));`
  await migrate(pool, await withNext(`${concurrentMarker}\n${statement}`))
  await pool.end()
})

test('migrations build indexes of existing tables concurrently', async () => {
  for (const migration of await readMigrations()) {
    for (const statement of splitStatements(migration)) {
      if (isConcurrent(migration)) {
        assert.match(statement, concurrentStatement, migration.name)
        continue
      }
      const [, table] = /^create (?:unique )?index .*? on "(\w+)"/is.exec(statement) ?? []
      const isNew = table && migration.sql.includes(`CREATE TABLE "${table}"`)
      assert.ok(
        !table || isNew,
        `${migration.name}: put this into a migration of its own that begins with "${concurrentMarker}": ${statement}`,
      )
    }
  }
})
