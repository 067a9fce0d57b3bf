import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { after, test } from 'node:test'
import { pino } from 'pino'
import { Client } from 'pg'
import type { LiveEvent } from '#contract/live.ts'
import type { Mode } from '#contract/mode.ts'
import { createSession, sessionIdOf } from '#server/admin/sessions.ts'
import { credentials, users } from '#server/db/admin-schema.ts'
import { connectDatabase, type Db } from '#server/db/database.ts'
import { reviewEntries } from '#server/db/payment-schema.ts'
import { orderTimeline } from '#server/db/schema.ts'
import { withdrawals } from '#server/db/order-schema.ts'
import { recordAudit } from '#server/http/audit.ts'
import { addNote } from '#server/orders/notes.ts'
import { addOrders } from '#server/testing/orders.ts'
import { startPooler } from '#server/testing/pooler.ts'
import { makeTestDatabase } from '#server/testing/test-database.ts'
import { testBrowser } from '#server/testing/test-shop.ts'
import { waitFor } from '#server/testing/wait-for.ts'
import { openLiveStreams, type Listener } from './streams.ts'

/** What live streams ask, of all connections of this process. */
const asked: string[] = []
// oxlint-disable-next-line typescript/unbound-method -- called with its own `this` below
const { query } = Client.prototype
Client.prototype.query = function count(this: Client, ...args: unknown[]) {
  const [statement] = args as [string | { text?: string }]
  const text = typeof statement === 'string' ? statement : (statement.text ?? '')
  if (text.includes('left join ((select') || text.includes('"sessions"')) asked.push(text)
  return Reflect.apply(query, this, args)
} as typeof query
after(() => void (Client.prototype.query = query))

const connection = await makeTestDatabase()
const { db, pool, close } = await connectDatabase(connection, () => {})
after(close)
const [berta, owner] = [await addAdmin('berta'), await addAdmin('owner')]

async function addAdmin(username: string) {
  const email = `${username}@example.com`
  const [user] = await db.insert(users).values({ email }).returning()
  assert.ok(user)
  await db.insert(credentials).values({ userId: user.id, username, passwordHash: '' })
  return { id: user.id, email, username }
}

/** A node on the database, or on the way to it. */
function openNode(node: { db?: Db; mode?: Mode } = {}) {
  const deps = { db: node.db ?? db, log: pino({ level: 'silent' }), findMode: () => node.mode }
  const streams = openLiveStreams(deps, { pollMs: 10, beatMs: 50 })
  after(() => streams.close())
  return streams
}

/** Listens as the owner. */
async function listen(node: ReturnType<typeof openNode>, change: Partial<Listener> = {}) {
  const sessionId = sessionIdOf(await createSession(db, owner.id, testBrowser))
  const listener = {
    adminId: owner.id,
    sessionId,
    lastEventAt: undefined,
    shownSince: undefined,
    ...change,
  }
  const output = await node.open(listener)
  after(() => output.destroy())
  const messages = readMessages(output)
  await messages.next()
  /** The next message with events. */
  const hear = async (): Promise<{ id: string; events: Pick<LiveEvent, 'kind' | 'id'>[] }> => {
    for (;;) {
      const { value, done } = await messages.next()
      if (done) throw new Error('the stream has ended')
      if (!value.data) continue
      const told = JSON.parse(value.data) as LiveEvent[]
      const events = told.map(({ kind, id }) => ({ kind, id }))
      return { id: value.id ?? '', events }
    }
  }
  return { output, sessionId, next: async () => (await messages.next()).value, hear }
}

type Message = { event?: string; id?: string; data?: string }

async function* readMessages(output: AsyncIterable<Buffer>): AsyncGenerator<Message> {
  let rest = ''
  for await (const bytes of output) {
    const parts = (rest + String(bytes)).split('\n\n')
    rest = parts.pop() ?? ''
    for (const part of parts) yield parseMessage(part)
  }
}

function parseMessage(text: string): Message {
  return Object.fromEntries(text.split('\n').map((line) => line.split(/: (.*)/, 2)))
}

const idBeginning = (digit: string) => `${digit}${randomUUID().slice(1)}`

async function sell(change: Parameters<typeof addOrders>[1][number] = {}): Promise<string> {
  const [order] = await addOrders(db, [change])
  assert.ok(order)
  return order.id
}

test('a sale of any node is told once, also one whose transaction ends after a newer one', async () => {
  const listeners = [await listen(openNode()), await listen(openNode())]
  const first = await sell()
  for (const { hear } of listeners)
    assert.deepEqual((await hear()).events, [{ kind: 'order', id: first }])
  const { promise: committed, resolve: commit } = Promise.withResolvers<void>()
  const { promise: inserted, resolve: onInserted } = Promise.withResolvers<string>()
  const late = db.transaction(async (tx) => {
    // Counted in another row than the newer one, which would wait for this transaction (orderCounts).
    const [order] = await addOrders(tx, [{ id: idBeginning('a') }])
    onInserted(order?.id ?? '')
    await committed
  })
  const older = await inserted
  const newer = await sell({ id: idBeginning('b') })
  for (const { hear } of listeners)
    assert.deepEqual((await hear()).events, [{ kind: 'order', id: newer }])
  commit()
  await late
  for (const { hear } of listeners)
    assert.deepEqual((await hear()).events, [{ kind: 'order', id: older }])
})

test('through a pooler that loses sessions, sales are told as well', async () => {
  const pooled = await connectDatabase(await startPooler(connection), () => {})
  after(pooled.close)
  assert.equal(pooled.isPooled, true)
  const { hear } = await listen(openNode(pooled))
  for (let count = 0; count < 3; count += 1) {
    const id = await sell()
    assert.deepEqual((await hear()).events, [{ kind: 'order', id }])
  }
})

test('changes are told to other admins only, and nothing about people', async () => {
  const id = await sell({ customerEmail: 'zanzibar@example.com' })
  const [productId, reviewId] = [randomUUID(), randomUUID()]
  const node = openNode()
  const ownersStream = await listen(node)
  const act = async (admin: typeof owner) => {
    const actor = { admin, address: '203.0.113.7' }
    await db.transaction(async (tx) => {
      await recordAudit(tx, actor, { action: 'order-status', subject: id })
      await recordAudit(tx, actor, { action: 'product-paused', subject: productId })
      await recordAudit(tx, actor, { action: 'review-dismissed', subject: reviewId })
      await recordAudit(tx, actor, { action: 'orders-exported' })
    })
  }
  await act(owner)
  await act(berta)
  const byKind = (events: { kind: string }[]) =>
    events.toSorted((one, other) => one.kind.localeCompare(other.kind))
  assert.deepEqual(byKind((await ownersStream.hear()).events), [
    { kind: 'order-changed', id },
    { kind: 'product-changed', id: productId },
    { kind: 'review-changed', id: reviewId },
  ])
  const entry = { id: randomUUID(), reason: 'stuck', state: 'open', saleId: randomUUID() } as const
  await db.insert(reviewEntries).values(entry)
  assert.deepEqual((await ownersStream.hear()).events, [{ kind: 'review', id: entry.id }])
})

test('test orders are told in test mode only', async () => {
  const testing = await listen(openNode({ mode: 'test' }))
  const live = await listen(openNode({ mode: 'live' }))
  const ids = [await sell({ isTest: true }), await sell()]
  const heard = [...(await testing.hear()).events]
  while (heard.length < 2) heard.push(...(await testing.hear()).events)
  assert.deepEqual(
    heard.map(({ id }) => id),
    ids,
  )
  assert.deepEqual((await live.hear()).events, [{ kind: 'order', id: ids[1] }])
})

test('who comes back is told what was missed, on any node, and a new page what it may not have read', async () => {
  const before = await listen(openNode())
  await sell()
  const { id: lastEvent } = await before.hear()
  before.output.destroy()
  const missed = await sell()
  const openFor = async (change: Partial<Listener>) => {
    const sessionId = sessionIdOf(await createSession(db, owner.id, testBrowser))
    const listener = {
      adminId: owner.id,
      sessionId,
      lastEventAt: undefined,
      shownSince: undefined,
      ...change,
    }
    const output = await openNode().open(listener)
    after(() => output.destroy())
    const { value } = await readMessages(output).next()
    return (JSON.parse(value?.data ?? '[]') as LiveEvent[]).map(({ id }) => id)
  }
  assert.ok((await openFor({ lastEventAt: new Date(Number(lastEvent)) })).includes(missed))
  assert.deepEqual(await openFor({}), [])
})

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000)

test('a page is told what happened since its data was read, however long its stream took', async () => {
  const [earlier, since] = [
    await sell({ createdAt: minutesAgo(30) }),
    await sell({ createdAt: minutesAgo(10) }),
  ]
  const sessionId = sessionIdOf(await createSession(db, owner.id, testBrowser))
  const shownSince = minutesAgo(20)
  const node = openNode()
  const output = await node.open({
    adminId: owner.id,
    sessionId,
    lastEventAt: undefined,
    shownSince,
  })
  after(() => output.destroy())
  const messages = readMessages(output)
  const { value } = await messages.next()
  const told = JSON.parse(value?.data ?? '[]') as LiveEvent[]
  const ids = told.map(({ id }) => id)
  assert.deepEqual([ids.includes(earlier), ids.includes(since)], [false, true])
  // A list that was read five minutes ago has it, one that was read before does not.
  const event = told.find(({ id }) => id === since)
  assert.ok(event)
  assert.ok(event.seenAt > shownSince.getTime() && event.seenAt < minutesAgo(5).getTime())
})

test('withdrawals, notes of colleagues and money that SumUp sent back are told', async () => {
  const id = await sell()
  const { hear } = await listen(openNode())
  const statement = { name: 'Anna', orderNumber: '1042', email: 'anna@example.com' }
  const [first] = await db
    .insert(withdrawals)
    .values({ ...statement, orderId: id })
    .returning()
  await db.insert(withdrawals).values({ ...statement, orderId: id, isRepeat: true })
  assert.deepEqual((await hear()).events, [{ kind: 'withdrawal', id: first?.id }])
  const actor = { admin: berta, address: '203.0.113.7' }
  await recordAudit(db, actor, { action: 'withdrawal-handled', subject: id })
  assert.deepEqual((await hear()).events, [{ kind: 'withdrawal-changed', id }])
  await addNote(db, id, { text: 'Call back' }, actor)
  assert.deepEqual((await hear()).events, [{ kind: 'order-changed', id }])
  for (const event of ['refunded', 'charged-back']) {
    await db.insert(orderTimeline).values({ orderId: id, actor: 'shop', event, amount: '5.00' })
    assert.deepEqual((await hear()).events, [{ kind: 'money-returned', id }])
  }
})

test('while nobody listens the database is asked nothing', async () => {
  const node = openNode()
  const [one, other] = [await listen(node), await listen(node)]
  assert.equal(node.count(), 2)
  await sell()
  await one.hear()
  await once(one.output.destroy(), 'close')
  await sell()
  await other.hear()
  await once(other.output.destroy(), 'close')
  assert.equal(node.count(), 0)
  // What was under way ends. Then time passes in which the node would have asked a dozen times.
  await waitFor('no connection is in use', () => pool.idleCount === pool.totalCount)
  asked.length = 0
  await db.execute('select pg_sleep(0.2)')
  assert.deepEqual(asked, [])
})

test('a stream is closed with its session, and does not keep it open', async () => {
  const node = openNode()
  const session = await listen(node)
  const kept = await listen(node)
  const readExpiry = async () =>
    (await pool.query('select expire from sessions where sid = $1', [kept.sessionId])).rows
  await pool.query(`update sessions set expire = now() + interval '1 hour' where sid = $1`, [
    kept.sessionId,
  ])
  const expiry = await readExpiry()
  await pool.query('delete from sessions where sid = $1', [session.sessionId])
  let last = await session.next()
  while (last && !last.event) last = await session.next()
  assert.deepEqual(last, { event: 'end', data: '{"reason":"logged-out"}' })
  assert.equal(node.count(), 1)
  assert.deepEqual(await readExpiry(), expiry)
})

test('of six streams of a session the oldest is closed', async () => {
  const node = openNode()
  const oldest = await listen(node)
  const { sessionId } = oldest
  for (let count = 0; count < 5; count += 1) await listen(node, { sessionId })
  let last = await oldest.next()
  while (last && !last.event) last = await oldest.next()
  assert.deepEqual(last, { event: 'end', data: '{"reason":"replaced"}' })
  assert.equal(node.count(), 5)
})
