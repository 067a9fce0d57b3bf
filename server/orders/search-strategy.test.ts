import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mock, test } from 'node:test'
import { orderStatuses } from '#contract/orders.ts'
import type { Db } from '#server/db/database.ts'
import { sql, type SQL } from '#server/db/drizzle.ts'
import { addOrders } from '#server/testing/orders.ts'
import { openTestDatabase } from '#server/testing/test-database.ts'
import type { Cursor, OrderSearch } from './search-conditions.ts'
import { searchOrders, type SearchTuning } from './search.ts'
import { indexConditions } from './search-words.ts'

const { db } = await openTestDatabase()
// Which of several fitting indexes is read depends on the statistics, which autovacuum may gather at any moment.
await db.execute(sql`alter table orders set (autovacuum_enabled = off)`)

/** More than a sample has. Only the oldest have the other product name and are cheaper, and none of those is pending. */
const added = await addOrders(
  db,
  Array.from({ length: 700 }, (_, age) => ({
    ...(age > 450 && age % 3 !== 0
      ? { productName: 'Honey Candle', amount: '39.00' }
      : { productName: 'Beeswax Candle', amount: '49.00' }),
    status: age < 60 ? 'pending' : age % 9 === 0 ? 'shipped' : 'completed',
    createdAt: new Date(Date.parse('2026-03-01T00:00:00Z') - Math.floor(age / 2) * 1000),
  })),
)
const listed = added.toSorted(
  (a, b) => b.createdAt.getTime() - a.createdAt.getTime() || (a.id < b.id ? 1 : -1),
)
const tuning: SearchTuning = {
  firstScan: 20,
  nextScan: 40,
  lookupCost: 1,
  manyMatches: 10,
  maxLookup: 1_000,
  maxLookupByAmount: 1_000,
  firstScanByAmount: 20,
  nextScanByAmount: 200,
}

async function findFirst(database: Db, search: OrderSearch, size: number, using: SearchTuning) {
  const matches: Cursor[] = []
  for await (const batch of searchOrders(database, search, undefined, size, using)) {
    matches.push(...batch)
    if (matches.length >= size) break
  }
  return matches.slice(0, size).map(({ id }) => id)
}

/** Page after page, each from the cursor of the one before. */
async function findAll(
  search: OrderSearch,
  size: number,
  using: SearchTuning,
  database = db,
): Promise<string[]> {
  const ids: string[] = []
  for (let after: Cursor | undefined; ;) {
    const page: Cursor[] = []
    for await (const batch of searchOrders(database, search, after, size + 1, using)) {
      page.push(...batch)
      if (page.length > size) break
    }
    const shown = page.slice(0, size)
    ids.push(...shown.map(({ id }) => id))
    if (page.length <= size) return ids
    after = shown.at(-1)
  }
}

test('a text that only many old orders have is found completely and in order', async () => {
  const tunings = { tuning, 'a misleading sample': { ...tuning, maxLookup: 3 } }
  for (const text of ['honey candle', 'beeswax', 'candle', 'nobody']) {
    for (const status of [undefined, ...orderStatuses]) {
      const expected = listed
        .filter((order) => order.product.name.toLowerCase().includes(text))
        .filter((order) => status === undefined || order.status === status)
        .map(({ id }) => id)
      for (const [name, using] of Object.entries(tunings)) {
        const title = `"${text}" ${status ?? 'in any status'}, ${name}`
        assert.deepEqual(
          await findAll(
            { words: text.split(' '), status, includesTest: true, sort: 'newest' },
            40,
            using,
          ),
          expected,
          title,
        )
      }
    }
  }
})

test('once all orders of a status are scanned, no index is used', async () => {
  const { queries, recordingDb } = recordQueries(db)
  const search: OrderSearch = {
    words: ['honey'],
    status: 'pending',
    includesTest: true,
    sort: 'newest',
  }
  assert.deepEqual(await findFirst(recordingDb, search, 5, { ...tuning, firstScan: 100 }), [])
  assert.equal(queries.length, 1)
})

test('an index is not used for orders older than the oldest in a status', async () => {
  const { queries, recordingDb } = recordQueries(db)
  const search: OrderSearch = {
    words: ['honey'],
    status: 'pending',
    includesTest: true,
    sort: 'newest',
  }
  // Looking up all honey candles would exceed this, and all pending orders would be scanned instead.
  assert.deepEqual(await findFirst(recordingDb, search, 5, { ...tuning, maxLookup: 20 }), [])
  assert.equal(queries.filter(isScan).length, 1)
})

test('of many old orders only the newest are looked up for a first page', async () => {
  const { queries, recordingDb } = recordQueries(db)
  const search: OrderSearch = { words: ['honey'], includesTest: true, sort: 'newest' }
  const expected = listed.filter((order) => order.product.name === 'Honey Candle').slice(0, 5)
  assert.deepEqual(
    await findFirst(recordingDb, search, 5, { ...tuning, maxLookup: 60 }),
    expected.map(({ id }) => id),
  )
  // The first scan, and one from where the index led.
  assert.ok(queries.filter(isScan).length <= 2)
})

test('of many cheap old orders the first by amount are found without scanning the others', async () => {
  const { queries, recordingDb } = recordQueries(db)
  const search: OrderSearch = { words: ['honey'], includesTest: true, sort: 'highest' }
  const expected = listed.filter((order) => order.product.name === 'Honey Candle').slice(0, 5)
  assert.deepEqual(
    await findFirst(recordingDb, search, 5, { ...tuning, maxLookup: 60 }),
    expected.map(({ id }) => id),
  )
  assert.ok(queries.filter(isScan).length <= 2)
})

test('an index is asked for a part of each word before it is asked for more of one', () => {
  const orders = Array.from({ length: 60 }, (_, index) => ({
    id: randomUUID(),
    micros: index,
    amount: 49,
    status: 'pending' as const,
    productId: randomUUID(),
    text: `${index % 3 === 0 ? 'anna' : 'jonas'}\n${index % 5 === 0 ? 'berlin' : 'köln'}`,
  }))
  const conditions = indexConditions(['berlin', 'anna'], { orders, total: 60 })
  const { params } = db.execute(sql`select ${conditions}`).getQuery()
  const parts = params.map((like) => String(like).replaceAll('%', ''))
  assert.ok(parts.some((part) => 'berlin'.includes(part)))
  assert.ok(parts.some((part) => 'anna'.includes(part)))
})

test('orders of a status are sorted by amount page after page, however rare they are among the others', async () => {
  const { db: own } = await openTestDatabase()
  const all = await addOrders(
    own,
    Array.from({ length: 400 }, (_, age) => ({
      status: age % 7 === 0 ? 'pending' : age < 300 ? 'completed' : 'shipped',
      amount: `${10 + ((age * 37) % 11)}.00`,
      createdAt: new Date(Date.parse('2026-03-01T00:00:00Z') - Math.floor(age / 3) * 3_600_000),
    })),
  )
  const compare = (a: (typeof all)[number], b: (typeof all)[number]) =>
    Number(a.amount) - Number(b.amount) ||
    a.createdAt.getTime() - b.createdAt.getTime() ||
    (a.id < b.id ? -1 : 1)
  for (const status of ['pending', 'shipped', 'completed'] as const)
    for (const [sort, direction] of [
      ['lowest', 1],
      ['highest', -1],
    ] as const)
      for (const size of [3, 20, 200]) {
        const expected = all
          .filter((order) => order.status === status)
          .toSorted((a, b) => direction * compare(a, b))
        const search: OrderSearch = { words: [], status, includesTest: true, sort }
        assert.deepEqual(
          await findAll(search, size, tuning, own),
          expected.map(({ id }) => id),
          `${status} ${sort} ${size}`,
        )
      }
})

function recordQueries(database: Db) {
  const queries: string[] = []
  const execute = (query: Parameters<Db['execute']>[0]) => {
    const pending = database.execute(query)
    queries.push(pending.getQuery().sql)
    return pending
  }
  return { queries, recordingDb: Object.assign(Object.create(database), { execute }) as Db }
}

function isScan(query: string): boolean {
  return query.includes('as scanned')
}

test('without words, every order of the list is read from an index in that order, from any position', async () => {
  const productId = added[0]?.productId ?? ''
  const days = { from: '2026-02-01', to: '2026-02-28', tz: 'Europe/Berlin' }
  const cases: { search: Partial<OrderSearch>; index: string }[] = [
    { search: {}, index: 'orders_age_idx' },
    { search: { sort: 'oldest' }, index: 'orders_age_idx' },
    { search: { days }, index: 'orders_age_idx' },
    { search: { status: 'pending', days }, index: 'orders_status_age_idx' },
    { search: { productId }, index: 'orders_product_age_idx' },
    { search: { productId, days, sort: 'oldest' }, index: 'orders_product_age_idx' },
    { search: { sort: 'highest' }, index: 'orders_amount_idx' },
    { search: { sort: 'lowest', days, productId }, index: 'orders_amount_idx' },
  ]
  for (const { search, index } of cases) {
    const whole: OrderSearch = { words: [], includesTest: false, sort: 'newest', ...search }
    const sortAmount = index === 'orders_amount_idx' ? '49.00' : null
    const middle = { micros: '1772000000000000', id: productId, sortAmount }
    for (const after of [undefined, middle]) {
      const plan = await explainFirst(whole, after)
      assert.ok(plan.includes(`using ${index}`), `${JSON.stringify(search)}\n${plan}`)
      assert.ok(!plan.includes('Sort'), `${JSON.stringify(search)}\n${plan}`)
    }
  }
})

/** How PostgreSQL can answer, not what it prefers for a few hundred rows. */
async function explainFirst(search: OrderSearch, after: Cursor | undefined): Promise<string> {
  const plan: string[] = []
  await db.transaction(async (tx) => {
    for (const way of ['seqscan', 'sort', 'bitmapscan'])
      await tx.execute(sql.raw(`set local enable_${way} = off`))
    const explain = async (query: SQL) => {
      const { rows } = await tx.execute<{ 'QUERY PLAN': string }>(sql`explain (costs off) ${query}`)
      plan.push(...rows.map((row) => row['QUERY PLAN']))
      return { rows: [] }
    }
    const explainingDb = Object.assign(Object.create(tx), { execute: explain }) as Db
    await searchOrders(explainingDb, search, after, 20).next()
  })
  return plan.join('\n')
}

test('what is found is right although the sample is of before, whichever orders came or went since', async () => {
  const search: OrderSearch = { words: ['zebra'], includesTest: true, sort: 'newest' }
  assert.deepEqual(await findAll(search, 5, tuning), [])
  const days = [-400, -300, -90, 90]
  const zebras = await addOrders(
    db,
    Array.from({ length: 80 }, (_, index) => ({
      productName: 'Zebra',
      createdAt: new Date(
        Date.parse('2026-03-01') + (days[index % days.length] ?? 0) * 86_400_000 + index * 1000,
      ),
    })),
  )
  const newest = zebras.toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime())
  assert.deepEqual(
    await findAll(search, 5, tuning),
    newest.map(({ id }) => id),
  )
  assert.deepEqual(
    await findAll({ ...search, sort: 'oldest' }, 30, { ...tuning, lookupCost: 0 }),
    newest.map(({ id }) => id).toReversed(),
  )
  await db.execute(sql`delete from orders where product ->> 'name' <> 'Zebra'`)
  assert.deepEqual(await findAll({ ...search, words: ['honey'] }, 5, tuning), [])
  assert.deepEqual(
    await findAll(search, 5, { ...tuning, firstScan: 2, nextScan: 2, manyMatches: 0 }),
    newest.map(({ id }) => id),
  )
})

test('words of some weeks are found completely, whichever week a page begins or ends in', async () => {
  await db.execute(sql`truncate orders cascade`)
  const weekMs = 7 * 86_400_000
  const start = Math.floor(Date.parse('2026-03-01') / weekMs) * weekMs
  // At the first and last moments of weeks, several at the same one.
  const moments = [-1, 0, 0, 1, 3 * 86_400_000]
  const sold = await addOrders(
    db,
    Array.from({ length: 600 }, (_, index) => ({
      productName: index > 300 && index % 4 === 0 ? 'Otter' : 'Mug',
      amount: index % 3 === 0 ? '20.00' : '18.50',
      createdAt: new Date(
        start - Math.floor(index / 50) * weekMs + (moments[index % moments.length] ?? 0),
      ),
    })),
  )
  // With a sample of its own.
  const { recordingDb } = recordQueries(db)
  const byAge = (a: (typeof sold)[0], b: (typeof sold)[0]) =>
    a.createdAt.getTime() - b.createdAt.getTime() || (a.id < b.id ? -1 : 1)
  const otters = sold.filter(({ product }) => product.name === 'Otter').toSorted(byAge)
  const byAmount = otters.toSorted((a, b) => Number(a.amount) - Number(b.amount) || byAge(a, b))
  const lists = {
    oldest: otters,
    newest: otters.toReversed(),
    lowest: byAmount,
    highest: byAmount.toReversed(),
  }
  for (const manyMatches of [0, 1_000])
    for (const sort of ['newest', 'oldest', 'highest', 'lowest'] as const)
      for (const size of [3, 200])
        assert.deepEqual(
          await findAll(
            { words: ['otter'], includesTest: true, sort },
            size,
            { ...tuning, lookupCost: 0, manyMatches },
            recordingDb,
          ),
          lists[sort].map(({ id }) => id),
          `${sort} ${manyMatches} ${size}`,
        )
})

test('texts of buyers are in memory for a minute after a search, whether or not another one follows', async () => {
  mock.timers.enable({ apis: ['setTimeout'] })
  const { queries, recordingDb } = recordQueries(db)
  const search: OrderSearch = { words: ['nobody'], includesTest: true, sort: 'newest' }
  const countSamples = async () => {
    await findFirst(recordingDb, search, 5, { ...tuning, firstScan: 2 })
    return queries.filter((query) => query.includes('as sampled')).length
  }
  assert.equal(await countSamples(), 1)
  mock.timers.tick(59_000)
  assert.equal(await countSamples(), 1)
  mock.timers.tick(1_000)
  assert.equal(await countSamples(), 2)
  mock.timers.reset()
})
