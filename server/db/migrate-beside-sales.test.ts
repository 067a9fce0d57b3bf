import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { ClientBase, Pool } from 'pg'
import { makeTestDatabase } from '#server/testing/test-database.ts'
import { openDatabase } from './database.ts'
import { migrate, readHistory, readMigrations } from './migrate.ts'

/** A migration that alters several tables of a sale locks `orders` first, where sales and status changes begin. */
async function readNextMigrations() {
  const migrations = await readMigrations()
  const sql = `lock table orders; alter table order_timeline add column next_note text;
    alter table mails add column next_note text; alter table products add column next_note text`
  return [...migrations, { version: migrations.length + 1, name: 'next', sql, checksum: sql }]
}

async function openShopToMigrate(): Promise<{ pool: Pool; product: string }> {
  const { pool } = openDatabase(await makeTestDatabase('template0'), () => {})
  await migrate(pool, await readMigrations())
  const { rows } = await pool.query(`insert into products (name, price, header_logo_url, created_by)
    values ('Mug', 49, '/logo.png', 'admin') returning id`)
  return { pool, product: rows[0].id }
}

/** As a sale ends: order and timeline in one prepared statement. */
async function insertOrder(db: Pool | ClientBase, product: string): Promise<string> {
  const text = `with placed as (
      insert into orders (id, product_id, product, shipping_address, amount, currency, customer_email)
      values ($1, $2, '{"name": "Mug"}', '{"city": "Berlin"}', 49, 'EUR', 'anna@example.com') returning id)
    insert into order_timeline (order_id, actor, event, to_status) select id, 'shop', 'placed', 'pending' from placed`
  const id = randomUUID()
  await db.query({ name: 'insert_order', text, values: [id, product] })
  return id
}

const setStatus =
  "update orders set status = 'shipped', updated_at = clock_timestamp() where id = $1"
const noteStatus = `insert into order_timeline (order_id, actor, event, from_status, to_status)
  values ($1, 'admin', 'status', 'pending', 'shipped')`

const steps = {
  'a sale': (client: ClientBase, { product }: Row) => insertOrder(client, product),
  'a status': (client: ClientBase, { order }: Row) => client.query(setStatus, [order]),
  'a note': (client: ClientBase, { order }: Row) => client.query(noteStatus, [order]),
  'a product': (client: ClientBase, { product }: Row) =>
    client.query('select from products where id = $1 for key share', [product]),
}
type Row = { product: string; order: string }
type Step = keyof typeof steps

/** Lets a transaction pause after its first step, until the migration waits for a lock. */
async function migrateBetween(first: Step, second: Step): Promise<void> {
  const { pool, product } = await openShopToMigrate()
  const row = { product, order: await insertOrder(pool, product) }
  const client = await pool.connect()
  await client.query('begin')
  await steps[first](client, row)
  const migrations = await readNextMigrations()
  const migrating = migrate(pool, migrations)
  const waiting = `select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`
  const isDone = migrating.then(() => 'done')
  while ((await pool.query(waiting)).rowCount === 0)
    if ((await Promise.race([delay(10), isDone])) === 'done') break
  await steps[second](client, row)
  await client.query('commit')
  client.release()
  await migrating
  assert.equal((await readHistory(pool, migrations)).length, migrations.length)
  await pool.end()
}

for (const [first, second] of [
  ['a status', 'a note'],
  ['a note', 'a status'],
  ['a product', 'a sale'],
  ['a sale', 'a status'],
] as const)
  test(`${first} and then ${second} of a node that still runs are written while a newer node migrates`, () =>
    migrateBetween(first, second))

test('nodes that still run sell and change statuses all the while a newer one migrates', async () => {
  const { pool, product } = await openShopToMigrate()
  const migrations = await readNextMigrations()
  const migrated = new AbortController()
  let sold = 0
  const sell = async () => {
    const client = await pool.connect()
    while (!migrated.signal.aborted) {
      const order = await insertOrder(client, product)
      sold += 1
      await client.query('begin')
      await client.query('select status from orders where id = $1 for update', [order])
      await client.query(setStatus, [order])
      await client.query(noteStatus, [order])
      await client.query('commit')
    }
    client.release()
  }
  const selling = Promise.all(Array.from({ length: 6 }, sell))
  await Promise.all([migrate(pool, migrations).finally(() => migrated.abort()), selling])
  const { rows } = await pool.query(`select from orders where status = 'shipped'`)
  assert.equal(rows.length, sold)
  await pool.end()
})
