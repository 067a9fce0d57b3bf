import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { ClientConfig, Pool } from 'pg'
import { asSuperuser, makeTestDatabase } from '#server/testing/test-database.ts'
import {
  concurrentMarker,
  concurrentStatement,
  isConcurrent,
  migrate,
  readMigrations,
  readSchemaVersion,
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
  assert.equal(await readSchemaVersion(pool), version)
  await assert.rejects(pool.query('select * from half'), /does not exist/)
  await pool.end()
})

test('a migration that was edited after it was applied is refused', async () => {
  const pool = openPool(await empty())
  const migrations = await readMigrations()
  await migrate(pool, migrations)
  const edited = migrations.map((migration) => ({ ...migration, checksum: 'other' }))
  await assert.rejects(migrate(pool, edited), /never edited/)
  await pool.end()
})

/** What the migrations before 0000_initial left in till_migrations. */
const replacedMigrations = [
  ['0000_the-house', '6640011f03756c782d4df1c36ba84195960ed7f0b44429caba01faa3fb60610a'],
  ['0001_pictures', '427a384a8499f3a2c956281015871eb964e7fc60edc8e877dd82cce71beeee3a'],
  ['0002_the-sale', 'fe452a6526ffa6ebace0c78b147daef6adaf38fa81d9d7045533a43089afe854'],
  ['0003_cards-and-reviews', '227d3e80e9c38ddb103874d7e2a41222cba3545901d4593fc392977ac46d4232'],
  ['0004_orders-at-volume', '58560eb2b6d4c0725561c8c5234f0ee626a7b9488d180c5d26d2afe0c01ce8bc'],
  ['0005_believable-figures', '9f06e129df6d6e18ec2594a2c0133d95624d9d9affb3df2302a974ef10728e9b'],
  ['0006_contradictions', 'c0c14442ff0cdd0cd55256f30d30ddac00c5b8e3a5635c09a1f0d9bab4d4bd36'],
  [
    '0007_visits-by-the-thousand',
    'e940ccdc7b4f45ef480b842f1afbacad861b0f85af7f02df81d941cf7f3c3467',
  ],
  ['0008_one-state-machine', '7444a5e936845a76c270db65f52108b974b6b3f5e7a13279a215142cfa7185ba'],
  ['0009_drop-counted-cards', 'c060fcd9afadc3aa4e8cb6f69738d8c8af48a01ee93dc8f7d8caaa1f88c524a9'],
] as const

/** A database as an earlier Till left it after so many of its ten migrations. */
async function openEarlierDatabase(
  applied: number,
): Promise<{ pool: Pool; connection: ClientConfig }> {
  const connection = await empty()
  const pool = openPool(connection)
  // Those ten made what 0000_initial makes; migrations after it are for the start to apply.
  await migrate(pool, (await readMigrations()).slice(0, 1))
  await pool.query("insert into users (email) values ('owner@example.com')")
  await pool.query('delete from till_migrations')
  for (const [index, [name, checksum]] of replacedMigrations.slice(0, applied).entries())
    await pool.query('insert into till_migrations (version, name, checksum) values ($1, $2, $3)', [
      index + 1,
      name,
      checksum,
    ])
  return { pool, connection }
}

const history = 'select version, name from till_migrations order by version'

test('a database with the ten migrations before 0000_initial starts and keeps its data', async () => {
  const { pool, connection } = await openEarlierDatabase(10)
  const nodes = await Promise.all([startNode(connection), startNode(connection)])
  for (const { code, errors } of nodes) assert.equal(code, 0, errors)
  const migrations = await readMigrations()
  assert.deepEqual(
    (await pool.query(history)).rows,
    migrations.map(({ version, name }) => ({ version, name })),
  )
  const { rows } = await pool.query('select email from users')
  assert.deepEqual(rows, [{ email: 'owner@example.com' }])
  await pool.end()
})

test('a database with only some of them is refused with what to do, and not changed', async () => {
  const { pool } = await openEarlierDatabase(7)
  await assert.rejects(migrate(pool, await readMigrations()), {
    name: 'CannotStart',
    message:
      'The database was last used by an earlier Till and is at its migration 0006_contradictions. ' +
      'Start it once with the Till that has migration 0009_drop-counted-cards, then start this one.',
  })
  assert.equal((await pool.query(history)).rowCount, 7)
  await pool.end()
})

test('a database whose replaced migrations were edited is refused', async () => {
  const { pool } = await openEarlierDatabase(10)
  await pool.query("update till_migrations set checksum = 'x' where version = 5")
  await assert.rejects(migrate(pool, await readMigrations()), { name: 'CannotStart' })
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

test('what the sandbox and the demo left in an older database is marked as test', async () => {
  const pool = openPool(await empty())
  const migrations = await readMigrations()
  await migrate(pool, migrations.slice(0, 1))
  await pool.query(`
    insert into products (id, name, price, header_logo_url, created_by)
      values ('00000000-0000-4000-8000-000000000001', 'Mug', 49, '/logo.png', 'admin')`)
  const accounts = ['MSANDBOX', 'DEMO', 'MREAL']
  for (const [index, account] of accounts.entries()) {
    const at = `2026-01-0${index + 1}`
    await pool.query(
      `with product as (select id from products), sale as (
        insert into checkouts (product_id, product, amount, currency, state, buyer_token_hash, merchant_code,
          sumup_checkout_id, valid_until, created_at)
        select id, '{"name": "Mug"}', 49, 'EUR', 'paid', repeat('0', 64), $1, $1, now(), $2 from product)
      insert into orders (product_id, product, shipping_address, amount, currency, sumup_checkout_id, created_at)
        select id, '{"name": "Mug"}', '{}', 49, 'EUR', $1, $2 from product`,
      [account, at],
    )
    await pool.query(
      `insert into analytics_events (event_type, product_id, created_at)
        select 'checkout_view', id, $1 from products`,
      [at],
    )
  }
  await migrate(pool, migrations)
  const read = async (query: string) => (await pool.query(query)).rows
  const marked = [
    { account: 'DEMO', is_test: true },
    { account: 'MREAL', is_test: false },
    { account: 'MSANDBOX', is_test: true },
  ]
  const account = 'select sumup_checkout_id as account, is_test'
  assert.deepEqual(await read(`${account} from checkouts order by 1`), marked)
  assert.deepEqual(await read(`${account} from orders order by 1`), marked)
  assert.deepEqual(
    await read(`select is_test, count(*)::int from order_search group by 1 order by 1`),
    [
      { is_test: false, count: 1 },
      { is_test: true, count: 2 },
    ],
  )
  assert.deepEqual(
    await read(`select is_test, sum(orders)::int as count from order_counts group by 1 order by 1`),
    [
      { is_test: false, count: 1 },
      { is_test: true, count: 2 },
    ],
  )
  assert.deepEqual(
    (await read('select is_test from analytics_events order by created_at')).map(
      (row) => row.is_test,
    ),
    [true, true, false],
  )
  await pool.end()
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
  assert.equal(await readSchemaVersion(pool), next.length)
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

/** These were released before. */
const earlier = /^000[0-5]_/

test('migrations build indexes of existing tables concurrently', async () => {
  for (const migration of await readMigrations()) {
    if (earlier.test(migration.name)) continue
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
