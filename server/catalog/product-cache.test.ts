import assert from 'node:assert/strict'
import { test } from 'node:test'
import { productSchema } from '#contract/products.ts'
import { openDatabase, type Db } from '#server/db/database.ts'
import { sql } from '#server/db/drizzle.ts'
import { makeTestDatabase } from '#server/testing/test-database.ts'
import { openProductCache } from './product-cache.ts'
import { createProduct, deleteProduct, updateProduct } from './products.ts'

const connection = await makeTestDatabase()
const logo = 'https://example.com/logo.png'
const content = (price: string) => productSchema.parse({ name: 'Mug', price, headerLogoUrl: logo })
const addMug = async (db: Db) => (await createProduct(db, content('10'), 'admin')).id

/** A node with its own connections, cache and clock, and a count of its reads of products. */
function openNode() {
  const database = openDatabase(connection, () => {})
  const clock = { ms: 0 }
  let reads = 0
  const query = database.pool.query.bind(database.pool) as (...args: unknown[]) => unknown
  database.pool.query = ((...args: unknown[]) => {
    if (JSON.stringify(args[0]).includes('till_product_on_sale')) reads += 1
    return query(...args)
  }) as typeof database.pool.query
  const cache = openProductCache(database.db, () => clock.ms)
  const readPrice = async (id: string) => (await cache.find(id))?.price
  return { ...database, cache, clock, readPrice, reads: () => reads }
}

test('a product is read once a second, and a change by another node shows after that', async () => {
  const [here, there] = [openNode(), openNode()]
  const id = await addMug(here.db)
  for (let asked = 0; asked < 50; asked += 1) await there.cache.find(id)
  assert.equal(there.reads(), 1)
  await updateProduct(here.db, id, content('11'))
  there.clock.ms = 999
  assert.equal(await there.readPrice(id), '10.00')
  there.clock.ms = 1_000
  assert.equal(await there.readPrice(id), '11.00')
  await deleteProduct(here.db, id)
  there.clock.ms = 2_000
  assert.equal(await there.readPrice(id), undefined)
  assert.equal(there.reads(), 3)
  await Promise.all([here.close(), there.close()])
})

test('all who ask while a product is read wait for the same answer', async () => {
  const node = openNode()
  const id = await addMug(node.db)
  const found = await Promise.all([1, 2, 3].map(() => node.cache.find(id)))
  assert.deepEqual(new Set(found.map((product) => product?.id)), new Set([id]))
  assert.equal(node.reads(), 1)
  await node.close()
})

test('a change by this node counts at once, in whatever case the id is written', async () => {
  const node = openNode()
  const id = await addMug(node.db)
  assert.equal(await node.readPrice(id.toUpperCase()), '10.00')
  await updateProduct(node.db, id, content('20'))
  node.cache.outdate(id)
  assert.equal(await node.readPrice(id.toUpperCase()), '20.00')
  assert.equal(node.reads(), 2, 'both ways of writing it are one product')
  await node.close()
})

test('a read that began before a change of this node is not kept after it', async () => {
  const node = openNode()
  const id = await addMug(node.db)
  const locked = await node.pool.connect()
  await locked.query('begin; lock table products in access exclusive mode')
  const early = node.cache.find(id)
  node.cache.outdate(id)
  const late = node.cache.find(id)
  await locked.query('commit')
  locked.release()
  await Promise.all([early, late])
  assert.equal(node.reads(), 2)
  assert.equal(await node.cache.find(id), await late)
  await node.close()
})

test('missing products make room for others, and are not asked for more often than known ones', async () => {
  const node = openNode()
  const id = await addMug(node.db)
  const unknownId = (number: number) =>
    `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
  await node.cache.find(id)
  for (const _ of [1, 2]) assert.equal(await node.cache.find(unknownId(0)), undefined)
  assert.equal(node.reads(), 2)
  await Promise.all(
    Array.from({ length: 1_000 }, (_, number) => node.cache.find(unknownId(number))),
  )
  const before = node.reads()
  await node.cache.find(id)
  assert.equal(node.reads(), before + 1)
  await node.close()
})

test('a read that failed is tried again by the next who asks', async () => {
  const node = openNode()
  const id = await addMug(node.db)
  await node.db.execute(sql`alter table products rename to hidden`)
  await assert.rejects(node.cache.find(id))
  await node.db.execute(sql`alter table hidden rename to products`)
  assert.equal(await node.readPrice(id), '10.00')
  await node.close()
})

test('a product that is being changed can be sold meanwhile', async () => {
  const node = openNode()
  const id = await addMug(node.db)
  await node.db.transaction(async (tx) => {
    await updateProduct(tx, id, content('11'))
    // As each sale does, which refers to the product.
    await node.db.execute(sql`select from products where id = ${id} for key share nowait`)
  })
  await node.close()
})
