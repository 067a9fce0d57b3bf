import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type OrderCounts,
  type OrderEvent,
  type OrderStatus,
  orderStatuses,
  statusBeforeHeader,
} from '#contract/orders.ts'
import { apiRoutes, pathOf } from '#contract/paths.ts'
import { addAdmin } from '#server/admin/admins.ts'
import { shellActor } from '#server/http/audit.ts'
import { createSession } from '#server/admin/sessions.ts'
import { eq, sql } from '#server/db/drizzle.ts'
import { orders, orderTimeline } from '#server/db/schema.ts'
import { addOrders } from '#server/testing/orders.ts'
import { openTestShop, testAdmin, testBrowser } from '#server/testing/test-shop.ts'

const { app, db, signIn } = await openTestShop()
const headers = await signIn()

const change = (id: string, payload: object | undefined, as = headers) =>
  app.inject({
    method: 'PATCH',
    url: pathOf(apiRoutes.orderStatus, { id }),
    headers: as,
    ...(payload ? { payload } : {}),
  })
const readTimeline = async (id: string): Promise<OrderEvent[]> =>
  (await app.inject({ url: pathOf(apiRoutes.orderTimeline, { id }), headers })).json()
const readCounts = async (): Promise<OrderCounts> =>
  (await app.inject({ url: apiRoutes.orderCounts, headers })).json()
const addOrder = async (status: OrderStatus = 'pending'): Promise<string> =>
  (await addOrders(db, [{ status }]))[0]?.id ?? ''

test('any status may follow any other, and each change records who, when, from and to', async () => {
  const id = await addOrder()
  const way: OrderStatus[] = ['pending']
  for (const from of orderStatuses) {
    for (const to of orderStatuses) {
      if (from === to) continue
      for (const status of [from, to]) {
        const answer = await change(id, { status })
        assert.equal(answer.statusCode, 200)
        assert.equal(answer.json().status, status)
        assert.equal(answer.headers[statusBeforeHeader], way.at(-1), 'what undo gives back')
        assert.equal(answer.headers['cache-control'], 'no-store')
        if (way.at(-1) !== status) way.push(status)
      }
    }
  }
  const timeline = await readTimeline(id)
  assert.deepEqual(
    timeline.map(({ who, event, from, to }) => [who, event, from, to]),
    way.slice(1).map((to, step) => [testAdmin.email, 'status', way[step], to]),
  )
  const [order] = await db.select().from(orders).where(eq(orders.id, id))
  assert.equal(order?.status, way.at(-1))
  assert.ok(order && order.updatedAt > order.createdAt)
})

test('setting the current status changes nothing', async () => {
  const id = await addOrder('shipped')
  const [before] = await db.select().from(orders).where(eq(orders.id, id))
  assert.equal((await change(id, { status: 'shipped' })).statusCode, 200)
  const [after] = await db.select().from(orders).where(eq(orders.id, id))
  assert.deepEqual(after, before)
  assert.deepEqual(await readTimeline(id), [])
})

test('an unknown status is refused with the list of the four', async () => {
  const id = await addOrder()
  for (const body of [
    { status: 'paid' },
    { status: 'Shipped' },
    { status: '' },
    { status: null },
    { status: ['shipped'] },
    {},
    [],
    undefined,
  ]) {
    const answer = await change(id, body)
    assert.equal(answer.statusCode, 400, JSON.stringify(body))
    assert.equal(
      answer.json().message,
      'A status is one of: pending, processing, shipped, completed.',
    )
  }
  assert.deepEqual(await readTimeline(id), [])
})

test('a missing order has no timeline and cannot be changed', async () => {
  for (const id of ['00000000-0000-4000-8000-000000000000', 'summary', 'x', '1 or 1=1']) {
    const answer = await change(id, { status: 'shipped' })
    assert.equal(answer.statusCode, 404, id)
    assert.equal(answer.json().message, 'Order not found')
    const url = pathOf(apiRoutes.orderTimeline, { id })
    assert.equal((await app.inject({ url, headers })).statusCode, 404)
  }
})

test('two admins at once: the last change wins, and the timeline is one chain of both', async () => {
  const id = await addOrder()
  const account = {
    username: 'second',
    email: 'second@example.com',
    password: 'four words without meaning',
  }
  const other = await addAdmin(db, account, shellActor)
  const second = { cookie: `till_session=${await createSession(db, other.id, testBrowser)}` }
  const wishes = Array.from({ length: 12 }, (_, n) => orderStatuses[(n * 7 + 1) % 4] ?? 'pending')
  await Promise.all(
    wishes.map((status, n) => change(id, { status }, n % 2 === 0 ? headers : second)),
  )
  const timeline = await readTimeline(id)
  assert.deepEqual(new Set(timeline.map(({ who }) => who)), new Set([testAdmin.email, other.email]))
  const froms = timeline.map(({ from }) => from)
  const tos = timeline.map(({ to }) => to)
  assert.deepEqual(froms, ['pending', ...tos.slice(0, -1)])
  const [order] = await db.select().from(orders).where(eq(orders.id, id))
  assert.equal(order?.status, tos.at(-1))
})

test('automatic events are shown as done by the shop', async () => {
  const id = await addOrder()
  const placed = { orderId: id, actor: 'shop', event: 'placed', toStatus: 'pending' }
  const gone = {
    orderId: id,
    actor: 'nobody-any-more',
    event: 'status',
    fromStatus: 'pending',
    toStatus: 'shipped',
  }
  await db.insert(orderTimeline).values(placed)
  await db.insert(orderTimeline).values(gone)
  assert.deepEqual(
    (await readTimeline(id)).map(({ who, from, to }) => [who, from, to]),
    [
      ['Shop', null, 'pending'],
      ['A former admin', 'pending', 'shipped'],
    ],
  )
})

test('the counts follow every insert, update and delete of orders', async () => {
  await db.execute(sql`truncate orders cascade`)
  assert.deepEqual(await readCounts(), { pending: 0, processing: 0, shipped: 0, completed: 0 })
  const added = await addOrders(
    db,
    [...orderStatuses, ...orderStatuses, ...orderStatuses].map((status) => ({ status })),
  )
  assert.deepEqual(await readCounts(), { pending: 3, processing: 3, shipped: 3, completed: 3 })
  // Each to another status, at once: whoever locked the counts in another order would wait for ever.
  await Promise.all(
    added.map(({ id, status }, n) =>
      change(id, {
        status: orderStatuses[(orderStatuses.indexOf(status as OrderStatus) + 1 + (n % 3)) % 4],
      }),
    ),
  )
  await db.update(orders).set({ status: 'completed' }).where(eq(orders.status, 'pending'))
  await db.delete(orderTimeline)
  await db.delete(orders).where(eq(orders.id, added[0]?.id ?? ''))
  const { rows } = await db.execute<{ status: OrderStatus; orders: number }>(
    sql`select status, count(*)::int as orders from orders group by status`,
  )
  const none = { pending: 0, processing: 0, shipped: 0, completed: 0 }
  const counted = Object.fromEntries(rows.map((row) => [row.status, row.orders]))
  assert.deepEqual(await readCounts(), { ...none, ...counted })
  assert.equal(
    rows.reduce((sum, row) => sum + row.orders, 0),
    11,
  )
})
