import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openDatabase } from '#server/db/database.ts'
import { asc, eq } from '#server/db/drizzle.ts'
import { migrate, readMigrations } from '#server/db/migrate.ts'
import { orders } from '#server/db/schema.ts'
import { addOrders } from '#server/testing/orders.ts'
import { makeTestDatabase } from '#server/testing/test-database.ts'
import { deleteTestOrders } from './orders.ts'
import { numberNext, numberOrders } from './numbers.ts'

/** The schema before orders had numbers. */
const earlierVersion = 27

/** With orders of the version before, the oldest first, more than are numbered at once. */
async function openEarlierShop(count: number) {
  const database = openDatabase(await makeTestDatabase('template0'), () => {})
  const migrations = await readMigrations()
  await migrate(database.pool, migrations.slice(0, earlierVersion))
  await database.pool.query(
    `with mug as (insert into products (name, price, header_logo_url, created_by)
      values ('Mug', 49, '/logo.png', 'admin') returning id)
    insert into orders (product_id, product, shipping_address, amount, currency, created_at)
    select mug.id, '{"name": "Mug"}', '{"city": "Berlin"}', 49, 'EUR', now() - place * interval '1 minute'
    from mug, generate_series(1, $1::int) as place`,
    [count],
  )
  await migrate(database.pool, migrations)
  return database
}

test('orders of an earlier version are numbered in their order, and new ones go on after them', async () => {
  const { db, pool } = await openEarlierShop(450)
  const [made] = await addOrders(db, [{}])
  assert.equal(made?.number, 1451, 'before any other is numbered')
  const [first, second] = await Promise.all([numberOrders(db), numberOrders(db)])
  assert.equal(first + second, 449, 'by two nodes at once')
  const found = await db.select().from(orders).orderBy(asc(orders.createdAt))
  assert.deepEqual(
    found.map(({ number }) => number),
    Array.from({ length: 451 }, (_, index) => 1001 + index),
  )
  const { rows } = await pool.query(
    `select count(*)::int as count from order_search join orders on id = order_id
    where search_text like '%' || E'\\n' || number`,
  )
  assert.equal(rows[0].count, 451, 'they are found by their numbers')
  await pool.end()
})

test('an order that is being changed gets its number in its turn, a moment later', async () => {
  const { db, pool } = await openEarlierShop(3)
  const [oldest, middle] = await db.select().from(orders).orderBy(asc(orders.createdAt))
  const client = await pool.connect()
  await client.query('begin')
  await client.query('select from orders where id = $1 for update', [middle?.id])
  assert.equal(await numberOrders(db), 0)
  await client.query('commit')
  client.release()
  assert.equal(await numberOrders(db), 2)
  const [found] = await db
    .select()
    .from(orders)
    .where(eq(orders.id, oldest?.id ?? ''))
  assert.equal(found?.number, 1001)
  await pool.end()
})

test('the number of a test order that was removed is not given again', async () => {
  const { db, pool } = await openEarlierShop(4)
  assert.equal(await numberNext(db), 1)
  await db.update(orders).set({ isTest: true }).where(eq(orders.number, 1003))
  const remove = () => db.transaction((tx) => deleteTestOrders(tx, 10, async () => {}))
  assert.equal(await remove(), 0, 'the lowest number tells which one is next')
  assert.equal(await numberNext(db), 1)
  assert.equal(await remove(), 1)
  await numberOrders(db)
  const found = await db.select().from(orders).orderBy(asc(orders.createdAt))
  assert.deepEqual(
    found.map(({ number }) => number),
    [1001, 1002, 1004],
  )
  await pool.end()
})
