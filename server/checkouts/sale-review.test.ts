import assert from 'node:assert/strict'
import { test } from 'node:test'
import { calls } from '#contract/paths.ts'
import { sql } from '#server/db/drizzle.ts'
import { checkouts, orders } from '#server/db/schema.ts'
import { buyerOf, payByCard } from '#server/testing/buyer.ts'
import { openSumup } from '#server/sumup/client.ts'
import { sweep } from './sweep.ts'
import { onlyCheckout, openSaleShop, sweepAll } from '#server/testing/sale.ts'

const untrue = [
  'wrong-amount',
  'wrong-currency',
  'wrong-reference',
  'wrong-merchant',
  'unreadable',
] as const

for (const kind of untrue) {
  test(`a payment that does not fit (${kind}) is shown to the owner and is no order`, async () => {
    const shop = await openSaleShop()
    const buyer = buyerOf(shop)
    const checkoutId = await buyer.arrive(shop.mug)
    await payByCard(shop.sandbox, checkoutId)
    shop.sandbox.faults.set({ rules: [{ on: 'get', kind }] })
    const answer = await buyer.order(checkoutId)
    assert.equal(answer.statusCode, 409)
    assert.equal((await shop.db.select().from(orders)).length, 0)
    const review = await shop.app.inject({ url: calls.review, headers: await shop.signIn() })
    assert.equal(review.json().length, 1)
    assert.equal(review.json()[0].checkoutId, checkoutId)
  })
}

for (const kind of ['still-pending', 'without-transaction'] as const) {
  test(`SumUp contradicts itself (${kind}): it is asked again for a while, then a person is`, async () => {
    const shop = await openSaleShop()
    const buyer = buyerOf(shop)
    const checkoutId = await buyer.arrive(shop.mug)
    await payByCard(shop.sandbox, checkoutId)
    shop.sandbox.faults.set({ rules: [{ on: 'get', kind, count: 1 }] })
    assert.equal((await buyer.order(checkoutId)).statusCode, 202)
    assert.equal((await buyer.order(checkoutId)).statusCode, 201)

    const other = buyerOf(shop)
    const unclear = await other.arrive(shop.mug)
    await payByCard(shop.sandbox, unclear)
    shop.sandbox.faults.set({ rules: [{ on: 'get', kind }] })
    for (let look = 0; look < 12; look += 1) await sweepAll(shop)
    assert.equal((await other.order(unclear)).statusCode, 202, 'a minute is not long')
    await shop.db.update(checkouts).set({ contradictedSince: sql`now() - interval '11 minutes'` })
    assert.equal((await other.order(unclear)).statusCode, 409)
  })
}

test('a contradiction that ended is forgotten: only one that lasts needs a person', async () => {
  const shop = await openSaleShop()
  const buyer = buyerOf(shop)
  const checkoutId = await buyer.arrive(shop.mug)
  await shop.db.update(checkouts).set({ contradictedSince: sql`now() - interval '11 minutes'` })
  assert.equal((await buyer.order(checkoutId)).statusCode, 202)
  await payByCard(shop.sandbox, checkoutId)
  shop.sandbox.faults.set({ rules: [{ on: 'get', kind: 'still-pending', count: 1 }] })
  assert.equal((await buyer.order(checkoutId)).statusCode, 202)
  assert.equal((await buyer.order(checkoutId)).statusCode, 201)
})

test('paid without details is looked at by a person, until the same browser brings them', async () => {
  const shop = await openSaleShop()
  const buyer = buyerOf(shop)
  const { checkoutId } = (await buyer.open(shop.mug)).json()
  await payByCard(shop.sandbox, checkoutId)
  await sweepAll(shop)
  const row = await onlyCheckout(shop)
  assert.equal(row.state, 'review')
  assert.ok(row.sumupTransactionCode)
  assert.equal((await buyerOf(shop).keepDetails(checkoutId)).statusCode, 404)
  assert.equal((await buyer.keepDetails(checkoutId)).statusCode, 204)
  assert.equal((await buyer.order(checkoutId)).statusCode, 201)
})

test('what a person has dealt with is never made an order by itself', async () => {
  const shop = await openSaleShop()
  const buyer = buyerOf(shop)
  const { checkoutId } = (await buyer.open(shop.mug)).json()
  await payByCard(shop.sandbox, checkoutId)
  await sweepAll(shop)
  await shop.db.update(checkouts).set({ handledAt: sql`now()` })
  assert.equal((await buyer.keepDetails(checkoutId)).statusCode, 409)
  assert.equal((await buyer.order(checkoutId)).statusCode, 409)
})

test('one payment never pays for two sales, whatever SumUp says', async () => {
  const shop = await openSaleShop()
  const [first, second] = [buyerOf(shop), buyerOf(shop)]
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

test('a sale that SumUp refuses to speak of is asked about for a week, then a person is', async () => {
  const shop = await openSaleShop()
  await buyerOf(shop).arrive(shop.mug)
  const settling = {
    ...shop.settling,
    sumup: openSumup({ apiUrl: shop.sandbox.url, apiKey: 'sup_sk_gone', merchantCode: 'M' }),
  }
  const sweepAt = async (age: string) => {
    await shop.db.update(checkouts).set({
      nextCheckAt: sql`now()`,
      validUntil: sql`now() - ${age}::interval`,
    })
    await sweep(settling)
    return onlyCheckout(shop)
  }
  assert.equal((await sweepAt('6 days')).state, 'submitted')
  const asked = await sweepAt('8 days')
  assert.equal(asked.state, 'review')
  assert.match(asked.lastError ?? '', /401/)
})
