import assert from 'node:assert/strict'
import { test } from 'node:test'
import { apiRoutes, pathOf } from '#contract/paths.ts'
import { refunds } from '#server/db/payment-schema.ts'
import { sql } from '#server/db/drizzle.ts'
import { checkouts, mails, orders } from '#server/db/schema.ts'
import { createBuyer, payByCard } from '#server/testing/buyer.ts'
import { act, compareTomorrow, passTime, payTooEarly } from '#server/testing/money.ts'
import {
  getOnlyCheckout,
  listReview,
  openChallengedSale,
  openSaleShop,
  sendWebhook,
  sweepAll,
  type SaleShop,
} from '#server/testing/sale.ts'

/** What happens to money after somebody has decided: decisions follow what SumUp says by then. */

/** An order, and a second payment of the same sale that the owner is asked about. */
async function buyTwice(shop: SaleShop) {
  const buyer = createBuyer(shop)
  const checkoutId = await buyer.arrive(shop.mug)
  await payByCard(shop.sandbox, checkoutId)
  await buyer.order(checkoutId)
  const [order] = await shop.db.select().from(orders)
  shop.sandbox.controls.payAgain({ checkout: checkoutId })
  await compareTomorrow(shop)
  const [second] = await listReview(shop)
  return { first: order?.sumupTransactionId ?? '', entryId: second?.id ?? '' }
}

test('paid twice: once the first payment went back in SumUp’s app, the second pays for the order and is not refunded', async () => {
  const shop = await openSaleShop()
  const { first, entryId } = await buyTwice(shop)
  shop.sandbox.controls.refund({ payment: first })
  assert.equal((await act(shop, apiRoutes.reviewRefund, entryId)).json().code, 'review-done')
  const [order] = await shop.db.select().from(orders)
  const kept = shop.sandbox.ledger().transactions.find(({ id }) => id !== first)
  assert.equal(order?.sumupTransactionId, kept?.id)
  assert.deepEqual(kept?.refunds, [])
  assert.deepEqual(await listReview(shop), [])
})

test('a wrong amount in one answer: the transaction itself counts, and the owner is told of both until they dismiss it', async () => {
  const shop = await openSaleShop()
  const checkoutId = await createBuyer(shop).arrive(shop.mug)
  await payByCard(shop.sandbox, checkoutId)
  shop.sandbox.faults.set({ rules: [{ on: 'get', kind: 'wrong-amount', count: 1 }] })
  await sendWebhook(shop, checkoutId)
  const { id } = await getOnlyCheckout(shop)
  assert.equal((await listReview(shop))[0]?.paid?.amount, '1.00')
  assert.equal((await act(shop, apiRoutes.reviewRefund, id)).json().code, 'review-changed')
  const [changed] = await listReview(shop)
  assert.partialDeepStrictEqual(changed, { paid: null, conflict: 'amount 1.00, later 49.00' })
  assert.equal((await act(shop, apiRoutes.reviewRefund, id)).statusCode, 204)
  await compareTomorrow(shop)
  const [paid] = shop.sandbox.ledger().transactions
  assert.deepEqual(
    paid?.refunds.map(({ amountMinor }) => amountMinor),
    [4900],
  )
  const [left] = await listReview(shop)
  assert.partialDeepStrictEqual(left, {
    refundedAmount: '49.00',
    canOrder: false,
    canRefund: false,
  })
  assert.equal((await act(shop, apiRoutes.reviewDismiss, id, { note: 'x' })).statusCode, 204)
  assert.deepEqual(await listReview(shop), [])
  assert.deepEqual(await shop.db.select().from(orders), [])
})

/** The owner creates an order by hand, because SumUp cannot show whether the card at the bank was charged. */
async function orderUnread(shop: SaleShop, beforeOrder: (checkoutId: string) => void = () => {}) {
  const { buyer, checkoutId } = await openChallengedSale(shop)
  shop.sandbox.faults.set({
    rules: [
      { on: 'get', kind: 'error-500' },
      { on: 'transaction', kind: 'error-500' },
    ],
  })
  await sweepAll(shop)
  await passTime(shop, '2 hours')
  await sweepAll(shop)
  beforeOrder(checkoutId)
  const { id } = await getOnlyCheckout(shop)
  assert.equal((await act(shop, apiRoutes.reviewOrder, id)).statusCode, 201)
  shop.sandbox.faults.clear()
  return { buyer, checkoutId, id }
}

async function showsPaid({ app, db, signIn }: SaleShop): Promise<boolean> {
  const [order] = await db.select().from(orders)
  const url = pathOf(apiRoutes.order, { id: order?.id ?? '' })
  return (await app.inject({ url, headers: await signIn() })).json().isPaid
}

test('an order made while SumUp could not be read belongs to its payment once that can be read', async () => {
  const shop = await openSaleShop()
  const { checkoutId } = await orderUnread(shop)
  shop.sandbox.controls.answerBank({ checkout: checkoutId, outcome: 'approve' })
  assert.equal(await showsPaid(shop), false)
  await sweepAll(shop)
  assert.equal(await showsPaid(shop), true)
  assert.deepEqual(await listReview(shop), [])
  assert.equal((await getOnlyCheckout(shop)).nextCheckAt, null)
})

test('an order made while SumUp could not be read, whose payment had gone back: the owner is told', async () => {
  const shop = await openSaleShop()
  const { id } = await orderUnread(shop, (checkoutId) => {
    shop.sandbox.controls.answerBank({ checkout: checkoutId, outcome: 'approve' })
    shop.sandbox.controls.refund({ payment: checkoutId })
  })
  await sweepAll(shop)
  const [entry] = await listReview(shop)
  assert.partialDeepStrictEqual(entry, {
    id,
    reason: 'refunded',
    canOrder: false,
    canRefund: false,
  })
  const [order] = await shop.db.select().from(orders)
  assert.equal(order?.sumupTransactionId, shop.sandbox.ledger().transactions[0]?.id)
  assert.equal((await act(shop, apiRoutes.reviewDismiss, id, { note: 'x' })).statusCode, 204)
  assert.equal((await getOnlyCheckout(shop)).state, 'paid')
  await compareTomorrow(shop)
  assert.deepEqual(await listReview(shop), [])
})

for (const how of ['sweep', 'webhook'] as const)
  test(`an order made while SumUp could not be read, whose card was declined: the owner is told (${how})`, async () => {
    const shop = await openSaleShop()
    const { checkoutId, id } = await orderUnread(shop)
    shop.sandbox.controls.answerBank({ checkout: checkoutId, outcome: 'decline' })
    const look = () => (how === 'sweep' ? sweepAll(shop) : sendWebhook(shop, checkoutId))
    await look()
    await passTime(shop, '1 minute')
    await look()
    assert.partialDeepStrictEqual((await listReview(shop))[0], { id, reason: 'not-at-sumup' })
    assert.equal((await act(shop, apiRoutes.reviewDismiss, id, { note: 'x' })).statusCode, 204)
    await look()
    assert.deepEqual(await listReview(shop), [])
    assert.equal((await act(shop, apiRoutes.reviewRestore, id)).statusCode, 204)
    assert.equal((await listReview(shop)).length, 1)
  })

test('a dismissed payment that went back meanwhile is restored as one that went back', async () => {
  const shop = await openSaleShop()
  const { buyer, checkoutId, id } = await payTooEarly(shop)
  await act(shop, apiRoutes.reviewDismiss, id, { note: 'x' })
  shop.sandbox.controls.refund({ payment: checkoutId })
  await compareTomorrow(shop)
  assert.equal((await act(shop, apiRoutes.reviewRestore, id)).statusCode, 204)
  assert.equal((await listReview(shop))[0]?.reason, 'refunded')
  assert.equal((await buyer.look(checkoutId)).json().reason, 'refunded')
})

test('a dismissed payment whose refund was done meanwhile is restored as refunded', async () => {
  const shop = await openSaleShop()
  const { buyer, checkoutId, id } = await payTooEarly(shop)
  shop.sandbox.faults.set({ rules: [{ on: 'refund', kind: 'refund-pending' }] })
  await act(shop, apiRoutes.reviewRefund, id)
  await passTime(shop, '61 minutes')
  await act(shop, apiRoutes.reviewDismiss, id, { note: 'x' })
  shop.sandbox.controls.endRefund({ payment: checkoutId, outcome: 'done' })
  await sweepAll(shop)
  assert.equal((await act(shop, apiRoutes.reviewRestore, id)).statusCode, 204)
  assert.deepEqual(await listReview(shop), [])
  assert.equal((await listReview(shop, '?archive=true'))[0]?.state, 'refunded')
  assert.equal((await buyer.look(checkoutId)).json().reason, 'refunded')
})

test('a chargeback is not the refund that was asked for', async () => {
  const shop = await openSaleShop()
  const { checkoutId, id } = await payTooEarly(shop)
  shop.sandbox.faults.set({ rules: [{ on: 'refund', kind: 'error-500' }] })
  await act(shop, apiRoutes.reviewRefund, id)
  shop.sandbox.faults.clear()
  shop.sandbox.controls.chargeBack({ payment: checkoutId })
  await sweepAll(shop)
  assert.equal((await shop.db.select().from(refunds))[0]?.state, 'failed')
  const [entry] = await listReview(shop)
  const money = { refundedAmount: '0.00', chargedBackAmount: '49.00' }
  assert.partialDeepStrictEqual(entry, { id, reason: 'refunded', ...money })
  assert.deepEqual(await shop.db.select().from(mails), [])
})

test('a second payment that the bank took back is charged back in the archive', async () => {
  const shop = await openSaleShop()
  const { entryId } = await buyTwice(shop)
  const second = shop.sandbox.ledger().transactions.at(-1)
  shop.sandbox.controls.chargeBack({ payment: second?.id ?? '' })
  await compareTomorrow(shop)
  const [entry] = await listReview(shop, '?archive=true')
  const money = { refundedAmount: '0.00', chargedBackAmount: '49.00' }
  assert.partialDeepStrictEqual(entry, { id: entryId, state: 'refunded', ...money })
})

test('who dismisses a payment that was declined meanwhile is told so', async () => {
  const shop = await openSaleShop()
  const { checkoutId } = await openChallengedSale(shop)
  await sweepAll(shop)
  await passTime(shop, '8 days')
  await sweepAll(shop)
  const { id } = await getOnlyCheckout(shop)
  shop.sandbox.controls.answerBank({ checkout: checkoutId, outcome: 'decline' })
  const answer = await act(shop, apiRoutes.reviewDismiss, id, { note: 'x' })
  assert.equal(answer.json().code, 'review-done')
  assert.equal((await getOnlyCheckout(shop)).state, 'closed')
})

test('paid twice without details, one refunded: the buyer is asked for details for the other, and gets no form', async () => {
  const shop = await openSaleShop()
  const { buyer, checkoutId, id } = await payTooEarly(shop)
  shop.sandbox.controls.payAgain({ checkout: checkoutId })
  await compareTomorrow(shop)
  assert.equal((await act(shop, apiRoutes.reviewRefund, id)).statusCode, 204)
  const review = { state: 'review', reason: 'no-details' }
  assert.deepEqual((await buyer.look(checkoutId)).json(), review)
  assert.equal((await buyer.open(shop.mug)).json().code, 'payment-in-review')
  const [entry, ...more] = await listReview(shop)
  assert.partialDeepStrictEqual(entry, { id, reason: 'no-details', canRefund: true })
  assert.deepEqual(more, [])
  const [archived] = await listReview(shop, '?archive=true')
  assert.partialDeepStrictEqual(archived, { state: 'refunded', refundedAmount: '49.00' })
  assert.deepEqual(await shop.db.select().from(mails), [])
  assert.equal((await act(shop, apiRoutes.reviewRefund, id)).statusCode, 204)
  assert.deepEqual((await buyer.look(checkoutId)).json(), { state: 'review', reason: 'refunded' })
  assert.equal((await shop.db.select().from(mails)).length, 1)
})

test('a payment that arrives after the first was refunded is shown to the owner, and the buyer is not told that it went back', async () => {
  const shop = await openSaleShop()
  const { buyer, checkoutId, id } = await payTooEarly(shop)
  await act(shop, apiRoutes.reviewRefund, id)
  shop.sandbox.controls.payAgain({ checkout: checkoutId })
  await sendWebhook(shop, checkoutId)
  const [entry, ...more] = await listReview(shop)
  assert.partialDeepStrictEqual(entry, { id, reason: 'paid-late', canRefund: true })
  assert.deepEqual(more, [])
  assert.equal((await buyer.look(checkoutId)).json().reason, 'paid-late')
})

for (const [kind, code] of [
  ['claims-ended', 'card-under-way'],
  ['error-500', 'payments-away'],
] as const)
  test(`a form with details that SumUp does not end (${kind}) is shown to the owner after an hour`, async () => {
    const shop = await openSaleShop()
    const buyer = createBuyer(shop)
    await buyer.arrive(shop.mug)
    shop.sandbox.faults.set({ rules: [{ on: 'deactivate', kind }] })
    await shop.db.update(checkouts).set({ validUntil: sql`now() - interval '10 minutes'` })
    await sweepAll(shop)
    assert.equal((await buyer.open(shop.mug)).json().code, code)
    assert.deepEqual(await listReview(shop), [])
    await passTime(shop, '61 minutes')
    await sweepAll(shop)
    await sweepAll(shop)
    assert.partialDeepStrictEqual((await listReview(shop))[0], { reason: 'contradiction' })
    assert.equal((await buyer.open(shop.mug)).json().code, 'payment-in-review')
    shop.sandbox.faults.clear()
    await sweepAll(shop)
    assert.deepEqual(await listReview(shop), [])
    assert.equal((await buyer.open(shop.mug)).statusCode, 200)
  })
