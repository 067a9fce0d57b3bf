import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '#server/db/drizzle.ts'
import { checkouts, orders } from '#server/db/schema.ts'
import { addMug, badCard, createBuyer, challengedCard, payByCard } from '#server/testing/buyer.ts'
import { openTestShop } from '#server/testing/test-shop.ts'
import { deleteUnpaidDetails } from '#server/privacy/retention.ts'
import { findSale } from './record-rows.ts'
import { sweep } from './sales.ts'
import { shareSettling } from './settle.ts'
import { getOnlyCheckout, openSaleShop, sweepAll } from '#server/testing/sale.ts'

test('too many cards, and SumUp cannot be told to end it: a card that goes through still becomes an order', async () => {
  const shop = await openSaleShop()
  const buyer = createBuyer(shop)
  const checkoutId = await buyer.arrive(shop.mug)
  for (let card = 1; card <= 5; card += 1) await payByCard(shop.sandbox, checkoutId, badCard)
  shop.sandbox.faults.set({ rules: [{ on: 'deactivate', kind: 'error-500' }] })
  assert.equal((await buyer.order(checkoutId)).statusCode, 429)
  await payByCard(shop.sandbox, checkoutId)
  await sweepAll(shop)
  assert.equal((await shop.db.select().from(orders)).length, 1)
})

test('a sale left after a declined card is not checked forever, and its details are deleted', async () => {
  const shop = await openSaleShop()
  const checkoutId = await createBuyer(shop).arrive(shop.mug)
  await payByCard(shop.sandbox, checkoutId, badCard)
  await shop.db
    .update(checkouts)
    .set({ nextCheckAt: sql`now()`, validUntil: sql`now() - interval '40 days'` })
  await sweep(shop.settling)
  const row = await getOnlyCheckout(shop)
  assert.equal(row.state, 'closed')
  assert.equal(row.nextCheckAt, null)
  await deleteUnpaidDetails(shop.db, 30)
  assert.equal((await getOnlyCheckout(shop)).details, null)
})

test('an expired sale that becomes due again is checked once, not forever', async () => {
  const shop = await openSaleShop()
  await createBuyer(shop).arrive(shop.mug)
  await shop.db
    .update(checkouts)
    .set({ state: 'closed', nextCheckAt: sql`now()`, validUntil: sql`now() - interval '2 days'` })
  await sweep(shop.settling)
  assert.equal((await getOnlyCheckout(shop)).nextCheckAt, null)
})

for (const kind of ['wrong-amount', 'wrong-currency', 'wrong-merchant'] as const) {
  test(`a checkout that differs from our offer (${kind}) reaches no card form, not even by the sweep`, async () => {
    const shop = await openSaleShop()
    shop.sandbox.faults.set({
      rules: [
        { on: 'create', kind },
        { on: 'list', kind },
      ],
    })
    const buyer = createBuyer(shop)
    assert.equal((await buyer.open(shop.mug)).statusCode, 503)
    await shop.db.update(checkouts).set({ nextCheckAt: sql`now()` })
    await sweep(shop.settling)
    assert.equal((await getOnlyCheckout(shop)).sumupCheckoutId, null)
    assert.equal((await buyer.open(shop.mug)).statusCode, 503)
  })
}

test('two tabs and a double click that ask at once share one request to SumUp', async () => {
  const { settling, mug, ...shop } = await openSaleShop()
  await createBuyer(shop).arrive(mug)
  const read = await findSale(shop.db, (await getOnlyCheckout(shop)).id)
  assert.ok(read)
  let requests = 0
  const sumup = {
    ...settling.sumup,
    findCheckout: (id: string) => {
      requests += 1
      return settling.sumup.findCheckout(id)
    },
  }
  const settleShared = shareSettling(() => ({ ...settling, sumup }))
  const settled = await Promise.all([1, 2, 3].map(() => settleShared(read)))
  assert.equal(new Set(settled).size, 1)
  assert.equal(requests, 1)
  await settleShared(read)
  assert.ok(requests > 1, 'a later one asks again')
})

test('while a sale waits, its page is told whether SumUp has a payment for it', async () => {
  const shop = await openSaleShop()
  const buyer = createBuyer(shop)
  const checkoutId = await buyer.arrive(shop.mug)
  const look = async () => (await buyer.look(checkoutId)).json()
  const noCard = { state: 'waiting', reason: 'no-card' }
  assert.deepEqual(await look(), noCard)

  await payByCard(shop.sandbox, checkoutId, badCard)
  assert.deepEqual(await look(), { state: 'declined' })
  shop.sandbox.faults.set({ rules: [{ on: 'get', kind: 'error-500' }] })
  assert.equal((await buyer.open(shop.mug)).json().code, 'payments-away', 'no card is under way')
  shop.sandbox.faults.clear()
  await buyer.saveDetails(checkoutId)
  assert.deepEqual(await look(), noCard, 'an old decline')

  shop.sandbox.faults.set({ rules: [{ on: 'get', kind: 'error-500' }] })
  assert.deepEqual(await look(), { state: 'waiting', reason: 'unreachable' })
  // A new tab follows the card that may be charged, too.
  const { code, checkoutId: followed } = (await buyer.open(shop.mug)).json()
  assert.deepEqual([code, followed], ['card-under-way', checkoutId])
  shop.sandbox.faults.clear()
  await payByCard(shop.sandbox, checkoutId, challengedCard)
  assert.deepEqual(await look(), { state: 'at-bank' })
})

test('a browser that polls too often gets 429, others do not', async () => {
  const shop = await openSaleShop()
  const [pushy, calm] = [createBuyer(shop), createBuyer(shop)]
  const checkoutId = await pushy.arrive(shop.mug)
  const own = await calm.arrive(shop.mug)
  const statuses = []
  for (let time = 0; time < 61; time += 1) statuses.push((await pushy.look(checkoutId)).statusCode)
  assert.equal(statuses.at(-1), 429)
  assert.equal((await calm.look(own)).statusCode, 200)
})

test('a price with cents is refused in a currency without cents, not rounded', async () => {
  const shop = await openTestShop({ environment: { PAYMENT_CURRENCY: 'CLP' } })
  const answer = await createBuyer(shop).open(await addMug(shop, '10.50'), '10.50', 'CLP')
  assert.equal(answer.statusCode, 409)
  assert.match(answer.json().message, /no cents/)
  assert.deepEqual(await shop.db.select().from(checkouts), [])
})

test('a buyer who comes back keeps their cookie for another month', async () => {
  const shop = await openSaleShop()
  const buyer = createBuyer(shop)
  const [first] = (await buyer.open(shop.mug)).cookies
  const [second] = (await buyer.open(shop.mug)).cookies
  assert.equal(second?.value, first?.value)
  assert.equal(second?.maxAge, 30 * 86_400)
})
