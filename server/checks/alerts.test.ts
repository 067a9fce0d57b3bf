import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, beforeEach, test } from 'node:test'
import { pino } from 'pino'
import type { ReviewReason } from '#contract/checkouts.ts'
import { eq, sql } from '#server/db/drizzle.ts'
import { ownerAlerts } from '#server/db/admin-schema.ts'
import { refunds, reviewEntries } from '#server/db/payment-schema.ts'
import { checkouts, mails, orderTimeline, type OrderRow } from '#server/db/schema.ts'
import { openTestDatabase } from '#server/testing/test-database.ts'
import { sendAlerts } from './alerts.ts'
import { sendDueMails } from '#server/mail/outbox.ts'
import { smtpTransport } from '#server/mail/transport.ts'
import { openMailServer } from '#server/testing/mail-server.ts'
import { addMail, addSaleMail, mailSettings } from '#server/testing/mails.ts'
import { addOrders, addPayment } from '#server/testing/orders.ts'

const { db } = await openTestDatabase()
const server = await openMailServer()
const transport = smtpTransport(server.url)
after(() => transport.close())
const deps = {
  db,
  transport,
  settings: mailSettings,
  log: pino({ level: 'silent' }),
  isKeyRefused: () => false,
  findMode: () => 'live' as const,
}

beforeEach(async () => {
  await db.delete(ownerAlerts)
  await db.delete(mails)
  await db.delete(checkouts)
  await db.delete(reviewEntries)
  await db.execute(sql`truncate orders, payments, watched_scripts cascade`)
  server.received.length = 0
})

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000)

const subjects = () => server.received.map(({ mail }) => mail.subject)

/** Moves everything that happened into the past. */
async function letTimePass(minutes: number): Promise<void> {
  const earlier = sql`make_interval(mins => ${minutes})`
  await db.execute(sql`
    update owner_alerts set told_at = told_at - ${earlier}, held_until = held_until - ${earlier}`)
  await db.execute(sql`update review_entries set opened_at = opened_at - ${earlier}`)
  await db.execute(sql`update mails set given_up_at = given_up_at - ${earlier}`)
  await db.execute(sql`update watched_scripts set changed_at = changed_at - ${earlier}`)
}

async function addReviewed(count: number, to = db): Promise<void> {
  for (let index = 0; index < count; index += 1) await addEntry('no-details', {}, to)
}

async function addEntry(
  reason: ReviewReason,
  change: Partial<typeof reviewEntries.$inferInsert> = {},
  to = db,
): Promise<void> {
  await to.insert(reviewEntries).values({ id: randomUUID(), reason, state: 'open', ...change })
}

test('the owner is alerted when a backup failed', async () => {
  await db.execute(sql`insert into backups (file, bytes) values ('fine', 1)`)
  await sendAlerts(deps)
  assert.deepEqual(subjects(), [])
  await db.execute(sql`
    insert into backups (file, error, failed_at) values ('bad', 'full', now() - interval '5 minutes')`)
  await sendAlerts(deps)
  await sendAlerts(deps)
  assert.match(subjects().join(), /^The backup of 20\d\d-\d\d-\d\d failed$/)
  assert.match(server.received[0]?.mail.text ?? '', /full.*It is tried again every hour/s)
  await db.execute(sql`delete from backups`)
})

test('the owner is alerted of refunds that failed later or stay open, and of money that went back at SumUp', async () => {
  const [failed, open, told, elsewhere] = await addOrders(db, [{}, {}, {}, {}])
  const addRefund = async (order: OrderRow | undefined, refund: object) => {
    if (!order) throw new Error('no order was added')
    const paid = await addPayment(db, order)
    await db.insert(refunds).values({
      paymentId: paid.id,
      amount: '10.00',
      currency: 'EUR',
      state: 'unknown',
      refundedBefore: '0.00',
      failedBefore: 0,
      askedBy: 'admin',
      askedAt: minutesAgo(70),
      ...refund,
    })
  }
  await addRefund(failed, { state: 'failed', endedAt: minutesAgo(10) })
  await addRefund(open, {})
  // The admin who asked was told.
  const at = minutesAgo(10)
  await addRefund(told, { state: 'failed', askedAt: at, endedAt: at })
  await db.insert(orderTimeline).values({
    orderId: elsewhere?.id ?? '',
    actor: 'shop',
    event: 'refunded',
    amount: '5.00',
    createdAt: minutesAgo(10),
  })
  await sendAlerts(deps)
  await sendAlerts(deps)
  assert.deepEqual(subjects().map(String).toSorted(), [
    '2 refunds need your attention',
    'Money of an order went back',
  ])
  const textOf = (subject: string) =>
    server.received.find(({ mail }) => mail.subject === subject)?.mail.text ?? ''
  for (const order of [failed, open])
    assert.ok(textOf('2 refunds need your attention').includes(`#${order?.number}`))
  assert.ok(!textOf('2 refunds need your attention').includes(`#${told?.number}`))
  assert.ok(textOf('Money of an order went back').includes(`about #${elsewhere?.number}.`))
})

test('the owner is alerted once when the card form has changed, also if somebody dismissed the notice', async () => {
  await db.execute(sql`insert into watched_scripts (url, hash) values ('/sdk.js', 'a')`)
  await letTimePass(5)
  await sendAlerts(deps)
  assert.deepEqual(subjects(), [], 'there was no change yet')
  await db.execute(sql`update watched_scripts set hash = 'b', changed_at = now()`)
  await letTimePass(5)
  await sendAlerts(deps)
  await letTimePass(90)
  await sendAlerts(deps)
  assert.equal(subjects().length, 1)
  assert.match(String(subjects()), /^The script of SumUp’s card form changed on 20\d\d-\d\d-\d\d$/)
  await db.execute(sql`update watched_scripts set changed_at = now(), read_at = now()`)
  await letTimePass(5)
  await sendAlerts(deps)
  assert.equal(subjects().length, 2)
})

test('the owner is alerted once an hour how many payments need review', async () => {
  await addReviewed(2)
  await addEntry('paid-twice')
  await letTimePass(2)
  await sendAlerts(deps)
  const [got] = server.received
  assert.deepEqual(got?.to, ['owner@mugs.example'])
  assert.equal(got?.mail.subject, '3 payments need your attention')
  assert.match(got?.mail.text ?? '', /were paid, or may have been/)
  assert.match(got?.mail.text ?? '', /https:\/\/shop\.mugs\.example\/orders\n/)
  assert.ok(got?.mail.html?.includes('href="https://shop.mugs.example/orders"'))
  for (const text of ['3 payments need your attention', 'may have been', 'Create the order'])
    assert.ok(got?.mail.html?.includes(text) && got?.mail.text?.includes(text), text)

  await sendAlerts(deps)
  await addReviewed(1)
  await letTimePass(50)
  await sendAlerts(deps)
  assert.equal(server.received.length, 1, 'only one alert within the hour')
  await letTimePass(12)
  await sendAlerts(deps)
  assert.deepEqual(subjects(), ['3 payments need your attention', 'A payment needs your attention'])
  await letTimePass(120)
  await sendAlerts(deps)
  assert.equal(server.received.length, 2, 'nothing is new')
})

test('a payment that was handled before the alert is not in it', async () => {
  await addReviewed(1)
  await addEntry('no-sale', { state: 'refunded' })
  await db.update(reviewEntries).set({ state: 'dismissed', handledAt: new Date() })
  await letTimePass(2)
  await sendAlerts(deps)
  assert.deepEqual(subjects(), [])
})

test('the first problem after a quiet time is alerted within minutes', async () => {
  await addReviewed(1)
  await letTimePass(2)
  await sendAlerts(deps)
  await letTimePass(600)
  await sendAlerts(deps)
  await addReviewed(1)
  await letTimePass(2)
  await sendAlerts(deps)
  assert.equal(server.received.length, 2)
})

test('a payment that commits while others are counted is counted the next time', async () => {
  await addReviewed(1)
  await letTimePass(2)
  await db.transaction(async (tx) => {
    await addReviewed(1, tx)
    await sendAlerts(deps)
  })
  assert.deepEqual(subjects(), ['A payment needs your attention'])
  await letTimePass(61)
  await sendAlerts(deps)
  assert.equal(server.received.length, 2)
})

test('the owner is not told of a payment of an order that it did not become one', async () => {
  const ofOrder = () => {
    const id = randomUUID()
    return { id, paymentId: id, saleId: randomUUID() }
  }
  await addEntry('not-at-sumup', ofOrder())
  await letTimePass(2)
  await sendAlerts(deps)
  const { text: one = '' } = server.received[0]?.mail ?? {}
  assert.match(one, /It belongs to an order, and SumUp does not have it/)
  assert.match(one, /look up its payment in your SumUp account before you ship it/)
  assert.doesNotMatch(one, /become an order|Create the order/)
  await letTimePass(24 * 60)
  await addEntry('contradiction', ofOrder())
  await addEntry('no-details')
  await letTimePass(2)
  await sendAlerts(deps)
  const [, { mail: both } = assert.fail(), { mail: reminder } = assert.fail()] = server.received
  assert.match(both.text ?? '', /1 was paid, or may have been.+ 1 belongs to an order, and SumUp/)
  assert.match(both.text ?? '', /Create the order, refund/)
  assert.equal(reminder.subject, 'A payment still needs your attention')
  assert.doesNotMatch(reminder.text ?? '', /Create the order/)
})

test('payments without a sale have an alert of their own', async () => {
  await addEntry('no-sale')
  await addEntry('no-sale')
  await letTimePass(2)
  await sendAlerts(deps)
  assert.deepEqual(subjects(), ['2 payments without a sale'])
})

test('the owner is alerted that SumUp rejects the key, every hour while it does', async () => {
  const rejected = { ...deps, isKeyRefused: () => true }
  await sendAlerts(rejected)
  await sendAlerts(rejected)
  assert.deepEqual(subjects(), ['SumUp refuses your key'])
  await letTimePass(61)
  await sendAlerts(deps)
  assert.equal(server.received.length, 1)
  await sendAlerts(rejected)
  assert.equal(server.received.length, 2)
})

test('the owner is alerted about mails that were given up, however old they are', async () => {
  server.reject('gone@example.com', 550, '5.1.1 unknown user')
  await addMail(db, { customerEmail: 'gone@example.com' })
  await addMail(db)
  await db.update(mails).set({ createdAt: new Date(0) })
  await sendDueMails(deps)
  server.received.length = 0
  await letTimePass(2)
  await sendAlerts(deps)
  assert.deepEqual(subjects(), ['A mail could not be sent'])
})

test('of many nodes one alerts the owner', async () => {
  await addReviewed(1)
  await letTimePass(2)
  await Promise.all(Array.from({ length: 8 }, () => sendAlerts(deps)))
  assert.deepEqual(subjects(), ['A payment needs your attention'])
  await letTimePass(61)
  await addReviewed(1)
  await letTimePass(2)
  await Promise.all(Array.from({ length: 8 }, () => sendAlerts(deps)))
  assert.equal(server.received.length, 2)
})

test('an alert that could not be sent is sent later, with what came meanwhile', async () => {
  await addReviewed(1)
  await letTimePass(2)
  await server.goDown()
  try {
    await sendAlerts(deps)
  } finally {
    await server.comeBack()
  }
  await addReviewed(1)
  await letTimePass(2)
  await sendAlerts(deps)
  assert.deepEqual(subjects(), ['2 payments need your attention'])
})

test('what the owner does not want to hear of is not sent, and is sent once they do', async () => {
  await addReviewed(1)
  await letTimePass(2)
  const quiet = { ...mailSettings, mutedAlerts: ['review' as const] }
  await sendAlerts({ ...deps, settings: quiet })
  assert.deepEqual(subjects(), [])
  await sendAlerts({ ...deps, settings: { ...mailSettings, alertEmail: 'helper@mugs.example' } })
  assert.deepEqual(subjects(), ['A payment needs your attention'])
  assert.deepEqual(server.received[0]?.to, ['helper@mugs.example'])
})

test('without an address of the owner no alert is sent and none is lost', async () => {
  await addReviewed(1)
  await letTimePass(2)
  await sendAlerts({ ...deps, settings: { ...mailSettings, alertEmail: undefined } })
  assert.deepEqual(subjects(), [])
  await sendAlerts(deps)
  assert.equal(server.received.length, 1)
})

test('in a live shop the owner is not alerted about tests', async () => {
  await addReviewed(2)
  await addEntry('paid-twice')
  await addEntry('no-sale')
  const { mail } = await addMail(db, { isTest: true })
  await db.execute(sql`update mails set given_up_at = now() where id = ${mail.id}`)
  await db.update(reviewEntries).set({ isTest: true })
  await letTimePass(2)
  await sendAlerts(deps)
  assert.deepEqual(subjects(), [])
  await sendAlerts({ ...deps, findMode: () => 'test' as const })
  assert.equal(subjects().length, 3)
})

test('a node that dies while it sends an alert loses nothing: another one sends it', async () => {
  await addReviewed(1)
  await letTimePass(2)
  const { promise: asked, resolve: onAsked } = Promise.withResolvers<void>()
  const dying = { send: () => new Promise<void>(() => onAsked()), close() {} }
  void sendAlerts({ ...deps, transport: dying })
  await asked
  await sendAlerts(deps)
  assert.deepEqual(subjects(), [], 'it may still be sending')
  await letTimePass(6)
  await sendAlerts(deps)
  await sendAlerts(deps)
  assert.deepEqual(subjects(), ['A payment needs your attention'])
})

test('the owner is reminded once a day while payments wait, with how many and since when', async () => {
  await addReviewed(1)
  await addEntry('no-sale')
  await letTimePass(2)
  await sendAlerts(deps)
  assert.equal(server.received.length, 2)
  server.received.length = 0
  await letTimePass(23 * 60)
  await sendAlerts(deps)
  assert.deepEqual(subjects(), [], 'not before a day has passed')
  await letTimePass(61)
  await Promise.all(Array.from({ length: 4 }, () => sendAlerts(deps)))
  assert.deepEqual(subjects(), ['2 payments still need your attention'])
  const text = server.received[0]?.mail.text ?? ''
  assert.match(text, /The oldest has been waiting since \d+ \w+ 20\d\d at \d\d:\d\d UTC\./)
  assert.match(text, /once a day while a payment waits\./)
  await letTimePass(60)
  await sendAlerts(deps)
  assert.equal(server.received.length, 1)
  await db.delete(reviewEntries).where(eq(reviewEntries.reason, 'no-sale'))
  await letTimePass(24 * 60)
  await sendAlerts(deps)
  assert.equal(subjects()[1], 'A payment still needs your attention')
})

test('nobody is reminded of what is resolved, of tests, of muted alerts, or of what was never told', async () => {
  await addReviewed(1)
  await letTimePass(2)
  await sendAlerts(deps)
  await letTimePass(25 * 60)
  const quiet = { ...mailSettings, mutedAlerts: ['review' as const] }
  await sendAlerts({ ...deps, settings: quiet })
  await db.update(reviewEntries).set({ isTest: true })
  await sendAlerts(deps)
  await db.update(reviewEntries).set({ isTest: false, state: 'refunded' })
  await sendAlerts(deps)
  await addReviewed(1)
  await sendAlerts(deps)
  assert.deepEqual(subjects(), ['A payment needs your attention'])
})

test('a reminder that a node died of is sent by another one', async () => {
  await addReviewed(1)
  await letTimePass(2)
  await sendAlerts(deps)
  await letTimePass(25 * 60)
  const { promise: asked, resolve: onAsked } = Promise.withResolvers<void>()
  void sendAlerts({
    ...deps,
    transport: { send: () => new Promise<void>(() => onAsked()), close() {} },
  })
  await asked
  await sendAlerts(deps)
  assert.equal(server.received.length, 1)
  await letTimePass(6)
  await sendAlerts(deps)
  assert.equal(subjects()[1], 'A payment still needs your attention')
})

test('a mail about a sale that could not be sent is alerted like one about an order', async () => {
  const { mail } = await addSaleMail(db, 'not-charged')
  await db.execute(
    sql`update mails set given_up_at = now(), next_try_at = null where id = ${mail.id}`,
  )
  await letTimePass(2)
  await sendAlerts(deps)
  assert.deepEqual(subjects(), ['A mail could not be sent'])
})
