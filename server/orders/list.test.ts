import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  nextCursorHeader,
  type AdminOrder,
  type FoundOrders,
  type OrderMark,
} from '#contract/orders.ts'
import { apiRoutes, pathOf } from '#contract/paths.ts'
import { addOrders, annasAddress, ownLogo } from '#server/testing/orders.ts'
import { openTestShop } from '#server/testing/test-shop.ts'
import { countFound, orderSearchSchema } from './list.ts'

const { app, db, signIn } = await openTestShop()
const headers = await signIn()

async function read(query = '') {
  const answer = await app.inject({ url: `${apiRoutes.orders}${query}`, headers })
  assert.equal(answer.statusCode, 200, answer.body)
  assert.equal(answer.headers['cache-control'], 'no-store')
  const next = answer.headers[nextCursorHeader]
  return {
    orders: answer.json<AdminOrder[]>(),
    next: next === undefined ? undefined : String(next),
  }
}

async function readPages(query: string): Promise<AdminOrder[][]> {
  const pages = []
  for (let cursor = ''; ;) {
    const { orders, next } = await read(`?${query}${cursor}`)
    pages.push(orders)
    if (next === undefined) return pages
    cursor = `&cursor=${next}`
  }
}

const moment = (microseconds: string) => `2026-03-01T10:00:00.${microseconds}Z`
const idsOf = (orders: { id: string }[]) => orders.map(({ id }) => id)

test('a shop without orders has an empty list, an empty page and zeros', async () => {
  assert.deepEqual(await read(), { orders: [], next: undefined })
  assert.deepEqual(await read('?limit=10'), { orders: [], next: undefined })
  const counts = await app.inject({ url: apiRoutes.orderCounts, headers })
  assert.deepEqual(counts.json(), { pending: 0, processing: 0, shipped: 0, completed: 0 })
})

test('pages put together are the whole list, newest first, however close the orders follow each other', async () => {
  // Three in the same microsecond, and two within one millisecond, which is all that JavaScript's dates can tell.
  const times = ['000001', '000001', '000001', '000002', '000900', '500000', '600000']
  const added = await addOrders(
    db,
    times.map((time, number) => ({
      createdAt: sqlTime(moment(time)),
      status: number % 2 === 0 ? 'pending' : 'shipped',
    })),
  )
  const expected = added
    .map(({ id }, number) => ({ id, time: times[number] ?? '' }))
    .toSorted((a, b) => b.time.localeCompare(a.time) || (a.id < b.id ? 1 : -1))
  const whole = await read()
  assert.deepEqual(idsOf(whole.orders), idsOf(expected))
  assert.equal(whole.next, undefined)

  const pages = await readPages('limit=2')
  assert.deepEqual(
    pages.map(({ length }) => length),
    [2, 2, 2, 1],
  )
  assert.deepEqual(pages.flat(), whole.orders)
  const shipped = await readPages('limit=1&status=shipped')
  assert.deepEqual(
    shipped.flat(),
    whole.orders.filter(({ status }) => status === 'shipped'),
  )
})

test('an order is shown to the admin with everything, and with the product as it was sold', async () => {
  const [order] = await addOrders(db, [
    { createdAt: new Date(), acceptsNewsAt: new Date('2026-01-02T03:04:05Z'), productName: 'Vase' },
  ])
  const [shown] = (await read('?limit=1')).orders
  assert.deepEqual(shown, {
    id: order?.id,
    number: order?.number,
    productId: order?.productId,
    product: {
      id: order?.productId,
      name: 'Vase',
      imageUrl: null,
      description: null,
      headerLogoUrl: ownLogo,
      headerName: null,
    },
    customerEmail: 'anna@example.com',
    customerPhone: '+49 30 123456',
    customerName: 'Anna Müller',
    shippingAddress: annasAddress,
    billingAddress: null,
    quantity: 1,
    amount: '49.00',
    currency: 'EUR',
    status: 'pending',
    sumupCheckoutId: order?.sumupCheckoutId,
    sumupTransactionId: order?.sumupTransactionId,
    paymentMethod: 'card',
    shipment: null,
    acceptsNewsAt: '2026-01-02T03:04:05.000Z',
    maybeDuplicateOf: null,
    refundedAmount: '0.00',
    chargedBackAmount: '0.00',
    withdrawnAt: null,
    erasedAt: null,
    isTest: false,
    createdAt: order?.createdAt.toISOString(),
    updatedAt: order?.updatedAt.toISOString(),
  })
})

test('the orders of a search are counted, up to as many as anybody needs to know', async () => {
  await addOrders(
    db,
    [1, 2, 3].map(() => ({ productName: 'Countable' })),
  )
  const read = async (query: string) =>
    (await app.inject({ url: `${apiRoutes.foundOrders}${query}`, headers })).json<FoundOrders>()
  assert.deepEqual(await read('?q=countable&sort=highest'), { count: 3, isMore: false })
  assert.deepEqual(await read('?q=countable&status=shipped'), { count: 0, isMore: false })
  const search = orderSearchSchema.parse({ q: 'countable' })
  assert.deepEqual(await countFound(db, search, 3), { count: 3, isMore: false })
  assert.deepEqual(await countFound(db, search, 2), { count: 2, isMore: true })
})

test('marks name every order of a search with its status, as the list orders them', async () => {
  const { orders } = await read('?limit=200&status=shipped')
  const marks = await app.inject({ url: `${apiRoutes.orderMarks}?status=shipped`, headers })
  assert.deepEqual(
    marks.json<OrderMark[]>(),
    orders.map(({ id, status }) => ({ id, status })),
  )
  const none = await app.inject({ url: `${apiRoutes.orderMarks}?q=nobody-has-this`, headers })
  assert.deepEqual(none.json(), [])
})

test('orders are sorted by age or amount, page after page, ties included', async () => {
  const at = (second: number) => new Date(Date.UTC(2026, 5, 1, 12, 0, second))
  const amounts = ['9.00', '100.00', '9.00', '20.50', '100.00']
  const added = await addOrders(
    db,
    amounts.map((amount, index) => ({ amount, createdAt: at(index) })),
  )
  const product = `product=${added[0]?.productId}`
  const numbersOf = async (sort: string) =>
    (await readPages(`limit=2&${product}&sort=${sort}`))
      .flat()
      .map(({ id }) => added.findIndex((order) => order.id === id))
  assert.deepEqual(await numbersOf('newest'), [4, 3, 2, 1, 0])
  assert.deepEqual(await numbersOf('oldest'), [0, 1, 2, 3, 4])
  assert.deepEqual(await numbersOf('highest'), [4, 1, 3, 2, 0])
  assert.deepEqual(await numbersOf('lowest'), [0, 2, 3, 1, 4])
  assert.deepEqual(await numbersOf('lowest&q=berlin+mug'), [0, 2, 3, 1, 4])
})

test('days are those of the time zone that is asked for, both counted in', async () => {
  const added = await addOrders(
    db,
    ['2026-07-01T21:59:59Z', '2026-07-01T22:00:00Z', '2026-07-02T21:59:59Z'].map((time) => ({
      createdAt: new Date(time),
    })),
  )
  const numbersOf = async (query: string) =>
    (await read(`?product=${added[0]?.productId}&sort=oldest&${query}`)).orders.map(({ id }) =>
      added.findIndex((order) => order.id === id),
    )
  const berlin = 'tz=Europe/Berlin'
  assert.deepEqual(await numbersOf(`from=2026-07-02&to=2026-07-02&${berlin}`), [1, 2])
  assert.deepEqual(await numbersOf(`to=2026-07-01&${berlin}`), [0])
  assert.deepEqual(await numbersOf('to=2026-07-01'), [0, 1])
  assert.deepEqual(await numbersOf('from=2026-07-02'), [2])
  assert.deepEqual(await numbersOf(`from=2026-07-02&q=mug&${berlin}`), [1, 2])
})

test('a question that makes no sense is refused in a sentence', async () => {
  const place = (text: string) => Buffer.from(text).toString('base64url')
  const id = '9f1c2d3e-0000-4000-8000-000000000000'
  for (const query of [
    'limit=0',
    'limit=201',
    'limit=-1',
    'limit=ten',
    'limit=',
    'status=lost',
    'status=pending&status=shipped',
    `q=${'a'.repeat(201)}`,
    'q=a&q=b',
    'sort=best',
    'product=mug',
    'from=2026-02-30',
    'to=yesterday',
    'from=2026-02-01&tz=Mars/Olympus',
    `sort=highest&cursor=${place(`1790000000000000 ${id}`)}`,
    `sort=highest&cursor=${place(`1790000000000000 ${id} -1.00`)}`,
    `cursor=${place(`1790000000000000 ${id} 1.00`)}`,
    'cursor=',
    'cursor=nonsense',
    `cursor=${place(`1790000000000000 ${id} more`)}`,
    `cursor=${place(`179000000000000000 ${id}`)}`,
    `cursor=${place('1790000000000000 not-an-id')}`,
    `cursor=${place(`-790000000000000 ${id}`)}`,
  ]) {
    const answer = await app.inject({ url: `${apiRoutes.orders}?${query}`, headers })
    assert.equal(answer.statusCode, 400, query)
    assert.match(answer.json().message, /^[A-Z].*\.$/, query)
  }
})

test('two orders of one person for one thing within ten minutes may be one too many', async () => {
  const at = (minutes: number) => new Date(Date.parse('2026-05-01T12:00:00Z') + minutes * 60_000)
  const pair = { customerEmail: 'Twice@Example.com' }
  const [first, second, late, other, dearer] = await addOrders(db, [
    { ...pair, createdAt: at(0) },
    { customerEmail: 'twice@example.com', createdAt: at(9.9) },
    { ...pair, createdAt: at(20) },
    { customerEmail: 'someone@example.com', createdAt: at(1) },
    { ...pair, createdAt: at(2), amount: '59.00' },
  ])
  const shown = new Map((await read()).orders.map((order) => [order.id, order.maybeDuplicateOf]))
  assert.equal(shown.get(second?.id ?? ''), first?.id)
  for (const order of [first, late, other, dearer]) assert.equal(shown.get(order?.id ?? ''), null)
  const [elsewhere] = await addOrders(db, [{ ...pair, createdAt: at(3) }])
  const path = pathOf(apiRoutes.order, { id: elsewhere?.id ?? '' })
  const answer = await app.inject({ url: path, headers })
  assert.equal(answer.json().maybeDuplicateOf, null, 'another product is another wish')
})

/** JavaScript's dates end at the millisecond; the database's do not. */
function sqlTime(text: string): Date {
  return Object.assign(new Date(text), { toISOString: () => text })
}

test('the order with a number comes first, whatever else has these digits, and once', async () => {
  const meant = await addOrders(db, [{ number: 880_042, createdAt: new Date('2026-01-01') }])
  const others = await addOrders(db, [
    { customerName: 'Suite 880042' },
    { customerPhone: '+49 8800421', createdAt: new Date('2025-01-01') },
  ])
  const all = idsOf([...meant, ...others])
  for (const q of ['880042', '%23880042'])
    for (const limit of [50, 2])
      assert.deepEqual(idsOf((await readPages(`limit=${limit}&q=${q}`)).flat()), all, q)
  assert.deepEqual((await read('?q=880042&status=completed')).orders, [])
  // Random ids of other orders may have these four digits too.
  const found = new Set(idsOf((await read('?q=8800')).orders))
  assert.ok(
    all.every((id) => found.has(id)),
    'its beginning is enough to be found',
  )
})
