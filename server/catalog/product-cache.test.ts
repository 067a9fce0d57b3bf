import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { productSchema } from '#contract/products.ts'
import { openDatabase } from '#server/db/database.ts'
import { sql } from '#server/db/drizzle.ts'
import { makeTestDatabase } from '#server/testing/test-database.ts'
import { waitFor } from '#server/testing/wait-for.ts'
import { openProductCache } from './product-cache.ts'
import { createProduct, updateProduct, deleteProduct } from './products.ts'

const connection = await makeTestDatabase()
const log = pino({ level: 'silent' })
const logo = 'https://example.com/logo.png'
const content = (price: string) => productSchema.parse({ name: 'Mug', price, headerLogoUrl: logo })

const noRefreshMs = 3_600_000
const fastRefreshMs = 50

/** A node with its own connections and cache, and a count of its product queries. */
function openNode({ refreshMs = noRefreshMs, isPooled = false } = {}) {
  const database = openDatabase(connection, () => {})
  let reads = 0
  const query = database.pool.query.bind(database.pool) as (...args: unknown[]) => unknown
  database.pool.query = ((...args: unknown[]) => {
    // Without those by which a cache reads again what is in use.
    if (JSON.stringify(args[0]).includes('till_product_on_sale')) reads += 1
    return query(...args)
  }) as typeof database.pool.query
  const cache = openProductCache({ ...database, isPooled }, log, refreshMs)
  return {
    ...database,
    cache,
    reads: () => reads,
    async close() {
      await cache.close()
      await database.close()
    },
  }
}

type Node = ReturnType<typeof openNode>

/** Reads until the price is as expected: notifications between nodes take a moment. */
async function readUntil(node: Node, id: string, price: string | undefined): Promise<void> {
  const find = async () => (await node.cache.find(id))?.price
  await waitFor(`the node sees the price ${price}`, async () => (await find()) === price)
}

/** A node that begins to listen forgets what it has cached: it sees this change then, or by the notification. */
async function waitUntilListening(node: Node): Promise<void> {
  const { id } = await createProduct(node.db, content('1'), 'admin')
  await node.cache.find(id)
  await updateProduct(node.db, id, content('2'))
  await readUntil(node, id, '2.00')
}

test('a product is read once, and again only after a change on any node', async () => {
  const [here, there] = [openNode(), openNode()]
  const { id } = await createProduct(here.db, content('10'), 'admin')
  await waitUntilListening(there)
  await there.cache.find(id)
  const readsBefore = there.reads()
  for (let time = 0; time < 50; time += 1) await there.cache.find(id)
  assert.equal(there.reads(), readsBefore)

  await updateProduct(here.db, id, content('11'))
  await readUntil(there, id, '11.00')
  await deleteProduct(here.db, id)
  await readUntil(there, id, undefined)
  await Promise.all([here.close(), there.close()])
})

test('a product that is read again and has not changed is the same object, so that its page stays', async () => {
  const node = openNode()
  const { id } = await createProduct(node.db, content('10'), 'admin')
  const known = await node.cache.find(id)
  const readsBefore = node.reads()
  node.cache.outdate(id)
  assert.equal(await node.cache.find(id), known)
  assert.ok(node.reads() > readsBefore)
  await node.close()
})

test('a node that lost its listening connection misses no change', async () => {
  const [here, there] = [openNode(), openNode()]
  const { id } = await createProduct(here.db, content('10'), 'admin')
  await waitUntilListening(there)
  await there.cache.find(id)
  await here.pool.query(`select pg_terminate_backend(pid) from pg_stat_activity
    where query like 'listen%' and datname = current_database()`)
  await updateProduct(here.db, id, content('12'))
  await readUntil(there, id, '12.00')
  await Promise.all([here.close(), there.close()])
})

test('a product is never shown at its old price, in whatever case its id is written', async () => {
  const node = openNode()
  const { id } = await createProduct(node.db, content('10'), 'admin')
  await waitUntilListening(node)
  await node.cache.find(id.toUpperCase())
  await updateProduct(node.db, id, content('20'))
  await readUntil(node, id.toUpperCase(), '20.00')
  await deleteProduct(node.db, id)
  await readUntil(node, id.toUpperCase(), undefined)
  await node.close()
})

test('a missing product is not cached', async () => {
  const node = openNode()
  const id = '00000000-0000-4000-8000-000000000000'
  assert.equal(await node.cache.find(id), undefined)
  const before = node.reads()
  await node.cache.find(id)
  assert.ok(node.reads() > before)
  await node.close()
})

test('behind a pooler, where no notification arrives, a node sees a change within seconds', async () => {
  const here = openNode()
  const there = openNode({ isPooled: true, refreshMs: fastRefreshMs })
  const { id } = await createProduct(here.db, content('10'), 'admin')
  await there.cache.find(id)
  await updateProduct(here.db, id, content('13'))
  await readUntil(there, id, '13.00')
  await deleteProduct(here.db, id)
  await readUntil(there, id, undefined)
  await Promise.all([here.close(), there.close()])
})

test('a node whose listening connection is dead without a word sees a change within seconds', async () => {
  const [here, there] = [openNode(), openNode({ refreshMs: fastRefreshMs })]
  const { id } = await createProduct(here.db, content('10'), 'admin')
  await waitUntilListening(there)
  await there.cache.find(id)
  // As if the notification was lost on the way.
  await here.db.transaction(async (tx) => {
    await tx.execute(sql`update products set price = 14 where id = ${id}`)
  })
  await readUntil(there, id, '14.00')
  await Promise.all([here.close(), there.close()])
})

test('a product that is being changed can be sold meanwhile', async () => {
  const node = openNode()
  const { id } = await createProduct(node.db, content('10'), 'admin')
  await node.db.transaction(async (tx) => {
    await updateProduct(tx, id, content('11'))
    // As each sale does, which refers to the product.
    await node.db.execute(sql`select from products where id = ${id} for key share nowait`)
  })
  await node.close()
})
