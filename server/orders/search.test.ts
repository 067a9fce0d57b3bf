import assert from 'node:assert/strict'
import { test } from 'node:test'
import { orderStatuses, type AdminOrder } from '#contract/orders.ts'
import { apiRoutes } from '#contract/paths.ts'
import { eq, sql } from '#server/db/drizzle.ts'
import { orders, type OrderRow } from '#server/db/schema.ts'
import { addOrders, annasAddress } from '#server/testing/orders.ts'
import { openTestShop } from '#server/testing/test-shop.ts'
import { countMatches, searchOrders, type Cursor, type OrderSearch } from './search.ts'

const { app, db, signIn } = await openTestShop()
const headers = await signIn()

async function find(q: string, more = ''): Promise<AdminOrder[]> {
  const url = `${apiRoutes.orders}?limit=200&q=${encodeURIComponent(q)}${more}`
  const answer = await app.inject({ url, headers })
  assert.equal(answer.statusCode, 200, answer.body)
  return answer.json()
}
const namesOf = (found: AdminOrder[]) => found.map(({ customerName }) => customerName)

test('a search looks through id, e-mail, name and product, whatever the case of the letters', async () => {
  const [jürgen, odd] = await addOrders(db, [
    {
      customerName: 'Jürgen Groß',
      customerEmail: 'J.Gross@Mail.Example',
      productName: 'Ølhorn No. 5',
    },
    { customerName: "100%_sure\\ 'Ñandú'", customerEmail: null, productName: '茶碗' },
  ])
  const hits = {
    'JÜRGEN GROß': jürgen,
    jürgen: jürgen,
    // Decomposed, as some keyboards and copied PDFs have it.
    'ju\u0308rgen': jürgen,
    'gross@mail': jürgen,
    ØLHORN: jürgen,
    'no. 5': jürgen,
    ' no. 5\t': jürgen,
    [jürgen?.id.toUpperCase() ?? '']: jürgen,
    [jürgen?.id.slice(4, 16) ?? '']: jürgen,
    '%_': odd,
    '0%': odd,
    '\\': odd,
    "'ña": odd,
    "Ú'": odd,
    茶: odd,
    茶碗: odd,
  }
  for (const [q, order] of Object.entries(hits)) {
    assert.deepEqual(
      (await find(q)).map(({ id }) => id),
      [order?.id],
      q,
    )
  }
})

test('a search finds nothing across two fields, and no wildcards', async () => {
  const [order] = await addOrders(db, [
    { customerName: 'Edda', customerEmail: 'e@zz.example', productName: 'Fjord' },
  ])
  assert.equal((await find('e@zz.example')).length, 1)
  for (const q of ['zz.exampleedda', 'ed%a', 'ed_a', 'berlin10115', 'edda nobody']) {
    assert.deepEqual(await find(q), [], q)
  }
  assert.deepEqual(await find(`${order?.id.slice(-4)}e@zz`), [])
})

test('an order is found by city, postcode and phone, with or without spaces', async () => {
  const [london] = await addOrders(db, [
    {
      customerName: 'Kit',
      customerPhone: '+44 20-7946 0018',
      shippingAddress: {
        ...annasAddress,
        city: 'Kingston upon Hull',
        postcode: 'HU1 3RA',
        phone: '(01482) 300 300',
      },
    },
  ])
  for (const q of [
    'kingston UPON hull',
    'HU1 3RA',
    'hu13ra',
    '3ra',
    '+44 20-7946 0018',
    '+4420-79460018',
    '442079460018',
    '20 7946 0018',
    '(01482) 300 300',
    '01482300300',
    '01482 300300',
  ]) {
    assert.deepEqual(
      (await find(q)).map(({ id }) => id),
      [london?.id],
      q,
    )
  }
})

test('an order is found by its street and by its amount, with or without the currency sign', async () => {
  const [order] = await addOrders(db, [
    {
      customerName: 'Ilse',
      amount: '1307.50',
      shippingAddress: { ...annasAddress, address: 'Äußere Zeile 7b', apartment: 'Gartenhaus' },
    },
  ])
  const hits = [
    'äußere zeile',
    'ZEILE 7B',
    'gartenhaus',
    '1307.50',
    '€1307.50',
    // With a name: four digits may be in the id of another order.
    'ilse 1307',
    'ilse €1307',
  ]
  for (const q of hits)
    assert.deepEqual(
      (await find(q)).map(({ id }) => id),
      [order?.id],
      q,
    )
  for (const q of ['1307.51', '€', 'zeile 7q']) assert.deepEqual(await find(q), [], q)
})

test('of several words each must be in some field', async () => {
  const [tea, coffee] = await addOrders(db, [
    { customerName: 'Ottilie Quandt', productName: 'Tea Bowl' },
    { customerName: 'Ottilie Quandt', productName: 'Coffee Bowl' },
  ])
  const idsOf = async (q: string) => (await find(q)).map(({ id }) => id)
  assert.deepEqual(new Set(await idsOf('bowl ottilie')), new Set([tea?.id, coffee?.id]))
  assert.deepEqual(await idsOf('QUANDT berlin tea'), [tea?.id])
  assert.deepEqual(await idsOf(`quandt\t10115 ${coffee?.id.slice(0, 8)}`), [coffee?.id])
  assert.deepEqual(await idsOf('ottilie quandt cocoa'), [])
})

test('a search of spaces is no search', async () => {
  assert.equal((await find('  ')).length, (await find('')).length)
})

test('an order is found by what it says now', async () => {
  const [order] = await addOrders(db, [{ customerName: 'Wrong Name' }])
  const id = order?.id ?? ''
  await db.update(orders).set({ customerName: 'Quite Right' }).where(eq(orders.id, id))
  assert.deepEqual(await find('wrong name'), [])
  assert.deepEqual(namesOf(await find('quite right')), ['Quite Right'])
  await db.delete(orders).where(eq(orders.id, id))
  assert.deepEqual(await find('quite right'), [])
})

/** Page after page, each from the cursor of the one before. */
async function findAll(search: OrderSearch, size: number): Promise<string[]> {
  const ids: string[] = []
  let after: Cursor | undefined
  do {
    const { value } = await searchOrders(db, search, after, size).next()
    const page: Cursor[] = value ?? []
    ids.push(...page.map(({ id }) => id))
    after = page.length === size ? page.at(-1) : undefined
  } while (after)
  return ids
}

test('a search finds what looking at each order finds, in the same order and however large its pages', async () => {
  await db.execute(sql`truncate orders cascade`)
  const names = [
    'Anna Müller',
    "O'Hara-Quist",
    'ÅSE',
    'Çelik & Söhne',
    'x--y',
    'Zoë 7@7',
    'de Vries',
    '王小明',
    // Has every piece of abcde and of éàü, but neither.
    'abcd bcde éà àü',
  ]
  const things = ['Mug', 'Pour-over Set', 'Vase №1', 'Ärmel 50%', 'A/B', 'Q']
  const added = await addOrders(
    db,
    Array.from({ length: 60 }, (_, n) => ({
      customerName: n % 11 === 0 ? null : `${names[n % names.length]} ${n}`,
      customerEmail: n % 7 === 0 ? null : `b.${n}@${n % 2 === 0 ? 'example' : 'xn--q'}.com`,
      productName: things[n % things.length] ?? '',
      status: n % 5 === 0 ? 'shipped' : 'pending',
      isTest: n % 3 === 1,
      amount: `${(n * 7) % 13}.50`,
      shippingAddress: { ...annasAddress, city: n % 8 === 0 ? 'Åre' : 'Berlin' },
      createdAt: new Date(Date.parse('2026-02-01T00:00:00Z') + (n % 20) * 5 * 3_600_000),
    })),
  )
  const whole = [
    ...names,
    ...things,
    'xn--q.com',
    '.com',
    '@',
    '--',
    '-',
    ' 1',
    '7',
    'e',
    'ab',
    '4-4',
    'nobody',
    'abcde',
    'éàü',
    '№',
    '~~~',
    'åre mug',
    'berlin 7 müller',
    'é @ 1',
    'berlin',
    'lange straße 12',
    'hinterhaus',
    '10.50',
    '5.50',
  ]
  const parts = whole.flatMap((text) => [text, text.slice(1, 4), text.slice(-2)])
  const partsOfIds = added.slice(0, 4).flatMap(({ id }) => [id, id.slice(6, 11), id.slice(12, 17)])
  const days = { from: '2026-02-02', to: '2026-02-03', tz: 'UTC' }
  const filters: Omit<OrderSearch, 'words'>[] = [
    { includesTest: true, sort: 'newest' },
    { includesTest: false, sort: 'oldest' },
    { status: 'shipped', includesTest: false, sort: 'newest' },
    { includesTest: true, sort: 'highest', days },
    { productId: added[0]?.productId, status: 'pending', includesTest: true, sort: 'lowest' },
  ]
  const texts = new Set([...parts, ...partsOfIds].filter((part) => part.trim() === part && part))
  for (const [number, text] of [...texts].entries()) {
    // Two filters for each text, in turn: every text, filter and order of pages is there.
    for (const filter of [filters[number % 5], filters[(number + 2) % 5]]) {
      if (!filter) continue
      const search = { ...filter, words: text.toLowerCase().split(' ').filter(Boolean) }
      const expected = added
        .filter((order) => isMatch(order, search))
        .toSorted(comparisons[search.sort])
      const title = `"${text}" ${JSON.stringify(filter)}`
      const ids = expected.map(({ id }) => id)
      // Two at a time, most pages are found by an index; all at once, by looking through.
      for (const size of [2, 61]) assert.deepEqual(await findAll(search, size), ids, title)
      assert.equal(await countMatches(db, search, 1_000), ids.length, title)
    }
  }
})

function isMatch(order: OrderRow, search: OrderSearch): boolean {
  const { words, status, productId, days, includesTest } = search
  const { address, apartment, city, postcode } = order.shippingAddress
  const phone = order.customerPhone?.replaceAll(' ', '')
  const fields = [order.id, order.customerEmail, order.customerName, order.product.name, address]
  const all = [
    ...fields,
    apartment,
    city,
    postcode,
    String(order.number),
    order.amount,
    phone,
    phone?.replaceAll(/\D/g, ''),
  ]
  const day = order.createdAt.toISOString().slice(0, 10)
  return (
    (status === undefined || order.status === status) &&
    (productId === undefined || order.productId === productId) &&
    (days?.from === undefined || day >= days.from) &&
    (days?.to === undefined || day <= days.to) &&
    (includesTest || !order.isTest) &&
    words.every((word) => all.some((field) => field?.toLowerCase().includes(word)))
  )
}

type Compare = (a: OrderRow, b: OrderRow) => number

const byAge: Compare = (a, b) =>
  a.createdAt.getTime() - b.createdAt.getTime() || (a.id < b.id ? -1 : 1)
const byAmount: Compare = (a, b) => Number(a.amount) - Number(b.amount) || byAge(a, b)

const comparisons: Record<OrderSearch['sort'], Compare> = {
  newest: (a, b) => byAge(b, a),
  oldest: byAge,
  highest: (a, b) => byAmount(b, a),
  lowest: byAmount,
}

test('words that only many old orders have are found completely and in order, in any status', async () => {
  await db.execute(sql`truncate orders cascade`)
  const added = await addOrders(
    db,
    Array.from({ length: 700 }, (_, age) => ({
      productName: age > 450 && age % 3 !== 0 ? 'Honey Candle' : 'Beeswax Candle',
      status: age < 60 ? 'pending' : age % 9 === 0 ? 'shipped' : 'completed',
      createdAt: new Date(Date.parse('2026-03-01T00:00:00Z') - Math.floor(age / 2) * 1000),
    })),
  )
  for (const text of ['honey candle', 'beeswax', 'candle', 'nobody'])
    for (const status of [undefined, ...orderStatuses]) {
      const search: OrderSearch = {
        words: text.split(' '),
        status,
        includesTest: true,
        sort: 'newest',
      }
      const expected = added
        .filter((order) => isMatch(order, search))
        .toSorted(comparisons.newest)
        .map(({ id }) => id)
      assert.deepEqual(await findAll(search, 15), expected, `"${text}" ${status}`)
      assert.equal(await countMatches(db, search, 1_000), expected.length)
      assert.equal(await countMatches(db, search, 10), Math.min(expected.length, 10))
    }
})

test('orders of a status or product are sorted by amount page after page', async () => {
  await db.execute(sql`truncate orders cascade`)
  const added = await addOrders(
    db,
    Array.from({ length: 200 }, (_, age) => ({
      status: age % 7 === 0 ? 'pending' : age < 150 ? 'completed' : 'shipped',
      amount: `${10 + ((age * 37) % 11)}.00`,
      createdAt: new Date(Date.parse('2026-03-01T00:00:00Z') - Math.floor(age / 3) * 3_600_000),
    })),
  )
  const productId = added[0]?.productId
  for (const filter of [{ status: 'pending' }, { status: 'shipped' }, { productId }] as const)
    for (const sort of ['lowest', 'highest'] as const) {
      const search: OrderSearch = { words: [], includesTest: true, sort, ...filter }
      const expected = added
        .filter((order) => isMatch(order, search))
        .toSorted(comparisons[sort])
        .map(({ id }) => id)
      for (const size of [3, 200])
        assert.deepEqual(await findAll(search, size), expected, JSON.stringify(search))
    }
})
