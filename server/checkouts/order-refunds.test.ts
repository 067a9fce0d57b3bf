import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { readSummary } from '#server/analytics/summary.ts'
import { auditLog } from '#server/db/admin-schema.ts'
import { eq, sql } from '#server/db/drizzle.ts'
import { payments, refunds } from '#server/db/payment-schema.ts'
import { mails, orders, orderTimeline } from '#server/db/schema.ts'
import { listEvents } from '#server/orders/timeline.ts'
import { waitFor } from '#server/testing/wait-for.ts'
import { buyOne, readRefunds, refundOne, refundsAtSumup } from '#server/testing/order-refunds.ts'
import { listReview, openSaleShop, sweepAll, type SaleShop } from '#server/testing/sale.ts'
import { testAdmin } from '#server/testing/test-shop.ts'
import { compareWithHistory } from './compare.ts'

const compareNow = ({ settling }: SaleShop) =>
  compareWithHistory(settling, undefined, new Date(Date.now() + 86_400_000))

test('an order is refunded in part and then in full; its status stays, and the buyer gets a mail about each', async () => {
  const shop = await openSaleShop()
  const { id } = await buyOne(shop)
  assert.partialDeepStrictEqual(await readRefunds(shop, id), {
    left: '49.00',
    blockedBy: null,
    freeAmount: '250.00',
    refunds: [],
  })
  const part = await refundOne(shop, id, { amount: '20.00' })
  assert.deepEqual(part, {
    status: 200,
    state: 'done',
    amount: '20.00',
    problem: null,
    left: '29.00',
    isPaidAgain: false,
  })
  const history = await listEvents(shop.db, id)
  assert.deepEqual(
    history.slice(-2).map(({ event, mail }) => [event, mail?.kind, mail?.state]),
    [
      ['refunded', undefined, undefined],
      ['mail', 'refunded', 'waiting'],
    ],
  )
  const rest = await refundOne(shop, id)
  assert.deepEqual(rest, {
    status: 200,
    state: 'done',
    amount: '29.00',
    problem: null,
    left: '0.00',
    isPaidAgain: false,
  })
  assert.equal((await refundOne(shop, id)).code, 'payment-returned')
  assert.deepEqual(refundsAtSumup(shop), [2000, 2900])
  const { refunds: listed, blockedBy, freeAmount } = await readRefunds(shop, id)
  assert.partialDeepStrictEqual(listed, [
    { amount: '29.00', state: 'done', who: testAdmin.email, problem: null },
    { amount: '20.00', state: 'done' },
  ])
  assert.match(blockedBy ?? '', /given back already/)
  assert.equal(freeAmount, '201.00')
  const [order] = await shop.db.select().from(orders)
  assert.equal(order?.status, 'pending')
  const sent = await shop.db
    .select({ kind: mails.kind, amount: mails.amount })
    .from(mails)
    .where(sql`kind like 'refunded%'`)
    .orderBy(mails.kind)
  assert.deepEqual(sent, [
    { kind: 'refunded-1', amount: '20.00' },
    { kind: 'refunded-2', amount: '29.00' },
  ])
  const events = await shop.db
    .select()
    .from(orderTimeline)
    .where(eq(orderTimeline.event, 'refunded'))
  assert.ok(
    events.every(({ actor }) => actor !== 'shop'),
    'who refunded it is in the timeline',
  )
  const audited = await shop.db.select().from(auditLog).where(eq(auditLog.subject, id))
  assert.deepEqual(
    audited.map(({ action }) => action),
    ['order-refund-begun', 'order-refunded', 'order-refund-begun', 'order-refunded'],
  )
  assert.deepEqual(await listReview(shop), [], 'nobody is asked about what they did')
})

test('what is not an amount, or more than is left, is refused and nothing is asked for', async () => {
  const shop = await openSaleShop()
  const { id } = await buyOne(shop)
  for (const amount of ['0', '0.00', '-1', '1.234', 'all', '1e3', '99999999999'])
    assert.equal((await refundOne(shop, id, { amount })).status, 400, amount)
  const more = await refundOne(shop, id, { amount: '49.01' })
  assert.deepEqual([more.status, more.code, more.left], [422, 'refund-too-much', '49.00'])
  const outdated = await refundOne(shop, id, { version: 'another' })
  assert.deepEqual([outdated.status, outdated.code], [409, 'refund-changed'])
  // Refunded at SumUp since the screen was loaded: the payment is read first.
  const { version } = await readRefunds(shop, id)
  shop.sandbox.controls.refund({ payment: await paidBy(shop), amount: 9 })
  const changed = await refundOne(shop, id, { version })
  assert.deepEqual([changed.code, changed.left], ['refund-changed', '40.00'])
  assert.deepEqual(await shop.db.select().from(refunds), [])
  assert.deepEqual(refundsAtSumup(shop), [900])
})

async function paidBy({ db }: SaleShop): Promise<string> {
  const [order] = await db.select().from(orders)
  return order?.sumupTransactionId ?? ''
}

test('a double click and two admins at once: the money goes back once', async () => {
  const shop = await openSaleShop()
  const { id } = await buyOne(shop)
  const { version } = await readRefunds(shop, id)
  shop.sandbox.faults.set({ rules: [{ on: 'refund', kind: 'delay', ms: 300 }] })
  const answers = await Promise.all(
    ['30.00', '30.00', '20.00', undefined].map((amount) =>
      refundOne(shop, id, { version, ...(amount && { amount }) }),
    ),
  )
  assert.equal(answers.filter(({ status }) => status === 200).length, 1, JSON.stringify(answers))
  assert.equal(refundsAtSumup(shop).length, 1)
})

test('a refund of which SumUp has not said what became of it blocks the next, and is found by the sweep', async () => {
  const shop = await openSaleShop()
  const { id } = await buyOne(shop)
  shop.sandbox.faults.set({ rules: [{ on: 'refund', kind: 'refund-pending', count: 1 }] })
  assert.equal((await refundOne(shop, id, { amount: '10.00' })).state, 'pending')
  assert.equal((await refundOne(shop, id, { amount: '10.00' })).code, 'refund-running')
  assert.equal((await readRefunds(shop, id)).refunds[0]?.state, 'pending')
  shop.sandbox.controls.endRefund({ payment: await paidBy(shop), outcome: 'done' })
  await sweepAll(shop)
  assert.partialDeepStrictEqual(await readRefunds(shop, id), {
    left: '39.00',
    refunds: [{ state: 'done' }],
  })
  const told = await shop.db.select().from(mails).where(eq(mails.kind, 'refunded-1'))
  assert.equal(told[0]?.amount, '10.00')
  // The answer is lost, and so is the reading after it.
  shop.sandbox.faults.set({
    rules: [
      { on: 'refund', kind: 'lost', count: 1 },
      { on: 'transaction', kind: 'without-events' },
    ],
  })
  assert.equal((await refundOne(shop, id, { amount: '5.00' })).state, 'unknown')
  assert.equal((await readRefunds(shop, id)).refunds[0]?.state, 'unknown')
  await shop.db.update(payments).set({ merchantCode: 'MOTHER' })
  const [other] = (await readRefunds(shop, id)).refunds
  assert.equal(other?.state, 'unknown')
  assert.match(other?.problem ?? '', /another SumUp account.*cannot be asked/)
  await shop.db.update(payments).set({ merchantCode: shop.sandbox.merchantCode })
  shop.sandbox.faults.clear()
  await sweepAll(shop)
  assert.partialDeepStrictEqual(await readRefunds(shop, id), {
    left: '34.00',
    refunds: [{ state: 'done' }],
  })
  assert.deepEqual(refundsAtSumup(shop), [1000, 500])
})

test('what SumUp refuses, also in an answer of success, is told in plain words and can be tried again', async () => {
  const shop = await openSaleShop()
  const { id } = await buyOne(shop)
  shop.sandbox.faults.set({
    rules: [
      { on: 'refund', kind: 'refund-failed', count: 1 },
      { on: 'refund', kind: 'refund-rejected', count: 1 },
    ],
  })
  const lied = await refundOne(shop, id)
  assert.partialDeepStrictEqual(lied, { status: 200, state: 'failed', left: '49.00' })
  assert.match(lied.problem, /not enough money in your SumUp balance/)
  const refused = await refundOne(shop, id)
  assert.match(refused.problem, /It says: “The payment processor rejected the refund”/)
  assert.equal((await refundOne(shop, id)).state, 'done')
  const states = (await readRefunds(shop, id)).refunds.map(({ state }) => state)
  assert.deepEqual(states, ['done', 'failed', 'failed'])
  assert.equal(
    (
      await shop.db
        .select()
        .from(mails)
        .where(sql`kind like 'refunded%'`)
    ).length,
    1,
  )
})

test('an order whose payment is not here, is of another account or was charged back is not refunded from here', async () => {
  const shop = await openSaleShop()
  const { id } = await buyOne(shop)
  const [payment] = await shop.db.select().from(payments)
  await shop.db.update(payments).set({ merchantCode: 'MOTHER' })
  assert.equal((await refundOne(shop, id)).code, 'refund-other-account')
  assert.match((await readRefunds(shop, id)).blockedBy ?? '', /another SumUp account/)
  await shop.db.update(payments).set({ merchantCode: payment?.merchantCode ?? '' })
  shop.sandbox.controls.chargeBack({ payment: await paidBy(shop) })
  assert.equal((await refundOne(shop, id)).code, 'payment-returned')
  await shop.db.delete(payments)
  assert.equal((await refundOne(shop, id)).code, 'refund-without-payment')
  assert.match((await readRefunds(shop, id)).blockedBy ?? '', /No payment of this order is known/)
  assert.equal((await refundOne(shop, randomUUID(), { version: '' })).code, 'order-missing')
  assert.deepEqual(refundsAtSumup(shop), [])
})

test('refunds at SumUp and chargebacks appear by themselves; buyers are told of refunds only', async () => {
  const shop = await openSaleShop()
  const { id } = await buyOne(shop)
  const payment = await paidBy(shop)
  shop.sandbox.controls.refund({ payment, amount: 9 })
  shop.sandbox.controls.chargeBack({ payment, amount: 10 })
  await compareNow(shop)
  assert.equal((await readRefunds(shop, id)).left, '30.00')
  const told = await shop.db
    .select()
    .from(mails)
    .where(sql`kind like 'refunded%'`)
  assert.deepEqual(
    told.map(({ amount }) => amount),
    ['9.00'],
  )
  const events = await shop.db.select().from(orderTimeline).where(eq(orderTimeline.actor, 'shop'))
  const returned = events.filter(({ amount }) => amount !== null)
  assert.deepEqual(returned.map(({ event }) => event).toSorted(), ['charged-back', 'refunded'])
})

test('revenue is what was kept, with the sum before refunds beside it', async () => {
  const shop = await openSaleShop()
  const shown = { timeZone: 'UTC', currency: 'EUR', includesTest: true }
  const first = await buyOne(shop, '203.0.113.1')
  await buyOne(shop, '203.0.113.2')
  await refundOne(shop, first.id, { amount: '9.00' })
  const summary = await readSummary(shop.db, {}, shown)
  assert.deepEqual([summary.revenue, summary.grossRevenue, summary.orders], ['89.00', '98.00', 2])
  assert.equal(summary.topProducts[0]?.revenue, '89.00')
})

test('paid twice: once its own payment was refunded here, the second pays for the order', async () => {
  const shop = await openSaleShop()
  const shown = { timeZone: 'UTC', currency: 'EUR', includesTest: true }
  const { id, checkoutId } = await buyOne(shop)
  const first = await paidBy(shop)
  shop.sandbox.controls.payAgain({ checkout: checkoutId })
  await compareNow(shop)
  assert.equal((await listReview(shop)).length, 1)
  assert.partialDeepStrictEqual(await refundOne(shop, id), { state: 'done', isPaidAgain: true })
  assert.notEqual(await paidBy(shop), first)
  assert.partialDeepStrictEqual(await readRefunds(shop, id), {
    left: '49.00',
    refunds: [{ state: 'done', isOfOrder: false }],
  })
  assert.deepEqual(await listReview(shop), [])
  assert.equal((await readSummary(shop.db, {}, shown)).revenue, '49.00')
})

test('of a node that died while it asked for a refund, the sweep finds what became of it', async () => {
  const shop = await openSaleShop()
  const { id } = await buyOne(shop)
  shop.sandbox.faults.set({ rules: [{ on: 'refund', kind: 'hang' }] })
  void refundOne(shop, id)
  await waitFor('it is asked for', async () => (await shop.db.select().from(refunds)).length === 1)
  shop.sandbox.controls.refund({ payment: await paidBy(shop) })
  await sweepAll(shop)
  assert.equal((await readRefunds(shop, id)).refunds[0]?.state, 'done')
})

test('after a part that SumUp shows no trace of, only all that is left can be refunded', async () => {
  const shop = await openSaleShop()
  const { id } = await buyOne(shop)
  const [payment] = await shop.db.select().from(payments)
  const askBefore = async (amount: string) => {
    await shop.db.delete(refunds)
    await shop.db.insert(refunds).values({
      paymentId: payment?.id ?? '',
      amount,
      currency: 'EUR',
      state: 'asked',
      refundedBefore: '0.00',
      failedBefore: 0,
      askedBy: 'admin',
      askedAt: new Date(Date.now() - 2 * 3_600_000),
    })
  }
  await askBefore('20.00')
  assert.equal((await readRefunds(shop, id)).refunds[0]?.state, 'unknown', 'nobody works on it')
  assert.equal((await refundOne(shop, id, { amount: '20.00' })).code, 'refund-part-unknown')
  assert.deepEqual(refundsAtSumup(shop), [])
  // The owner gives it back at SumUp: then it is known.
  shop.sandbox.controls.refund({ payment: await paidBy(shop), amount: 20 })
  await sweepAll(shop)
  await compareNow(shop)
  assert.equal((await readRefunds(shop, id)).refunds[0]?.state, 'done')
  // A part of which there is no trace, and then all that is left of the 29.00.
  await askBefore('5.00')
  await shop.db.update(refunds).set({ refundedBefore: '20.00' })
  assert.equal((await refundOne(shop, id)).state, 'done')
  const states = (await readRefunds(shop, id)).refunds.map(
    ({ amount, state }) => `${amount} ${state}`,
  )
  assert.deepEqual(states, ['29.00 done', '5.00 failed'])
})
