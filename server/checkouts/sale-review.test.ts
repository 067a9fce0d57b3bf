import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '#server/db/drizzle.ts'
import { payments, reviewEntries } from '#server/db/payment-schema.ts'
import { checkouts, orders } from '#server/db/schema.ts'
import { createBuyer, payByCard } from '#server/testing/buyer.ts'
import {
  listReview,
  getOnlyCheckout,
  openSaleShop,
  sweepAll,
  sendWebhook,
} from '#server/testing/sale.ts'

const untrue = ['wrong-amount', 'wrong-currency', 'wrong-reference', 'wrong-merchant'] as const

for (const kind of untrue) {
  test(`a payment that does not match the sale (${kind}) goes to review, without an order`, async () => {
    const shop = await openSaleShop()
    const buyer = createBuyer(shop)
    const checkoutId = await buyer.arrive(shop.mug)
    await payByCard(shop.sandbox, checkoutId)
    shop.sandbox.faults.set({ rules: [{ on: 'get', kind }] })
    const answer = await buyer.order(checkoutId)
    assert.equal(answer.statusCode, 409)
    assert.equal(answer.json().code, 'payment-in-review')
    assert.equal((await shop.db.select().from(orders)).length, 0)
    const [entry] = await listReview(shop)
    assert.equal(entry?.reason, 'mismatch')
    assert.equal(entry?.id, (await getOnlyCheckout(shop)).id)
  })
}

const contradictions = [
  ['still-pending', 'contradiction'],
  ['without-transaction', 'contradiction'],
  ['unreadable', 'unreadable'],
  ['null-transaction', 'unreadable'],
  ['transactions-object', 'unreadable'],
  ['transactions-text', 'unreadable'],
] as const

for (const [kind, reason] of contradictions) {
  test(`unclear answers (${kind}): SumUp is asked again, then the sale goes to review and leaves it automatically`, async () => {
    const shop = await openSaleShop()
    const buyer = createBuyer(shop)
    const checkoutId = await buyer.arrive(shop.mug)
    await payByCard(shop.sandbox, checkoutId)
    shop.sandbox.faults.set({ rules: [{ on: 'get', kind, count: 1 }] })
    assert.equal((await buyer.order(checkoutId)).statusCode, 202)
    assert.equal((await buyer.order(checkoutId)).statusCode, 201)

    const other = createBuyer(shop)
    const unclear = await other.arrive(shop.mug)
    await payByCard(shop.sandbox, unclear)
    shop.sandbox.faults.set({ rules: [{ on: 'get', kind }] })
    for (let look = 0; look < 12; look += 1) await sweepAll(shop)
    assert.equal((await other.order(unclear)).statusCode, 202, 'a moment is not long')
    await shop.db.update(checkouts).set({ unclearSince: sql`now() - interval '31 seconds'` })
    assert.equal((await other.order(unclear)).json().reason, reason)
    assert.deepEqual(
      (await listReview(shop)).map((entry) => entry.reason),
      [reason],
    )
    shop.sandbox.faults.clear()
    await sweepAll(shop)
    assert.deepEqual(await listReview(shop), [])
    assert.equal((await other.order(unclear)).statusCode, 200)
  })
}

test('only a contradiction that lasts needs review', async () => {
  const shop = await openSaleShop()
  const buyer = createBuyer(shop)
  const checkoutId = await buyer.arrive(shop.mug)
  await shop.db.update(checkouts).set({ unclearSince: sql`now() - interval '31 seconds'` })
  assert.equal((await buyer.order(checkoutId)).statusCode, 202)
  await payByCard(shop.sandbox, checkoutId)
  shop.sandbox.faults.set({ rules: [{ on: 'get', kind: 'still-pending', count: 1 }] })
  assert.equal((await buyer.order(checkoutId)).statusCode, 202)
  assert.equal((await buyer.order(checkoutId)).statusCode, 201)
})

test('a payment without details is in review until the same browser sends them', async () => {
  const shop = await openSaleShop()
  const buyer = createBuyer(shop)
  const { checkoutId } = (await buyer.open(shop.mug)).json()
  await payByCard(shop.sandbox, checkoutId)
  await sendWebhook(shop, checkoutId)
  const row = await getOnlyCheckout(shop)
  assert.equal(row.state, 'review')
  assert.ok((await listReview(shop))[0]?.transactionCode)
  assert.equal((await createBuyer(shop).saveDetails(checkoutId)).statusCode, 404)
  assert.equal((await buyer.saveDetails(checkoutId)).statusCode, 204)
  assert.equal((await buyer.order(checkoutId)).statusCode, 201)
})

test('a sale that the owner has handled never becomes an order automatically', async () => {
  const shop = await openSaleShop()
  const buyer = createBuyer(shop)
  const { checkoutId } = (await buyer.open(shop.mug)).json()
  await payByCard(shop.sandbox, checkoutId)
  await sendWebhook(shop, checkoutId)
  await shop.db.update(checkouts).set({ state: 'dismissed' })
  await shop.db.update(reviewEntries).set({ state: 'dismissed', handledAt: sql`now()` })
  assert.equal((await buyer.saveDetails(checkoutId)).statusCode, 409)
  assert.equal((await buyer.order(checkoutId)).statusCode, 409)
})

test('one payment never pays for two sales, whatever SumUp says', async () => {
  const shop = await openSaleShop()
  const [first, second] = [createBuyer(shop), createBuyer(shop)]
  const paid = await first.arrive(shop.mug)
  await payByCard(shop.sandbox, paid)
  assert.equal((await first.order(paid)).statusCode, 201)
  const again = await second.arrive(shop.mug)
  await payByCard(shop.sandbox, again)
  const [used] = await shop.db.select().from(orders)
  const payment = shop.sandbox.ledger().checkouts.find(({ id }) => id === again)?.transactions[0]
  await shop.db.update(orders).set({ sumupTransactionId: payment?.id ?? null })
  assert.equal((await second.order(again)).statusCode, 409)
  assert.deepEqual(
    (await shop.db.select().from(orders)).map(({ id }) => id),
    [used?.id],
  )
})

test('a sale without details does not take the payment of another sale', async () => {
  const shop = await openSaleShop()
  const first = createBuyer(shop)
  const paid = await first.arrive(shop.mug)
  await payByCard(shop.sandbox, paid)
  assert.equal((await first.order(paid)).statusCode, 201)
  const { checkoutId } = (await createBuyer(shop).open(shop.mug)).json()
  await payByCard(shop.sandbox, checkoutId)
  const payment = shop.sandbox.ledger().checkouts.find(({ id }) => id === checkoutId)
    ?.transactions[0]
  await shop.db.update(payments).set({ transactionId: payment?.id ?? '' })
  await sendWebhook(shop, checkoutId)
  assert.deepEqual(
    (await listReview(shop)).map(({ reason }) => reason),
    ['payment-reused'],
  )
})
