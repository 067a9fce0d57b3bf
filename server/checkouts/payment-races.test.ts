import assert from 'node:assert/strict'
import { test } from 'node:test'
import { apiRoutes, checkoutPath, pathOf, thankYouPath } from '#contract/paths.ts'
import { eq, sql } from '#server/db/drizzle.ts'
import { payments, reviewEntries } from '#server/db/payment-schema.ts'
import { checkouts, orders } from '#server/db/schema.ts'
import { readWebFiles } from '#server/http/web-files.ts'
import { SumupRefusal } from '#server/sumup/http.ts'
import { waitFor } from '#server/testing/wait-for.ts'
import {
  badCard,
  createBuyer,
  challengedCard,
  delivery,
  payByCard,
  type Buyer,
} from '#server/testing/buyer.ts'
import {
  openChallengedSale,
  listReview,
  getOnlyCheckout,
  openSaleShop,
  sweepAll,
  sendWebhook,
  type SaleShop,
} from '#server/testing/sale.ts'

import { findBySumupId } from './record-rows.ts'
import { writeRecord } from './write-record.ts'

/** Races in which buyers could be charged twice, told something untrue, or lost. */

const ordersIn = ({ db }: SaleShop) => db.select().from(orders)
const startOver = (buyer: Buyer, checkoutId: string) =>
  buyer.call('POST', pathOf(apiRoutes.startOver, { checkoutId }))

test('a checkout that expires during 3-D Secure: no second form, and the late approval is the one order', async () => {
  const shop = await openSaleShop()
  const { buyer, checkoutId } = await openChallengedSale(shop)
  shop.sandbox.controls.expire({ checkout: checkoutId })
  assert.equal((await buyer.look(checkoutId)).json().state, 'at-bank')
  const again = await buyer.open(shop.mug)
  assert.deepEqual([again.statusCode, again.json().code], [409, 'card-at-bank'])
  assert.equal(again.json().checkoutId, checkoutId)
  await sweepAll(shop)
  assert.equal((await getOnlyCheckout(shop)).state, 'submitted')
  shop.sandbox.controls.answerBank({ checkout: checkoutId, outcome: 'approve' })
  await sendWebhook(shop, checkoutId)
  assert.equal((await ordersIn(shop)).length, 1)
})

test('while an expiry briefly hides a card at the bank there is no second form, not even by starting over', async () => {
  const shop = await openSaleShop()
  const { buyer, checkoutId } = await openChallengedSale(shop)
  shop.sandbox.controls.expire({ checkout: checkoutId })
  shop.sandbox.faults.set({ rules: [{ on: 'get', kind: 'without-transaction', count: 3 }] })
  const { state, reason } = (await buyer.look(checkoutId)).json()
  assert.deepEqual([state, reason], ['waiting', 'unclear'])
  assert.equal((await buyer.open(shop.mug)).json().code, 'card-under-way')
  assert.equal((await startOver(buyer, checkoutId)).json().code, 'card-under-way')
  assert.equal((await buyer.look(checkoutId)).json().state, 'at-bank')
  assert.equal((await getOnlyCheckout(shop)).expiredSince, null)
})

test('a form is given again once the expiry has been seen for half a minute', async () => {
  const shop = await openSaleShop()
  const buyer = createBuyer(shop)
  const checkoutId = await buyer.arrive(shop.mug)
  shop.sandbox.controls.expire({ checkout: checkoutId })
  assert.equal((await buyer.open(shop.mug)).json().code, 'card-under-way')
  await shop.db.update(checkouts).set({ expiredSince: sql`now() - interval '30 seconds'` })
  const again = await buyer.open(shop.mug)
  assert.equal(again.statusCode, 200)
  assert.notEqual(again.json().checkoutId, checkoutId)
})

test('a form is given again after a checkout has ended by itself and that was seen for half a minute', async () => {
  const shop = await openSaleShop()
  const buyer = createBuyer(shop)
  const checkoutId = await buyer.arrive(shop.mug)
  shop.sandbox.controls.expire({ checkout: checkoutId })
  await shop.db.update(checkouts).set({
    validUntil: sql`now() - interval '1 minute'`,
    detailsAt: sql`now() - interval '20 minutes'`,
    expiredSince: sql`now() - interval '40 seconds'`,
  })
  assert.equal((await buyer.look(checkoutId)).json().state, 'closed')
  assert.equal((await buyer.open(shop.mug)).statusCode, 200)
})

test('an expired form takes no details, so that its page asks for another one', async () => {
  const shop = await openSaleShop()
  const buyer = createBuyer(shop)
  const checkoutId = await buyer.arrive(shop.mug)
  shop.sandbox.controls.expire({ checkout: checkoutId })
  await buyer.look(checkoutId)
  await shop.db.update(checkouts).set({ expiredSince: sql`now() - interval '30 seconds'` })
  assert.equal((await buyer.saveDetails(checkoutId)).json().code, 'checkout-expired')
  assert.equal((await buyer.open(shop.mug)).statusCode, 200)
})

test('a checkout that expires during 3-D Secure and is declined is closed only after further checks', async () => {
  const shop = await openSaleShop()
  const { buyer, checkoutId } = await openChallengedSale(shop)
  shop.sandbox.controls.expire({ checkout: checkoutId })
  await sweepAll(shop)
  shop.sandbox.controls.answerBank({ checkout: checkoutId, outcome: 'decline' })
  assert.equal((await buyer.look(checkoutId)).json().state, 'closed')
  assert.equal((await getOnlyCheckout(shop)).state, 'submitted')
  await shop.db.update(checkouts).set({ expiredSince: sql`now() - interval '16 minutes'` })
  await sweepAll(shop)
  const { state, nextCheckAt } = await getOnlyCheckout(shop)
  assert.deepEqual([state, nextCheckAt], ['closed', null])
})

test('start over: while SumUp does not release the card there is no second form', async () => {
  const shop = await openSaleShop()
  const { buyer, checkoutId } = await openChallengedSale(shop)
  const rules = [{ on: 'deactivate', kind: 'refuse-while-pending' }] as const
  shop.sandbox.faults.set({ rules: [...rules] })
  const answer = await startOver(buyer, checkoutId)
  assert.deepEqual([answer.statusCode, answer.json().code], [409, 'card-at-bank'])
  assert.equal((await buyer.open(shop.mug)).json().code, 'card-at-bank')
  shop.sandbox.controls.answerBank({ checkout: checkoutId, outcome: 'approve' })
  const paid = await startOver(buyer, checkoutId)
  assert.equal(paid.json().code, 'already-paid')
  assert.equal(paid.json().orderId, (await ordersIn(shop))[0]?.id)
})

test('start over: once SumUp has ended the checkout there is a new form, and the bank’s late approval charges nothing', async () => {
  const shop = await openSaleShop()
  const { buyer, checkoutId } = await openChallengedSale(shop)
  assert.equal((await buyer.open(shop.mug)).json().code, 'card-at-bank')
  assert.equal((await startOver(buyer, checkoutId)).statusCode, 204)
  const opened = await buyer.open(shop.mug)
  assert.equal(opened.statusCode, 200)
  assert.notEqual(opened.json().checkoutId, checkoutId)
  shop.sandbox.controls.answerBank({ checkout: checkoutId, outcome: 'approve' })
  await sendWebhook(shop, checkoutId)
  assert.deepEqual(await ordersIn(shop), [])
  const states = await shop.db.select({ state: checkouts.state }).from(checkouts)
  assert.deepEqual(states.map(({ state }) => state).toSorted(), ['closed', 'open'])
})

test('a checkout paid while it is being ended is settled as paid', async () => {
  const shop = await openSaleShop()
  const buyer = createBuyer(shop)
  const checkoutId = await buyer.arrive(shop.mug)
  await payByCard(shop.sandbox, checkoutId)
  shop.sandbox.controls.lag({ checkout: checkoutId, shows: 'attempt-pending', reads: 1 })
  const answer = await startOver(buyer, checkoutId)
  assert.equal(answer.json().code, 'already-paid')
  assert.equal((await ordersIn(shop)).length, 1)
})

for (const marks of [false, true]) {
  test(`paid, SumUp unreadable, refunded by the owner: no order for refunded money (${marks ? 'status' : 'event'})`, async () => {
    const shop = await openSaleShop()
    const buyer = createBuyer(shop)
    const checkoutId = await buyer.arrive(shop.mug)
    await payByCard(shop.sandbox, checkoutId)
    shop.sandbox.faults.set({ rules: [{ on: 'get', kind: 'error-500', count: 1 }] })
    assert.equal((await buyer.order(checkoutId)).statusCode, 202)
    shop.sandbox.controls.setSwitches({ refundsMarkTransaction: marks })
    shop.sandbox.controls.refund({ payment: checkoutId })
    const answer = await buyer.order(checkoutId)
    assert.deepEqual([answer.statusCode, answer.json().reason], [409, 'refunded'])
    assert.deepEqual(await ordersIn(shop), [])
    assert.equal((await listReview(shop))[0]?.reason, 'refunded')
  })
}

test('a paid sale leads to its order until that was seen, and mentions it for half an hour', async () => {
  const shop = await openSaleShop({ web: await readWebFiles() })
  const buyer = createBuyer(shop)
  const checkoutId = await buyer.arrive(shop.mug)
  await payByCard(shop.sandbox, checkoutId)
  await sendWebhook(shop, checkoutId)
  const [order] = await ordersIn(shop)
  const refused = await buyer.open(shop.mug)
  assert.deepEqual([refused.json().code, refused.json().orderId], ['already-paid', order?.id])
  const page = () => buyer.call('GET', checkoutPath(shop.mug))
  assert.equal((await page()).headers.location, thankYouPath(order?.id ?? ''))
  await buyer.call('GET', thankYouPath(order?.id ?? ''))
  const again = await page()
  assert.equal(again.statusCode, 200)
  assert.match(
    again.body,
    new RegExp(`"recentOrder":\\{"id":"${order?.id}","minutesAgo":0,"money":"paid"\\}`),
  )
  assert.equal((await buyer.open(shop.mug)).statusCode, 200, 'buying again is allowed')
  await shop.db.update(orders).set({ createdAt: sql`now() - interval '31 minutes'` })
  assert.match((await page()).body, /"recentOrder":null/)
})

test('a bought order is called paid only while its payment is confirmed and kept', async () => {
  const shop = await openSaleShop({ web: await readWebFiles() })
  const buyer = createBuyer(shop)
  const checkoutId = await buyer.arrive(shop.mug)
  await payByCard(shop.sandbox, checkoutId)
  const { id } = (await buyer.order(checkoutId)).json()
  await buyer.call('GET', thankYouPath(id))
  const readPage = async () => (await buyer.call('GET', checkoutPath(shop.mug))).body
  const readMoney = async () => /"recentOrder":\{[^}]*"money":"(\w+)"/.exec(await readPage())?.[1]
  assert.equal(await readMoney(), 'paid')
  await shop.db.update(payments).set({ refunded: '9.00' })
  assert.equal(await readMoney(), 'paid')
  await shop.db.update(payments).set({ refunded: '49.00' })
  assert.equal(await readMoney(), 'refund')
  assert.match(await readPage(), /Your order was refunded\./)
  await shop.db.update(payments).set({ refunded: '0.00', chargedBack: '49.00' })
  assert.equal(await readMoney(), 'chargeback')
  await shop.db.update(orders).set({ sumupTransactionId: null })
  assert.equal(await readMoney(), 'unpaid')
})

test('while SumUp answers slowly, a buyer who paid and comes back is refused a second form', async () => {
  const shop = await openSaleShop({ web: await readWebFiles() })
  const buyer = createBuyer(shop)
  const checkoutId = await buyer.arrive(shop.mug)
  await payByCard(shop.sandbox, checkoutId)
  shop.sandbox.faults.set({ rules: [{ on: 'get', kind: 'delay', ms: 1_300, count: 1 }] })
  assert.equal((await buyer.call('GET', checkoutPath(shop.mug))).statusCode, 200)
  await waitFor('the look that the page did not wait for has made the order', async () => {
    return (await ordersIn(shop)).length === 1
  })
  assert.equal((await buyer.open(shop.mug)).json().code, 'already-paid')
})

test('money that arrives after a sale was dismissed brings it back to review, not to an order', async () => {
  const shop = await openSaleShop()
  const { checkoutId } = await openChallengedSale(shop)
  await sweepAll(shop)
  await shop.db.update(payments).set({ foundAt: sql`now() - interval '8 days'` })
  await sweepAll(shop)
  const [stuck] = await listReview(shop)
  assert.equal(stuck?.reason, 'stuck')
  const headers = await shop.signIn()
  const url = pathOf(apiRoutes.reviewDismiss, { id: stuck?.id ?? '' })
  const payload = { note: 'The buyer gave up', version: stuck?.version }
  shop.sandbox.faults.set({ rules: [{ on: 'deactivate', kind: 'refuse-while-pending' }] })
  assert.equal((await shop.app.inject({ method: 'POST', url, headers, payload })).statusCode, 204)
  await sendWebhook(shop, checkoutId)
  assert.deepEqual(await listReview(shop), [], 'nothing has changed')
  assert.equal((await getOnlyCheckout(shop)).nextCheckAt, null)
  shop.sandbox.controls.answerBank({ checkout: checkoutId, outcome: 'approve' })
  await sendWebhook(shop, checkoutId)
  assert.deepEqual(await ordersIn(shop), [])
  const [back] = await listReview(shop)
  assert.partialDeepStrictEqual(back, { id: stuck?.id, state: 'open', note: null, canOrder: true })
})

test('a partial refund does not make a sale refunded', async () => {
  const shop = await openSaleShop()
  const buyer = createBuyer(shop)
  const checkoutId = await buyer.arrive(shop.mug)
  await payByCard(shop.sandbox, checkoutId)
  shop.sandbox.faults.set({ rules: [{ on: 'get', kind: 'error-500', count: 1 }] })
  assert.equal((await buyer.order(checkoutId)).statusCode, 202)
  shop.sandbox.controls.refund({ payment: checkoutId, amount: 5 })
  assert.equal((await buyer.order(checkoutId)).statusCode, 201)
})

test('when two tabs submit the same details at once, one may submit its card', async () => {
  const shop = await openSaleShop()
  const buyer = createBuyer(shop)
  const { checkoutId } = (await buyer.open(shop.mug)).json()
  const answers = await Promise.all(
    ['first tab', 'second tab', 'third tab'].map((formId) =>
      buyer.saveDetails(checkoutId, { ...delivery, formId }),
    ),
  )
  assert.deepEqual(answers.map(({ statusCode }) => String(statusCode)).toSorted(), [
    '204',
    '409',
    '409',
  ])
})

test('details that wait for another form of the browser to be paid are not saved beside its order', async () => {
  const shop = await openSaleShop()
  const { db } = shop
  const buyer = createBuyer(shop)
  const paying = await buyer.arrive(shop.mug)
  const ofPaying = eq(checkouts.sumupCheckoutId, paying)
  // A second form at the same time, as two nodes may give it.
  const [{ buyerTokenHash } = {}] = await db.select().from(checkouts).where(ofPaying)
  assert.ok(buyerTokenHash)
  await db.update(checkouts).set({ buyerTokenHash: 'away' }).where(ofPaying)
  const { checkoutId } = (await buyer.open(shop.mug)).json()
  await db.update(checkouts).set({ buyerTokenHash }).where(ofPaying)
  const loaded = await findBySumupId(db, checkoutId)
  assert.ok(loaded)
  const { record } = loaded
  const sale = { ...record.sale, state: 'submitted' as const, details: delivery }
  const decision = { after: { ...record, sale }, status: { state: 'open' as const } }

  const saved = await db.transaction(async (tx) => {
    await tx.update(checkouts).set({ state: 'paid' }).where(ofPaying)
    const saving = writeRecord(db, loaded, decision, { onlyIfFree: { isPage: true } })
    await waitFor('the details wait', async () => {
      const { rows } = await db.execute(sql`select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`)
      return rows.length > 0
    })
    return { saving }
  })
  assert.deepEqual(await saved.saving, { type: 'other-card' })
  assert.equal((await findBySumupId(db, checkoutId))?.record.sale.state, 'open')
})

test('a payment in review gives no new form, from any tab', async () => {
  const shop = await openSaleShop()
  const buyer = createBuyer(shop)
  const checkoutId = await buyer.arrive(shop.mug)
  await payByCard(shop.sandbox, checkoutId)
  shop.sandbox.faults.set({ rules: [{ on: 'get', kind: 'wrong-amount' }] })
  await sendWebhook(shop, checkoutId)
  shop.sandbox.faults.clear()
  const answer = await buyer.open(shop.mug)
  assert.deepEqual([answer.json().code, answer.json().reason], ['payment-in-review', 'mismatch'])
})

test('a second card whose details were saved while SumUp was down does not fail with the first one', async () => {
  const shop = await openSaleShop()
  const buyer = createBuyer(shop)
  const checkoutId = await buyer.arrive(shop.mug)
  await payByCard(shop.sandbox, checkoutId, badCard)
  assert.equal((await buyer.order(checkoutId)).statusCode, 402)
  shop.sandbox.faults.set({ rules: [{ on: 'get', kind: 'error-500', count: 1 }] })
  assert.equal((await buyer.saveDetails(checkoutId)).statusCode, 204)
  shop.sandbox.controls.lag({ checkout: checkoutId, reads: 1 })
  await payByCard(shop.sandbox, checkoutId)
  assert.deepEqual((await buyer.look(checkoutId)).json(), { state: 'waiting', reason: 'no-card' })
  assert.equal((await buyer.order(checkoutId)).statusCode, 201)
})

test('a late decline of the first card does not fail the second, which was paid', async () => {
  const shop = await openSaleShop()
  const buyer = createBuyer(shop)
  const checkoutId = await buyer.arrive(shop.mug)
  // Nobody here hears of the decline before the second card is on its way.
  shop.sandbox.controls.lag({ checkout: checkoutId, reads: 1 })
  await payByCard(shop.sandbox, checkoutId, badCard)
  await shop.db.update(checkouts).set({ detailsAt: sql`now() - interval '3 seconds'` })
  assert.equal((await buyer.saveDetails(checkoutId)).statusCode, 204)
  assert.deepEqual((await buyer.look(checkoutId)).json(), { state: 'waiting', reason: 'no-card' })
  shop.sandbox.controls.lag({ checkout: checkoutId, reads: 1 })
  await payByCard(shop.sandbox, checkoutId)
  assert.equal((await buyer.order(checkoutId)).statusCode, 202)
  assert.equal((await buyer.order(checkoutId)).statusCode, 201)
})

test('two payments on one checkout: one order, and the owner sees the second', async () => {
  const shop = await openSaleShop()
  const buyer = createBuyer(shop)
  const checkoutId = await buyer.arrive(shop.mug)
  await payByCard(shop.sandbox, checkoutId)
  shop.sandbox.controls.payAgain({ checkout: checkoutId })
  assert.equal((await buyer.order(checkoutId)).statusCode, 201)
  const [order] = await ordersIn(shop)
  const mirrored = await shop.db.select().from(payments)
  const second = mirrored.find(({ transactionId }) => transactionId !== order?.sumupTransactionId)
  const [entry, ...more] = await shop.db.select().from(reviewEntries)
  assert.deepEqual(more, [])
  assert.partialDeepStrictEqual(entry, { id: second?.id, reason: 'paid-twice', state: 'open' })
  assert.equal((await listReview(shop))[0]?.canRefund, true)
})

test('while a card is under way its details cannot be changed from any tab', async () => {
  const shop = await openSaleShop()
  const buyer = createBuyer(shop)
  const checkoutId = await buyer.arrive(shop.mug)
  const elsewhere = {
    ...delivery,
    formId: 'second tab',
    shippingAddress: { ...delivery.shippingAddress, address: 'Elsewhere 9' },
  }
  // The card has just left, and SumUp knows nothing of it yet.
  const early = await buyer.saveDetails(checkoutId, elsewhere)
  assert.deepEqual([early.statusCode, early.json().code], [409, 'card-under-way'])
  await payByCard(shop.sandbox, checkoutId, challengedCard)
  const late = await buyer.saveDetails(checkoutId)
  assert.deepEqual([late.statusCode, late.json().code], [409, 'card-under-way'])
  shop.sandbox.controls.answerBank({ checkout: checkoutId, outcome: 'decline' })
  assert.equal((await buyer.saveDetails(checkoutId, elsewhere)).statusCode, 204, 'it was declined')
})

test('of two forms of one buyer for one product only one takes a card', async () => {
  const shop = await openSaleShop()
  const buyer = createBuyer(shop)
  const first = await buyer.arrive(shop.mug)
  const [row] = await shop.db.select().from(checkouts)
  if (!row) throw new Error('no checkout was opened')
  await shop.db.insert(checkouts).values({
    ...row,
    id: crypto.randomUUID(),
    sumupCheckoutId: crypto.randomUUID(),
    state: 'open',
  })
  const other = (await shop.db.select().from(checkouts)).find(({ state }) => state === 'open')
  const answer = await buyer.saveDetails(other?.sumupCheckoutId ?? '')
  assert.deepEqual([answer.statusCode, answer.json().code], [409, 'card-under-way'])
  assert.equal((await buyer.saveDetails(first)).statusCode, 204)
})

test('after a widget error without a payment at SumUp the status says so, and the same form works', async () => {
  const shop = await openSaleShop()
  const buyer = createBuyer(shop)
  const checkoutId = await buyer.arrive(shop.mug)
  assert.deepEqual((await buyer.look(checkoutId)).json(), { state: 'waiting', reason: 'no-card' })
  shop.sandbox.faults.set({ rules: [{ on: 'get', kind: 'error-500', count: 1 }] })
  assert.deepEqual((await buyer.look(checkoutId)).json(), {
    state: 'waiting',
    reason: 'unreachable',
  })
  assert.equal((await buyer.saveDetails(checkoutId)).statusCode, 204)
  await payByCard(shop.sandbox, checkoutId)
  assert.equal((await buyer.order(checkoutId)).statusCode, 201)
})

test('a product in a currency that the account does not accept is refused before SumUp is asked', async () => {
  const shop = await openSaleShop({ environment: { PAYMENT_CURRENCY: 'product' } })
  shop.shop.payments.account = () => ({
    mode: 'live',
    problem: undefined,
    isUnknown: false,
    currency: 'GBP',
    country: 'GB',
  })
  const answer = await createBuyer(shop).open(shop.mug)
  assert.deepEqual([answer.statusCode, answer.json().code], [409, 'price-not-payable'])
  assert.deepEqual(await shop.db.select().from(checkouts), [])
})

test('a form that SumUp refuses for another reason than its price is an outage for buyers', async () => {
  for (const param of ['valid_until', 'return_url', 'merchant_code', '']) {
    const shop = await openSaleShop()
    shop.shop.payments.sumup.createCheckout = async () => {
      throw new SumupRefusal(param === '' ? 404 : 400, 'INVALID', 'Validation error', param)
    }
    const answer = await createBuyer(shop).open(shop.mug)
    assert.deepEqual([answer.statusCode, answer.json().code], [503, 'payments-away'], param)
  }
})

test('an amount that SumUp rejects is reported as such, not as an outage', async () => {
  const shop = await openSaleShop({ merchant: { minimumAmount: 50 } })
  const answer = await createBuyer(shop).open(shop.mug)
  assert.deepEqual([answer.statusCode, answer.json().code], [409, 'price-not-payable'])
  // Asked once: no other version of the product would be taken.
  await getOnlyCheckout(shop)
})
