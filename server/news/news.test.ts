import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { readAtHeader, type News } from '#contract/news.ts'
import { apiRoutes } from '#contract/paths.ts'
import { sessionIdOf } from '#server/admin/sessions.ts'
import { credentials, users } from '#server/db/admin-schema.ts'
import { sql } from '#server/db/drizzle.ts'
import { withdrawals } from '#server/db/order-schema.ts'
import { reviewEntries } from '#server/db/payment-schema.ts'
import { orderTimeline } from '#server/db/schema.ts'
import { recordAudit } from '#server/http/audit.ts'
import { addNote } from '#server/orders/notes.ts'
import { addOrders } from '#server/testing/orders.ts'
import { openTestShop } from '#server/testing/test-shop.ts'

const shop = await openTestShop()
const { app, db } = shop
const headers = await shop.signIn()
const [owner] = await db.select().from(users)
const berta = await addAdmin('berta')

async function addAdmin(username: string) {
  const email = `${username}@example.com`
  const [user] = await db.insert(users).values({ email }).returning()
  assert.ok(user)
  await db.insert(credentials).values({ userId: user.id, username, passwordHash: '' })
  return { id: user.id, email, username }
}

async function ask(since?: number, asked: Record<string, string> = headers): Promise<News> {
  const query = since === undefined ? '' : `?since=${since}`
  const answer = await app.inject({ url: `${apiRoutes.news}${query}`, headers: asked })
  assert.equal(answer.statusCode, 200)
  return answer.json<News>()
}

/** What an open page learns: each question begins where the last ended, and drops what it had. */
async function openPage() {
  let last = await ask()
  return async () => {
    const known = new Set(last.events.map(({ key }) => key))
    last = await ask(last.until)
    const unknown = last.events.filter(({ key }) => !known.has(key))
    return unknown.map(({ kind, id }) => ({ kind, id }))
  }
}

async function sell(change: Parameters<typeof addOrders>[1][number] = {}): Promise<string> {
  const [order] = await addOrders(db, [change])
  assert.ok(order)
  return order.id
}

const actor = { admin: berta, address: '203.0.113.7' }

test('a sale is told once, also one whose transaction ends after a newer one', async () => {
  const hear = await openPage()
  const first = await sell()
  assert.deepEqual(await hear(), [{ kind: 'order', id: first }])
  const { promise: committed, resolve: commit } = Promise.withResolvers<void>()
  const { promise: inserted, resolve: onInserted } = Promise.withResolvers<string>()
  const late = db.transaction(async (tx) => {
    const [order] = await addOrders(tx, [{}])
    onInserted(order?.id ?? '')
    await committed
  })
  const older = await inserted
  const newer = await sell()
  assert.deepEqual(await hear(), [{ kind: 'order', id: newer }])
  commit()
  await late
  assert.deepEqual(await hear(), [{ kind: 'order', id: older }])
  assert.deepEqual(await hear(), [])
})

test('what an admin reads says when, and what is new since then is told', async () => {
  const readOrders = async () => {
    const answer = await app.inject({ url: `${apiRoutes.orders}?limit=5`, headers })
    return { at: Number(answer.headers[readAtHeader]), ids: answer.json<{ id: string }[]>() }
  }
  const before = await readOrders()
  const id = await sell()
  const { until, events } = await ask(before.at)
  const event = events.find((one) => one.id === id)
  assert.ok(event)
  assert.ok(event.at >= before.at && event.at <= until)
  const after = await readOrders()
  const lists = [before, after].map(({ ids }) => ids.some((order) => order.id === id))
  assert.deepEqual(lists, [false, true])
  assert.ok(after.at >= event.at)
})

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000)

test('a page that slept for hours is told what it missed, a new one nothing of before', async () => {
  const ids = [
    await sell({ createdAt: minutesAgo(25 * 60) }),
    await sell({ createdAt: minutesAgo(30) }),
    await sell({ createdAt: minutesAgo(10) }),
  ]
  const missedSince = async (since?: number) => {
    const { events } = await ask(since)
    return ids.map((id) => events.some((event) => event.id === id))
  }
  assert.deepEqual(await missedSince(minutesAgo(20).getTime()), [false, false, true])
  assert.deepEqual(await missedSince(minutesAgo(60).getTime()), [false, true, true])
  // No session is that old.
  assert.deepEqual(await missedSince(0), [false, true, true])
  assert.deepEqual(await missedSince(), [false, false, false])
})

test('changes are told to other admins only, and nothing about people', async () => {
  const id = await sell({ customerEmail: 'zanzibar@example.com' })
  const [productId, reviewId] = [randomUUID(), randomUUID()]
  const hear = await openPage()
  const act = (admin: typeof berta) =>
    db.transaction(async (tx) => {
      const by = { ...actor, admin }
      await recordAudit(tx, by, { action: 'order-status', subject: id })
      await recordAudit(tx, by, { action: 'product-paused', subject: productId })
      await recordAudit(tx, by, { action: 'review-dismissed', subject: reviewId })
      await recordAudit(tx, by, { action: 'orders-exported' })
    })
  assert.ok(owner)
  await act({ id: owner.id, email: '', username: 'owner' })
  await act(berta)
  const told = await hear()
  assert.deepEqual(
    told.toSorted((one, other) => one.kind.localeCompare(other.kind)),
    [
      { kind: 'order-changed', id },
      { kind: 'product-changed', id: productId },
      { kind: 'review-changed', id: reviewId },
    ],
  )
  assert.ok(!JSON.stringify(await ask()).includes('zanzibar'))
  const entry = { id: randomUUID(), reason: 'stuck', state: 'open', saleId: randomUUID() } as const
  await db.insert(reviewEntries).values(entry)
  assert.deepEqual(await hear(), [{ kind: 'review', id: entry.id }])
})

test('test orders are told in test mode only', async () => {
  const live = await openTestShop({ isLive: true })
  const [inTest, inLive] = [await openPage(), await live.signIn()]
  const [tested] = await addOrders(live.db, [{ isTest: true }])
  const [sold] = await addOrders(live.db, [{}])
  const answer = await live.app.inject({ url: apiRoutes.news, headers: inLive })
  const ids = answer.json<News>().events.map(({ id }) => id)
  assert.deepEqual([ids.includes(sold?.id ?? ''), ids.includes(tested?.id ?? '')], [true, false])
  const id = await sell({ isTest: true })
  assert.deepEqual(await inTest(), [{ kind: 'order', id }])
})

test('withdrawals, notes of colleagues and money that SumUp sent back are told', async () => {
  const id = await sell()
  const hear = await openPage()
  const statement = { name: 'Anna', orderNumber: '1042', email: 'anna@example.com' }
  const [first] = await db
    .insert(withdrawals)
    .values({ ...statement, orderId: id })
    .returning()
  await db.insert(withdrawals).values({ ...statement, orderId: id, isRepeat: true })
  assert.deepEqual(await hear(), [{ kind: 'withdrawal', id: first?.id }])
  await recordAudit(db, actor, { action: 'withdrawal-handled', subject: id })
  assert.deepEqual(await hear(), [{ kind: 'withdrawal-changed', id }])
  await addNote(db, id, { text: 'Call back' }, actor)
  assert.deepEqual(await hear(), [{ kind: 'order-changed', id }])
  for (const event of ['refunded', 'charged-back']) {
    await db.insert(orderTimeline).values({ orderId: id, actor: 'shop', event, amount: '5.00' })
    assert.deepEqual(await hear(), [{ kind: 'money-returned', id }])
  }
})

test('only admins ask, and asking does not keep their session open', async () => {
  assert.equal((await app.inject(apiRoutes.news)).statusCode, 401)
  const session = await shop.signIn()
  const [, token = ''] = session.cookie.split('=')
  const sid = sessionIdOf(token)
  await db.execute(sql`update sessions set expire = now() + interval '1 hour' where sid = ${sid}`)
  const readExpiry = async () =>
    (await db.execute(sql`select expire from sessions where sid = ${sid}`)).rows
  const expiry = await readExpiry()
  await ask(undefined, session)
  assert.deepEqual(await readExpiry(), expiry)
  await app.inject({ url: apiRoutes.orderCounts, headers: session })
  assert.notDeepEqual(await readExpiry(), expiry)
})
