import assert from 'node:assert/strict'
import { test } from 'node:test'
import { apiRoutes, pathOf } from '#contract/paths.ts'
import { sql } from '#server/db/drizzle.ts'
import { payments, refunds } from '#server/db/payment-schema.ts'
import { checkouts, mails, orders, products } from '#server/db/schema.ts'
import { badCard, createBuyer, delivery, payByCard } from '#server/testing/buyer.ts'
import { act, compareTomorrow, passTime, payTooEarly } from '#server/testing/money.ts'
import {
  getOnlyCheckout,
  listReview,
  openChallengedSale,
  openSaleShop,
  sendWebhook,
  sweepAll,
  versionOf,
  type SaleShop,
} from '#server/testing/sale.ts'

/** What SumUp says about money, and what becomes of it here: nothing is believed that was not read. */

const ordersIn = ({ db }: SaleShop) => db.select().from(orders)
const mailKinds = async ({ db }: SaleShop) =>
  (await db.select().from(mails)).map(({ kind }) => kind).toSorted()

async function buy(shop: SaleShop) {
  const buyer = createBuyer(shop)
  const checkoutId = await buyer.arrive(shop.mug)
  await payByCard(shop.sandbox, checkoutId)
  assert.equal((await buyer.order(checkoutId)).statusCode, 201)
  return { buyer, checkoutId }
}

test('a payment whose transaction SumUp cannot show for five minutes is shown to the owner, and is an order once it can', async () => {
  const shop = await openSaleShop()
  const { buyer, checkoutId } = await openChallengedSale(shop)
  await sweepAll(shop)
  shop.sandbox.controls.answerBank({ checkout: checkoutId, outcome: 'approve' })
  shop.sandbox.faults.set({ rules: [{ on: 'transaction', kind: 'error-500' }] })
  await shop.db.update(payments).set({ madeAt: sql`now() - interval '61 seconds'` })
  assert.equal((await buyer.order(checkoutId)).statusCode, 202)
  assert.deepEqual(await listReview(shop), [])
  await passTime(shop, '5 minutes')
  await sweepAll(shop)
  const [entry] = await listReview(shop)
  assert.partialDeepStrictEqual(entry, { reason: 'unreadable', canOrder: true, canRefund: true })
  assert.equal((await buyer.look(checkoutId)).json().state, 'review')
  shop.sandbox.faults.clear()
  await sweepAll(shop)
  assert.deepEqual(await listReview(shop), [])
  assert.equal((await buyer.order(checkoutId)).statusCode, 200)
})

test('a sale that SumUp cannot show for an hour is shown to the owner, with the payment that the history knows', async () => {
  const shop = await openSaleShop()
  const checkoutId = await createBuyer(shop).arrive(shop.mug)
  await payByCard(shop.sandbox, checkoutId)
  shop.sandbox.faults.set({ rules: [{ on: 'get', kind: 'error-500' }] })
  await sweepAll(shop)
  await passTime(shop, '61 minutes')
  await sweepAll(shop)
  assert.equal((await listReview(shop))[0]?.reason, 'unreadable')
  await compareTomorrow(shop)
  const known = await shop.db.select().from(payments)
  assert.partialDeepStrictEqual(known, [{ status: 'successful', amount: '49.00' }])
  shop.sandbox.faults.clear()
  await sweepAll(shop)
  assert.equal((await ordersIn(shop)).length, 1)
})

test('a refund that SumUp answers with a failure was not made, is said so, and may be tried again', async () => {
  const shop = await openSaleShop()
  const { buyer, checkoutId, id } = await payTooEarly(shop)
  shop.sandbox.faults.set({ rules: [{ on: 'refund', kind: 'refund-failed', count: 1 }] })
  const answer = await act(shop, apiRoutes.reviewRefund, id)
  assert.deepEqual([answer.statusCode, answer.json().code], [409, 'refund-refused'])
  assert.deepEqual((await buyer.look(checkoutId)).json(), { state: 'review', reason: 'no-details' })
  assert.partialDeepStrictEqual((await listReview(shop))[0], { refund: null, canRefund: true })
  assert.equal((await act(shop, apiRoutes.reviewRefund, id)).statusCode, 204)
  const states = (await shop.db.select().from(refunds)).map(({ state }) => state)
  assert.deepEqual(states.toSorted(), ['done', 'failed'])
})

for (const outcome of ['done', 'failed'] as const) {
  test(`a refund that SumUp is still working on is followed until it is ${outcome}`, async () => {
    const shop = await openSaleShop()
    const { buyer, checkoutId, id } = await payTooEarly(shop)
    shop.sandbox.faults.set({ rules: [{ on: 'refund', kind: 'refund-pending', count: 1 }] })
    assert.equal((await act(shop, apiRoutes.reviewRefund, id)).json().code, 'refund-unknown')
    await buyer.saveDetails(checkoutId)
    assert.equal((await buyer.order(checkoutId)).statusCode, 409, 'an order beside a refund')
    await sweepAll(shop)
    assert.equal((await listReview(shop))[0]?.refund?.amount, '49.00')
    shop.sandbox.controls.endRefund({ payment: checkoutId, outcome })
    await sweepAll(shop)
    const [entry] = await listReview(shop)
    if (outcome === 'done') assert.equal(entry, undefined)
    else assert.partialDeepStrictEqual(entry, { refund: null, canRefund: true, canOrder: true })
    assert.deepEqual(await mailKinds(shop), outcome === 'done' ? ['payment-returned'] : [])
  })
}

test('a transaction that cannot be read holds up no other in the comparison', async () => {
  const shop = await openSaleShop()
  const [first, second] = [await buy(shop), await buy(shop)]
  shop.sandbox.controls.refund({ payment: first.checkoutId, amount: 10 })
  shop.sandbox.controls.refund({ payment: second.checkoutId, amount: 5 })
  shop.sandbox.faults.set({
    rules: [{ on: 'transaction', kind: 'error-500', checkout: first.checkoutId }],
  })
  const known = async () => {
    const { skippedAt } = await compareTomorrow(shop)
    const refunded = (await shop.db.select().from(payments)).map((one) => one.refunded)
    return { refunded: refunded.toSorted(), isSkipped: skippedAt !== undefined }
  }
  assert.deepEqual(await known(), { refunded: ['0.00', '5.00'], isSkipped: true })
  shop.sandbox.faults.clear()
  assert.deepEqual(await known(), { refunded: ['10.00', '5.00'], isSkipped: false })
})

test('a checkout that SumUp claims to have ended while its card is at the bank gives no second form', async () => {
  const shop = await openSaleShop()
  const { buyer, checkoutId } = await openChallengedSale(shop)
  shop.sandbox.faults.set({ rules: [{ on: 'deactivate', kind: 'claims-ended' }] })
  const url = pathOf(apiRoutes.startOver, { checkoutId })
  assert.equal((await buyer.call('POST', url)).json().code, 'card-at-bank')
  assert.equal((await buyer.open(shop.mug)).json().code, 'card-at-bank')
})

test('details are refused on a form while another sale of the same browser is paid and unseen, or in review', async () => {
  const shop = await openSaleShop()
  const buyer = createBuyer(shop)
  const { checkoutId: older } = (await buyer.open(shop.mug)).json()
  await shop.db.execute(sql`update checkouts set state = 'closed'`)
  const { checkoutId: newer } = (await buyer.open(shop.mug)).json()
  await shop.db.execute(sql`update checkouts set state = 'open'`)
  await payByCard(shop.sandbox, newer)
  await sendWebhook(shop, newer)
  const inReview = await buyer.saveDetails(older)
  assert.deepEqual([inReview.statusCode, inReview.json().code], [409, 'payment-in-review'])
  assert.equal((await buyer.saveDetails(newer)).statusCode, 204)
  await sweepAll(shop)
  const paid = await buyer.saveDetails(older)
  assert.equal(paid.json().code, 'already-paid')
  assert.equal(paid.json().orderId, (await ordersIn(shop))[0]?.id)
})

test('no order is made of a card that was declined while it was in review', async () => {
  const shop = await openSaleShop()
  const { checkoutId } = await openChallengedSale(shop)
  await sweepAll(shop)
  await shop.db.update(payments).set({ foundAt: sql`now() - interval '8 days'` })
  await sweepAll(shop)
  const [stuck] = await listReview(shop)
  assert.partialDeepStrictEqual(stuck, { reason: 'stuck', canOrder: false })
  shop.sandbox.controls.answerBank({ checkout: checkoutId, outcome: 'decline' })
  const answer = await act(shop, apiRoutes.reviewOrder, stuck?.id ?? '', {})
  assert.equal(answer.statusCode, 409)
  assert.deepEqual(await ordersIn(shop), [])
})

test('a refund that the history shows before the transaction does is waited for, and several without ids are added', async () => {
  const shop = await openSaleShop()
  const { checkoutId } = await buy(shop)
  shop.sandbox.controls.refund({ payment: checkoutId, amount: 10 })
  shop.sandbox.controls.refund({ payment: checkoutId, amount: 4 })
  shop.sandbox.controls.setSwitches({ sparseHistory: { fields: ['id', 'refunded_amount'] } })
  shop.sandbox.faults.set({ rules: [{ on: 'transaction', kind: 'without-events' }] })
  const refunded = async () => (await shop.db.select().from(payments))[0]?.refunded
  await compareTomorrow(shop)
  assert.equal(await refunded(), '0.00')
  shop.sandbox.faults.clear()
  await compareTomorrow(shop)
  assert.equal(await refunded(), '14.00')
})

test('a refund that fails after the history has named it is no refund of its order', async () => {
  const shop = await openSaleShop()
  const { checkoutId, id } = await payTooEarly(shop)
  shop.sandbox.faults.set({ rules: [{ on: 'refund', kind: 'refund-pending', count: 1 }] })
  await act(shop, apiRoutes.reviewRefund, id)
  const { sumup } = shop.settling
  const listHistory: typeof sumup.listHistory = async (query) => {
    const { items, ...page } = await sumup.listHistory(query)
    const named = items.map((item) =>
      item.type === 'REFUND'
        ? { ...item, status: 'SUCCESSFUL' }
        : { ...item, refunded_amount: '49.00' },
    )
    return { ...page, items: named }
  }
  const early = { ...shop, settling: { ...shop.settling, sumup: { ...sumup, listHistory } } }
  await compareTomorrow(early)
  shop.sandbox.controls.endRefund({ payment: checkoutId, outcome: 'failed' })
  await compareTomorrow(early)
  const details = { shippingAddress: delivery.shippingAddress }
  const { orderId } = (await act(shop, apiRoutes.reviewOrder, id, { details })).json()
  const headers = await shop.signIn()
  const url = pathOf(apiRoutes.order, { id: orderId })
  const read = (await shop.app.inject({ url, headers })).json()
  assert.deepEqual([read.amount, read.refundedAmount], ['49.00', '0.00'])
})

test('a refund in SumUp’s app counts only once it is done', async () => {
  const shop = await openSaleShop()
  const { checkoutId, id } = await payTooEarly(shop)
  shop.sandbox.faults.set({ rules: [{ on: 'refund', kind: 'refund-pending', count: 1 }] })
  await act(shop, apiRoutes.reviewRefund, id)
  await compareTomorrow(shop)
  assert.equal((await shop.db.select().from(payments))[0]?.refunded, '0.00')
  shop.sandbox.controls.endRefund({ payment: checkoutId, outcome: 'failed' })
  await compareTomorrow(shop)
  assert.equal((await shop.db.select().from(payments))[0]?.refunded, '0.00')
})

test('an order of a payment that was partly refunded in review says so', async () => {
  const shop = await openSaleShop()
  const { checkoutId, id } = await payTooEarly(shop)
  shop.sandbox.controls.refund({ payment: checkoutId, amount: 9 })
  const order = { details: { shippingAddress: delivery.shippingAddress } }
  assert.equal((await act(shop, apiRoutes.reviewOrder, id, order)).json().code, 'review-changed')
  const { orderId } = (await act(shop, apiRoutes.reviewOrder, id, order)).json()
  const headers = await shop.signIn()
  const url = pathOf(apiRoutes.order, { id: orderId })
  const read = (await shop.app.inject({ url, headers })).json()
  assert.deepEqual([read.amount, read.refundedAmount], ['49.00', '9.00'])
})

test('paid twice, and the first given back in SumUp’s app: the second pays for the order and is not offered for refund', async () => {
  const shop = await openSaleShop()
  const { checkoutId } = await buy(shop)
  const [order] = await ordersIn(shop)
  shop.sandbox.controls.payAgain({ checkout: checkoutId })
  await compareTomorrow(shop)
  assert.equal((await listReview(shop))[0]?.reason, 'paid-twice')
  shop.sandbox.controls.refund({ payment: order?.sumupTransactionId ?? '' })
  await compareTomorrow(shop)
  assert.deepEqual(await listReview(shop), [])
  const [moved] = await ordersIn(shop)
  assert.notEqual(moved?.sumupTransactionId, order?.sumupTransactionId)
})

test('an admin decides about what was on the screen, and about nothing else', async () => {
  const shop = await openSaleShop()
  const { checkoutId, id } = await payTooEarly(shop)
  const shown = await versionOf(shop, id)
  shop.sandbox.controls.refund({ payment: checkoutId, amount: 48 })
  const details = { shippingAddress: delivery.shippingAddress }
  const answer = await act(shop, apiRoutes.reviewOrder, id, { version: shown, details })
  assert.deepEqual([answer.statusCode, answer.json().code], [409, 'review-changed'])
  assert.deepEqual(await ordersIn(shop), [])
})

for (const field of ['status', 'type', 'transaction_id'] as const) {
  test(`a payment is found in a history whose items lack ${field}`, async () => {
    const shop = await openSaleShop()
    const checkoutId = await createBuyer(shop).arrive(shop.mug)
    await payByCard(shop.sandbox, checkoutId)
    await shop.db.update(checkouts).set({ state: 'closed', nextCheckAt: null })
    shop.sandbox.controls.setSwitches({ sparseHistory: { fields: [field] } })
    await compareTomorrow(shop)
    assert.equal((await ordersIn(shop)).length, 1)
  })
}

test('a refund is found in a history whose items lack the payment’s id', async () => {
  const shop = await openSaleShop()
  const { checkoutId } = await buy(shop)
  shop.sandbox.controls.refund({ payment: checkoutId, amount: 10 })
  shop.sandbox.controls.setSwitches({
    sparseHistory: { fields: ['transaction_id', 'refunded_amount'] },
  })
  await compareTomorrow(shop)
  assert.equal((await shop.db.select().from(payments))[0]?.refunded, '10.00')
})

test('a deleted product is not sold from a form that was open', async () => {
  const shop = await openSaleShop()
  const buyer = createBuyer(shop)
  const { checkoutId } = (await buyer.open(shop.mug)).json()
  await shop.db.update(products).set({ deletedAt: sql`now()` })
  shop.shop.productCache.outdate(shop.mug)
  const refused = await buyer.saveDetails(checkoutId)
  assert.deepEqual([refused.statusCode, refused.json().code], [404, 'product-missing'])
})

test('one known decline is not a decline of the second card', async () => {
  const shop = await openSaleShop()
  const buyer = createBuyer(shop)
  const checkoutId = await buyer.arrive(shop.mug)
  shop.sandbox.faults.set({ rules: [{ on: 'get', kind: 'error-500' }] })
  await payByCard(shop.sandbox, checkoutId, badCard)
  await shop.db.update(checkouts).set({ detailsAt: sql`now() - interval '20 seconds'` })
  assert.equal((await buyer.saveDetails(checkoutId)).statusCode, 204)
  shop.sandbox.faults.clear()
  shop.sandbox.controls.lag({ checkout: checkoutId, reads: 1 })
  await payByCard(shop.sandbox, checkoutId)
  assert.equal((await buyer.order(checkoutId)).statusCode, 202, 'the paid card was declined')
  assert.equal((await buyer.order(checkoutId)).statusCode, 201)
})

test('a card that the form itself refused was not sent: the next one is declined at once', async () => {
  const shop = await openSaleShop()
  const buyer = createBuyer(shop)
  const checkoutId = await buyer.arrive(shop.mug)
  await shop.db.update(checkouts).set({ detailsAt: sql`now() - interval '5 seconds'` })
  const again = await buyer.saveDetails(checkoutId, { ...delivery, isCardUnsent: true })
  assert.equal(again.statusCode, 204)
  await payByCard(shop.sandbox, checkoutId, badCard)
  assert.equal((await buyer.order(checkoutId)).statusCode, 402)
})

test('details that a page sends again for one press of Pay now are one card, whenever they come', async () => {
  for (const [first, again, answer] of [
    ['one', 'one', 402],
    ['one', 'two', 202],
    // Of a program that names no press.
    ['', '', 202],
  ] as const) {
    const shop = await openSaleShop()
    const buyer = createBuyer(shop)
    const { checkoutId } = (await buyer.open(shop.mug)).json()
    await buyer.saveDetails(checkoutId, { ...delivery, pressId: first })
    await shop.db.update(checkouts).set({ detailsAt: sql`now() - interval '5 seconds'` })
    await buyer.saveDetails(checkoutId, { ...delivery, pressId: again })
    await payByCard(shop.sandbox, checkoutId, badCard)
    assert.equal((await buyer.order(checkoutId)).statusCode, answer, again)
  }
})

test('a second press of Pay now is a second card, however soon it comes', async () => {
  const shop = await openSaleShop()
  const buyer = createBuyer(shop)
  const { checkoutId } = (await buyer.open(shop.mug)).json()
  for (const pressId of ['one', 'two'])
    await buyer.saveDetails(checkoutId, { ...delivery, pressId })
  await payByCard(shop.sandbox, checkoutId, badCard)
  assert.equal((await buyer.order(checkoutId)).statusCode, 202)
})

test('two declines after one press are none of the card of the next press', async () => {
  const shop = await openSaleShop()
  const buyer = createBuyer(shop)
  const { checkoutId } = (await buyer.open(shop.mug)).json()
  await buyer.saveDetails(checkoutId, { ...delivery, pressId: 'one' })
  for (let card = 0; card < 2; card += 1) await payByCard(shop.sandbox, checkoutId, badCard)
  assert.equal((await buyer.order(checkoutId)).statusCode, 402)
  await buyer.saveDetails(checkoutId, { ...delivery, pressId: 'two' })
  assert.equal((await buyer.order(checkoutId)).statusCode, 202)
})

test('a buyer whose payment was in review hears how it ended, when there is no order', async () => {
  const dismissed = await openSaleShop()
  const { id } = await payTooEarly(dismissed)
  await act(dismissed, apiRoutes.reviewDismiss, id, { note: 'x' })
  assert.deepEqual(await mailKinds(dismissed), ['payment-closed'])

  const cleared = await openSaleShop()
  const checkoutId = await createBuyer(cleared).arrive(cleared.mug)
  cleared.sandbox.faults.set({ rules: [{ on: 'get', kind: 'odd-status' }] })
  await sweepAll(cleared)
  await cleared.db.update(checkouts).set({ unclearSince: sql`now() - interval '31 seconds'` })
  await sweepAll(cleared)
  assert.equal((await listReview(cleared)).length, 1)
  cleared.sandbox.faults.clear()
  cleared.sandbox.controls.expire({ checkout: checkoutId })
  await sweepAll(cleared)
  await cleared.db.update(checkouts).set({ expiredSince: sql`now() - interval '16 minutes'` })
  await sweepAll(cleared)
  assert.equal((await getOnlyCheckout(cleared)).state, 'closed')
  assert.deepEqual(await mailKinds(cleared), ['not-charged'])
})
