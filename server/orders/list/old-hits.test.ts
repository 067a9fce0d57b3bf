import assert from 'node:assert/strict'
import { test } from 'node:test'
import { orderStatuses } from '#contract/order-statuses.ts'
import type { Db } from '#server/db/database.ts'
import { addOrders } from '#server/testing/orders.ts'
import { openTestDatabase } from '#server/testing/test-database.ts'
import { findHits, type Pace } from './find-hits.ts'
import type { OrderSearch } from './order-search.ts'
import type { Hit } from './walk.ts'

const { db } = await openTestDatabase()

const many = 700
/** More than a sample takes. The oldest were sold under another name, and none of those is pending any more. */
const added = await addOrders(
  db,
  Array.from({ length: many }, (_, age) => ({
    productName: age > 450 && age % 3 !== 0 ? 'Honey Candle' : 'Beeswax Candle',
    status: age < 60 ? 'pending' : age % 9 === 0 ? 'shipped' : 'completed',
    createdAt: new Date(Date.parse('2026-03-01T00:00:00Z') - Math.floor(age / 2) * 1000),
  })),
)
const listed = added.toSorted(
  (a, b) => b.createdAt.getTime() - a.createdAt.getTime() || (a.id < b.id ? 1 : -1),
)
const usual: Pace = {
  firstStretch: 20,
  nextStretch: 40,
  lookUpCost: 1,
  many: 10,
  mostLookedUp: 1_000,
}

/** Page after page by the last place of the one before, as the back-office reads them. */
async function findAll(search: OrderSearch, pageSize: number, pace: Pace): Promise<string[]> {
  const ids: string[] = []
  for (let after: Hit | undefined; ;) {
    const page: Hit[] = []
    for await (const hits of findHits(db, search, after, pageSize + 1, pace)) {
      page.push(...hits)
      if (page.length > pageSize) break
    }
    const shown = page.slice(0, pageSize)
    ids.push(...shown.map(({ id }) => id))
    if (page.length <= pageSize) return ids
    after = shown.at(-1)
  }
}

test('what many old orders have, and none of the newest, is found whole and in order', async () => {
  const paces = { usual, 'a sample that errs': { ...usual, mostLookedUp: 3 } }
  for (const words of ['honey candle', 'beeswax', 'candle', 'nobody']) {
    for (const status of [undefined, ...orderStatuses]) {
      const expected = listed
        .filter((order) => order.product.name.toLowerCase().includes(words) || words === 'candle')
        .filter((order) => status === undefined || order.status === status)
        .map(({ id }) => id)
      for (const [name, pace] of Object.entries(paces)) {
        const title = `"${words}" ${status ?? 'in any status'}, ${name}`
        assert.deepEqual(await findAll({ words, status }, 40, pace), expected, title)
      }
    }
  }
})

test('where a status has no more orders, no index is asked for more', async () => {
  const { asked, listening } = listenTo(db)
  const pace = { ...usual, firstStretch: 100 }
  const pending = { words: 'honey', status: 'pending' } as const
  assert.deepEqual(await Array.fromAsync(findHits(listening, pending, undefined, 5, pace)), [[]])
  assert.equal(asked.length, 1)
})

test('an index is not asked for orders older than the oldest in a status', async () => {
  const { asked, listening } = listenTo(db)
  // Were all of this name looked up, they would be too many, and all pending orders gone through instead.
  const pace = { ...usual, mostLookedUp: 20 }
  const pending = { words: 'honey', status: 'pending' } as const
  assert.deepEqual(await Array.fromAsync(findHits(listening, pending, undefined, 5, pace)), [[]])
  assert.equal(asked.filter(isWalk).length, 1)
})

test('of many old orders only the newest are looked up for a first page', async () => {
  const { asked, listening } = listenTo(db)
  // Fewer than have the name, as above.
  const pace = { ...usual, mostLookedUp: 60 }
  const search = { words: 'honey', status: undefined }
  const page: Hit[] = []
  for await (const hits of findHits(listening, search, undefined, 5, pace)) {
    page.push(...hits)
    if (page.length >= 5) break
  }
  const expected = listed.filter((order) => order.product.name === 'Honey Candle').slice(0, 5)
  assert.deepEqual(
    page.slice(0, 5).map(({ id }) => id),
    expected.map(({ id }) => id),
  )
  // The first, and one from where the index led.
  assert.ok(asked.filter(isWalk).length <= 2)
})

/** What the database is asked, in SQL. */
function listenTo(heard: Db) {
  const asked: string[] = []
  const execute = (query: Parameters<Db['execute']>[0]) => {
    const question = heard.execute(query)
    asked.push(question.getQuery().sql)
    return question
  }
  return { asked, listening: Object.assign(Object.create(heard), { execute }) as Db }
}

function isWalk(question: string): boolean {
  return question.includes('as walked')
}
