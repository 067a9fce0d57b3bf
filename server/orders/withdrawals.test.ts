import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Client } from 'pg'
import { apiRoutes, pathOf } from '#contract/paths.ts'
import type { OrderEvent, AdminOrder } from '#contract/orders.ts'
import type { Withdrawal } from '#contract/withdrawals.ts'
import { rateLimits } from '#server/db/admin-schema.ts'
import { eq, sql } from '#server/db/drizzle.ts'
import { withdrawals } from '#server/db/order-schema.ts'
import { payments } from '#server/db/payment-schema.ts'
import { mails, orders, products } from '#server/db/schema.ts'
import { composeMail } from '#server/mail/messages.ts'
import { composeAcknowledgement } from '#server/mail/withdrawal-messages.ts'
import { addOrder, mailSettings } from '#server/testing/mails.ts'
import { openTestShop } from '#server/testing/test-shop.ts'
import { waitFor } from '#server/testing/wait-for.ts'

const shop = await openTestShop()
const { app, db } = shop
const admin = await shop.signIn()
let callers = 0

/** As a buyer without the link to the order, each from an address of their own. */
function withdraw(payload: object, ip = `203.0.113.${(callers += 1)}`) {
  const headers = { 'x-forwarded-for': ip }
  return app.inject({ method: 'POST', url: apiRoutes.withdrawals, headers, payload })
}

async function list(query = ''): Promise<Withdrawal[]> {
  return (await app.inject({ url: `${apiRoutes.withdrawals}${query}`, headers: admin })).json()
}

const ofOrder = ({ id }: { id: string }) => list(`?order=${id}`)

function markHandled(id: string, note = 'Agreed on the phone') {
  const url = pathOf(apiRoutes.withdrawalHandled, { id })
  return app.inject({ method: 'POST', url, headers: admin, payload: { note } })
}

async function readOrder(id: string): Promise<AdminOrder> {
  return (await app.inject({ url: pathOf(apiRoutes.order, { id }), headers: admin })).json()
}

/** What the shop asks its database during this, without what it reads every few seconds. */
async function listStatements(work: () => Promise<unknown>): Promise<string[]> {
  const sent: string[] = []
  // oxlint-disable-next-line typescript/unbound-method -- called with its own `this` below
  const { query } = Client.prototype
  Client.prototype.query = function note(this: Client, ...args: unknown[]) {
    const [asked] = args as [string | { text?: string; name?: string }]
    const { text = '', name = '' } = typeof asked === 'string' ? { text: asked } : asked
    if (!name.startsWith('till_')) sent.push(text)
    return Reflect.apply(query, this, args)
  } as typeof query
  await work()
  Client.prototype.query = query
  return sent
}

/** An address that no other test types. */
const emailOf = (name: string) => `${name}@withdrawals.example`

test('a statement with number and e-mail of an order is saved, acknowledged and shown to the owner', async () => {
  const order = await addOrder(db, { customerEmail: emailOf('Anna') })
  const answer = await withdraw({
    name: 'Anna Müller',
    orderNumber: ` #${order.number} `,
    email: emailOf('anna'),
  })
  assert.equal(answer.statusCode, 202, answer.body)
  const [seen] = await ofOrder(order)
  assert.equal(seen?.order?.id, order.id)
  assert.deepEqual([seen?.name, seen?.orderNumber], ['Anna Müller', `#${order.number}`])
  assert.deepEqual([seen?.isOpen, seen?.isLate, seen?.acknowledgement], [true, false, 'waiting'])
  assert.equal(seen?.createdAt, answer.json().receivedAt)
  assert.equal((await readOrder(order.id)).withdrawnAt, seen?.createdAt)
  const url = pathOf(apiRoutes.orderTimeline, { id: order.id })
  const events: OrderEvent[] = (await app.inject({ url, headers: admin })).json()
  assert.deepEqual(
    events.map(({ event, mail }) => mail?.kind ?? event),
    ['withdrawn', 'withdrawal'],
  )
  const found: AdminOrder[] = (
    await app.inject({ url: `${apiRoutes.orders}?withdrawn=true`, headers: admin })
  ).json()
  assert.deepEqual(
    found.map(({ id }) => id),
    [order.id],
  )
})

test('an order is found by its id too, and by another e-mail address never', async () => {
  const order = await addOrder(db, { customerEmail: emailOf('berta') })
  const statement = { name: 'Berta', orderNumber: order.id, email: emailOf('berta') }
  const right = await withdraw(statement)
  const foreign = await withdraw({ ...statement, email: emailOf('mallory') })
  const unknown = await withdraw({ ...statement, orderNumber: '#999999999' })
  for (const answer of [right, foreign, unknown]) {
    assert.equal(answer.statusCode, 202)
    assert.deepEqual(Object.keys(answer.json()), ['receivedAt'])
  }
  assert.equal((await ofOrder(order)).length, 1)
  const typed = [emailOf('mallory'), emailOf('berta')]
  const unmatched = await list('?unmatched=true')
  assert.deepEqual(
    unmatched
      .filter(({ email }) => typed.includes(email))
      .map(({ email, acknowledgement }) => [email, acknowledgement]),
    [
      [emailOf('berta'), 'waiting'],
      [emailOf('mallory'), 'waiting'],
    ],
    'the newest first',
  )
})

test('a second statement is saved and answered the same, and the owner is told once', async () => {
  const order = await addOrder(db, { customerEmail: emailOf('carla') })
  const statement = { name: 'Carla', orderNumber: String(order.number), email: emailOf('carla') }
  const answers = await Promise.all([withdraw(statement), withdraw(statement)])
  assert.deepEqual(
    answers.map(({ statusCode }) => statusCode),
    [202, 202],
  )
  assert.deepEqual(
    (await ofOrder(order)).map(({ isRepeat, isOpen }) => [isRepeat, isOpen]),
    [
      [false, true],
      [true, false],
    ],
  )
  const kinds = await db.select({ kind: mails.kind }).from(mails).where(eq(mails.orderId, order.id))
  assert.deepEqual(kinds.map(({ kind }) => kind).toSorted(), ['withdrawal-1', 'withdrawal-2'])
})

test('what is late or exempt is flagged, never refused', async () => {
  const order = await addOrder(db, { customerEmail: emailOf('dora'), status: 'shipped' })
  await db
    .update(orders)
    .set({ product: { ...order.product, withdrawalExemption: 'personalised' } })
    .where(eq(orders.id, order.id))
  const statement = { name: 'Dora', orderNumber: String(order.number), email: emailOf('dora') }
  await setStatusDaysAgo(order, 'shipped', 15)
  await withdraw(statement)
  const [late] = await ofOrder(order)
  assert.deepEqual([late?.isLate, late?.exemption], [true, 'personalised'])
})

const setStatusDaysAgo = ({ id }: { id: string }, status: string, days: number) =>
  db.execute(sql`with changed as (update orders set status = ${status} where id = ${id})
    insert into order_timeline (order_id, actor, event, to_status, created_at)
      values (${id}, 'shop', 'status', ${status}, now() - make_interval(days => ${days}))`)

test('a withdrawal is late by the shipping that stands, or by the completion after it', async () => {
  const histories: [string, [string, number][], boolean][] = [
    [
      'lea',
      [
        ['shipped', 30],
        ['processing', 29],
        ['shipped', 16],
      ],
      true,
    ],
    [
      'max',
      [
        ['shipped', 30],
        ['processing', 14],
        ['shipped', 13],
      ],
      false,
    ],
    [
      'mia',
      [
        ['shipped', 30],
        ['completed', 13],
      ],
      false,
    ],
    [
      'tom',
      [
        ['shipped', 30],
        ['completed', 15],
      ],
      true,
    ],
  ]
  for (const [name, history, isLate] of histories) {
    const order = await addOrder(db, { customerEmail: emailOf(name) })
    for (const [status, days] of history) await setStatusDaysAgo(order, status, days)
    await withdraw({ name, orderNumber: String(order.number), email: emailOf(name) })
    assert.deepEqual(
      (await ofOrder(order)).map((one) => one.isLate),
      [isLate],
      name,
    )
  }
})

test('an address gets three acknowledgements an hour; further statements are saved all the same', async () => {
  const email = emailOf('emil')
  const spellings = [email, email, emailOf('e.mil'), emailOf('Em.il+1'), emailOf('emil+2')]
  for (const one of spellings)
    assert.equal((await withdraw({ name: 'Emil', orderNumber: '1', email: one })).statusCode, 202)
  const saved = await db.select().from(withdrawals).where(eq(withdrawals.name, 'Emil'))
  assert.equal(saved.length, 5)
  assert.equal(saved.filter(({ mailId }) => mailId !== null).length, 3)
})

test('strangers cannot use up the acknowledgements of who has an order', async () => {
  await db.delete(rateLimits)
  for (let sent = 0; sent < 41; sent += 1)
    await withdraw({ name: 'Flood', orderNumber: '1', email: emailOf(`flood${sent}`) })
  const flood = await db.select().from(withdrawals).where(eq(withdrawals.name, 'Flood'))
  assert.equal(flood.filter(({ mailId }) => mailId !== null).length, 40)
  const order = await addOrder(db, { customerEmail: emailOf('rosa') })
  const statement = { name: 'Rosa', orderNumber: String(order.number), email: emailOf('rosa') }
  for (let sent = 0; sent < 2; sent += 1) await withdraw(statement)
  const states = (await ofOrder(order)).map(({ acknowledgement }) => acknowledgement)
  assert.deepEqual(states, ['waiting', 'waiting'])
  await db.delete(rateLimits)
})

test('of many statements about an order that are sent at once, only the first is mailed beyond the limit', async () => {
  const order = await addOrder(db, { customerEmail: emailOf('kim') })
  const statement = { name: 'Kim', orderNumber: String(order.number), email: emailOf('kim') }
  for (let sent = 0; sent < 3; sent += 1) await withdraw({ ...statement, orderNumber: '1' })
  const sending = await db.transaction(async (tx) => {
    await tx.select().from(orders).where(eq(orders.id, order.id)).for('update')
    const sent = Array.from({ length: 4 }, () => withdraw(statement))
    await waitFor('all wait for the order', async () => (await countWaiting()) === sent.length)
    return sent
  })
  await Promise.all(sending)
  const states = (await ofOrder(order)).map(({ acknowledgement }) => acknowledgement)
  assert.deepEqual(states, ['waiting', 'not-sent', 'not-sent', 'not-sent'])
})

/** How many statements wait for a lock of another. */
async function countWaiting(): Promise<number> {
  const { rows } = await db.execute<{ count: number }>(sql`select count(*)::int as count
    from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
  return rows[0]?.count ?? 0
}

test('the database is asked the same, whether or not an order fits', async () => {
  const order = await addOrder(db, { customerEmail: emailOf('sara'), status: 'shipped' })
  const statement = { name: 'Sara', email: emailOf('sara') }
  const fitting = await listStatements(() =>
    withdraw({ ...statement, orderNumber: String(order.number) }),
  )
  const other = await listStatements(() => withdraw({ ...statement, orderNumber: '999999999' }))
  assert.equal((await ofOrder(order)).length, 1)
  assert.ok(fitting.length > 8)
  assert.deepEqual(other, fitting)
})

test('who sends dozens an hour is asked to wait', async () => {
  const ip = '198.51.100.7'
  const statement = { name: 'Fritz', orderNumber: '1', email: emailOf('fritz') }
  for (let sent = 0; sent < 30; sent += 1)
    assert.equal((await withdraw(statement, ip)).statusCode, 202)
  const refused = await withdraw(statement, ip)
  assert.deepEqual([refused.statusCode, refused.json().code], [429, 'too-many-requests'])
  assert.ok(Number(refused.headers['retry-after']) > 0)
})

test('any name is taken, but what looks like a link or a call goes into no mail', async () => {
  const good = { name: 'Greta', orderNumber: '1042', email: emailOf('greta') }
  const before = await db.$count(withdrawals)
  for (const change of [
    { name: '' },
    { name: 'Greta\nBcc: x@example.com' },
    { email: 'greta' },
    { orderNumber: '' },
  ])
    assert.equal((await withdraw({ ...good, ...change })).statusCode, 400)
  assert.equal(await db.$count(withdrawals), before)
  const quote = async (change: object) => {
    assert.equal((await withdraw({ ...good, ...change })).statusCode, 202)
    const [saved] = await db
      .select()
      .from(withdrawals)
      .orderBy(sql`created_at desc`)
      .limit(1)
    if (!saved) throw new Error('nothing was saved')
    return composeAcknowledgement({ id: saved.id }, saved, mailSettings)?.text ?? ''
  }
  const order = await addOrder(db, { customerEmail: emailOf('greta') })
  const about = { orderNumber: String(order.number) }
  const long = 'Anna & Otto Müller (your new landlords for ever)'
  for (const name of ['Dr. Zoë O’Neil-Şahin', long])
    assert.ok((await quote({ name, ...about })).includes(name), name)
  assert.ok((await quote({ name: 'Dr. Zoë O’Neil-Şahin' })).includes('Zoë'))
  assert.ok(!(await quote({ name: long })).includes('landlords'), 'no letter by a stranger')
  for (const name of ['Win at evil.com', 'Call 0800 123456', '<b>Greta</b>', 'a'.repeat(200)])
    assert.ok(!(await quote({ name })).includes(name), name)
  assert.match(await quote({ orderNumber: 'Order no. 1042' }), /Order number\n1042/)
  assert.doesNotMatch(await quote({ orderNumber: 'Call 0800123456 now, you won' }), /0800|won/)
})

test('who states it again after the owner handled it is shown again, and always acknowledged', async () => {
  const order = await addOrder(db, { customerEmail: emailOf('nina') })
  const statement = { name: 'Nina', orderNumber: `Nr. ${order.number}`, email: emailOf('nina') }
  for (let sent = 0; sent < 4; sent += 1) await withdraw({ ...statement, orderNumber: '1' })
  await withdraw(statement)
  const [first] = await ofOrder(order)
  assert.partialDeepStrictEqual(first, { isOpen: true, acknowledgement: 'waiting' })
  await markHandled(first?.id ?? '')
  await withdraw(statement)
  const [, again] = await ofOrder(order)
  assert.partialDeepStrictEqual(again, {
    isRepeat: false,
    isOpen: true,
    acknowledgement: 'waiting',
  })
  assert.equal((await readOrder(order.id)).withdrawnAt, again?.createdAt)
})

test('a refund in full or a note of an admin ends what the owner has to do', async () => {
  const order = await addOrder(db, { customerEmail: emailOf('hanna') })
  await withdraw({ name: 'Hanna', orderNumber: String(order.number), email: emailOf('hanna') })
  const [{ id } = { id: '' }] = await ofOrder(order)
  const transactionId = order.sumupTransactionId ?? ''
  const paid = { transactionId, merchantCode: 'M', amount: '49.00', currency: 'EUR' }
  await db.insert(payments).values({ ...paid, status: 'successful', refunded: '48.00' })
  const refund = (refunded: string) =>
    db.update(payments).set({ refunded }).where(eq(payments.transactionId, transactionId))
  assert.equal((await ofOrder(order))[0]?.isOpen, true)
  await refund('49.00')
  assert.equal((await ofOrder(order))[0]?.isOpen, false)
  await refund('40.00')
  assert.equal((await markHandled(id, '')).statusCode, 400)
  assert.equal((await markHandled(id)).statusCode, 204)
  assert.equal((await markHandled(id)).json().code, 'withdrawal-handled')
  const [handled] = await ofOrder(order)
  assert.deepEqual([handled?.isOpen, handled?.note], [false, 'Agreed on the phone'])
  assert.equal(handled?.handledBy, 'owner@example.com')
  assert.ok(!(await list()).some((one) => one.id === id))
})

test('the acknowledgement says what was received and when, and neither accepts it nor has a link', async () => {
  await withdraw({ name: 'Ida Muster', orderNumber: '#1042', email: emailOf('ida') })
  const [row] = await db
    .select()
    .from(withdrawals)
    .where(eq(withdrawals.email, emailOf('ida')))
  assert.ok(row)
  const live = {
    ...row,
    isTest: false,
    createdAt: new Date('2026-11-17T20:15:30Z'),
  }
  const mail = composeAcknowledgement({ id: row.mailId ?? '' }, live, mailSettings)
  assert.equal(mail?.to.address, emailOf('ida'))
  assert.match(mail?.text ?? '', /We have received your statement/)
  assert.match(mail?.text ?? '', /1042[^]*Ida Muster[^]*17 November 2026 at 20:15:30 \(UTC\)/)
  assert.doesNotMatch(`${mail?.text}${mail?.subject}`, /accept|https?:/i)
  assert.doesNotMatch(mail?.html ?? '', /<a [^>]*href="http/)
  const ofTest = composeAcknowledgement({ id: row.mailId ?? '' }, row, mailSettings)
  assert.equal(ofTest?.to.address, mailSettings.shopEmail, 'in test mode nobody else gets mail')
})

test('a confirmation tells buyers in the EU of their right, unless the product is exempt', async () => {
  const order = await addOrder(db)
  const textOf = (change: Partial<typeof order>, settings = mailSettings) =>
    composeMail({ id: 'm', kind: 'confirmation' }, { ...order, ...change }, settings)?.text ?? ''
  const told = /Right of withdrawal[^]*within 14 days[^]*Model withdrawal form/
  assert.match(textOf({}), told)
  assert.match(textOf({}), /Withdraw from contract here:\nhttps:\S+key=\S+#withdraw\n/)
  const abroad = { shippingAddress: { ...order.shippingAddress, country: 'Canada' } }
  assert.doesNotMatch(textOf(abroad), /withdrawal/i)
  const everyone = { ...mailSettings, withdrawal: { scope: 'everyone' as const, policy: null } }
  assert.match(textOf(abroad, everyone), told)
  const product = { ...order.product, withdrawalExemption: 'perishable' as const }
  assert.doesNotMatch(textOf({ product }), /withdrawal/i)
  const url = 'https://shop.example/withdrawal'
  const own = { ...mailSettings, withdrawal: { scope: 'eu' as const, policy: url } }
  assert.match(textOf({}, own), new RegExp(`${url}[^]*Model withdrawal form`))
})

test('a product without the right keeps saying so in its orders', async () => {
  const payload = {
    name: 'Engraved ring',
    price: '90.00',
    headerLogoUrl: 'https://example.com/logo.png',
    withdrawalExemption: 'personalised',
  }
  const url = apiRoutes.products
  const created = await app.inject({ method: 'POST', url, headers: admin, payload })
  assert.equal(created.json().withdrawalExemption, 'personalised')
  const [row] = await db.select().from(products).where(eq(products.id, created.json().id))
  assert.equal(row?.withdrawalExemption, 'personalised')
  const wrong = { ...payload, withdrawalExemption: 'because' }
  const refused = await app.inject({ method: 'POST', url, headers: admin, payload: wrong })
  assert.equal(refused.statusCode, 400)
})

test('statements that fit no order hide none that does, have pages, and are dismissed together', async () => {
  await db.update(withdrawals).set({ handledAt: new Date() })
  const junk = (index: number) => ({
    name: 'Junk',
    orderNumber: '1',
    email: emailOf('junk'),
    createdAt: new Date(Date.now() - 1_000_000 + index),
  })
  await db.insert(withdrawals).values(Array.from({ length: 112 }, (_none, index) => junk(index)))
  const order = await addOrder(db, { customerEmail: emailOf('olga') })
  await withdraw({ name: 'Olga', orderNumber: String(order.number), email: emailOf('olga') })
  await withdraw({ name: 'Paula', orderNumber: 'forgotten', email: emailOf('paula') })
  const read = async (query: string) => {
    const url = `${apiRoutes.withdrawals}${query}`
    const { headers, ...answer } = await app.inject({ url, headers: admin })
    const found: Withdrawal[] = answer.json()
    return { found, count: headers['x-count'], next: headers['x-next-cursor'] }
  }
  const matched = await read('')
  assert.deepEqual([matched.found.map(({ name }) => name), matched.count], [['Olga'], '1'])
  const first = await read('?unmatched=true')
  assert.deepEqual([first.found[0]?.name, first.count], ['Paula', '113'])
  const second = await read(`?unmatched=true&cursor=${String(first.next)}`)
  const third = await read(`?unmatched=true&cursor=${String(second.next)}`)
  const all = [first, second, third].flatMap(({ found }) => found.map(({ id }) => id))
  assert.deepEqual([all.length, new Set(all).size, third.next], [113, 113, undefined])

  await withdraw({ name: 'Quentin', orderNumber: 'unseen', email: emailOf('quentin') })
  const url = apiRoutes.withdrawalsDismissed
  const payload = { newest: first.found[0]?.id }
  const dismissed = await app.inject({ method: 'POST', url, headers: admin, payload })
  assert.deepEqual(dismissed.json(), { dismissed: 113 })
  const left = await read('?unmatched=true')
  assert.deepEqual([left.found.map(({ name }) => name), left.count], [['Quentin'], '1'])
  assert.equal((await read('')).count, '1')
})
