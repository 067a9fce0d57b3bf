import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '#server/db/drizzle.ts'
import { createBuyer, payByCard } from '#server/testing/buyer.ts'
import { getOnlyCheckout, openSaleShop, sweepAll } from '#server/testing/sale.ts'
import { decideWebhook } from '#server/payments/flow.ts'
import { findBySumupId } from './record-rows.ts'
import { changeSaleNow, settle } from './settle.ts'
import { removeTestData } from './test-data.ts'

const shop = await openSaleShop()

test('an event during the creation of the order is answered with that order', async () => {
  const anna = createBuyer(shop)
  const checkoutId = await anna.arrive(shop.mug)
  const before = await findBySumupId(shop.db, checkoutId)
  assert.ok(before)
  await payByCard(shop.sandbox, checkoutId)
  await sweepAll(shop)
  const { record } = await changeSaleNow(shop.settling, before, (loaded) =>
    decideWebhook(loaded.record, loaded.now),
  )
  assert.equal((await getOnlyCheckout(shop)).state, 'paid')
  const { status, isNew } = await settle(shop.settling, before)
  assert.deepEqual([status, isNew], [{ state: 'paid', orderId: record.order?.id }, false])
})

test('a paid test that is removed while it is read is missing, not an error', async () => {
  const own = await openSaleShop()
  const anna = createBuyer(own)
  const checkoutId = await anna.arrive(own.mug)
  await payByCard(own.sandbox, checkoutId)
  await sweepAll(own)
  const paid = await findBySumupId(own.db, checkoutId)
  assert.ok(paid?.record.sale.state === 'paid')
  await removeTestData(own.db, async () => {})
  await assert.rejects(settle(own.settling, paid), { code: 'payment-missing' })
})

/** Two forms of one browser, as two tabs get them that ask two nodes at the same moment. */
async function openTwoForms(ip: string) {
  const anna = createBuyer(shop, ip)
  const { checkoutId: first } = (await anna.open(shop.mug)).json()
  const setState = (state: string) =>
    sql`update checkouts set state = ${state} where sumup_checkout_id = ${first}`
  await shop.db.execute(setState('closed'))
  const { checkoutId: second } = (await anna.open(shop.mug)).json()
  await shop.db.execute(setState('open'))
  assert.notEqual(first, second)
  return { anna, first, second }
}

test('a second tab waits while the card of the first is under way', async () => {
  const { anna, first, second } = await openTwoForms('203.0.113.2')
  assert.equal((await anna.saveDetails(first)).statusCode, 204)
  const refused = await anna.saveDetails(second)
  assert.deepEqual([refused.statusCode, refused.json().code], [409, 'card-under-way'])
})

test('a card without details is checked on, even beside the card of another tab', async () => {
  const { anna, first, second } = await openTwoForms('203.0.113.3')
  await anna.saveDetails(first)
  await payByCard(shop.sandbox, second, '4200000000000042')
  assert.deepEqual((await anna.look(second)).json(), { state: 'at-bank' })
  const watched = await findBySumupId(shop.db, second)
  assert.equal(watched?.record.payments[0]?.status, 'pending')
  assert.ok(watched.record.sale.nextCheckAt)
})

test('a browser with a payment in review gets no form, whatever else it has open', async () => {
  const { anna, first, second } = await openTwoForms('203.0.113.4')
  await payByCard(shop.sandbox, first)
  assert.equal((await anna.look(first)).json().state, 'review')
  await anna.saveDetails(second)
  const refused = await anna.open(shop.mug)
  assert.deepEqual([refused.statusCode, refused.json().code], [409, 'payment-in-review'])
})
