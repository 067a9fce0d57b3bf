import assert from 'node:assert/strict'
import { test } from 'node:test'
import { apiRoutes } from '#contract/paths.ts'
import type { FaultPlan } from '#sandbox/faults.ts'
import { eq, sql } from '#server/db/drizzle.ts'
import { checkouts, orders } from '#server/db/schema.ts'
import { createBuyer, payByCard } from '#server/testing/buyer.ts'
import { deleteUnpaidDetails } from '#server/privacy/retention.ts'
import { sweep } from './sales.ts'
import { getOnlyCheckout, openSaleShop, sweepAll } from '#server/testing/sale.ts'

type Rules = NonNullable<FaultPlan['rules']>

const createFaults: [string, Rules][] = [
  ['a fault before it was made', [{ on: 'create', kind: 'error-500', count: 1 }]],
  ['a page of a proxy', [{ on: 'create', kind: 'html-502', count: 1 }]],
  ['made, and the answer lost', [{ on: 'create', kind: 'lost', count: 1 }]],
  ['made, and half an answer', [{ on: 'create', kind: 'truncated', count: 1 }]],
  ['made, answered as a page', [{ on: 'create', kind: 'html', count: 1 }]],
  ['too many requests', [{ on: 'create', kind: 'too-many-requests', count: 1 }]],
  [
    'lost, and the first look-up fails too',
    [
      { on: 'create', kind: 'lost', count: 1 },
      { on: 'list', kind: 'error-500', count: 1 },
    ],
  ],
]

for (const [what, rules] of createFaults) {
  test(`when SumUp fails while creating a checkout (${what}) the buyer still gets exactly one`, async () => {
    const shop = await openSaleShop()
    shop.sandbox.faults.set({ rules })
    const answer = await createBuyer(shop).open(shop.mug)
    assert.equal(answer.statusCode, 200)
    const row = await getOnlyCheckout(shop)
    assert.equal(row.sumupCheckoutId, answer.json().checkoutId)
    assert.equal(shop.sandbox.ledger().checkouts.length, 1, 'SumUp has a second one')
  })
}

test('when SumUp is down the buyer gets a clear message and can retry the same sale', async () => {
  const shop = await openSaleShop()
  shop.sandbox.faults.set({ rules: [{ on: '*', kind: 'error-500' }] })
  const buyer = createBuyer(shop)
  const answer = await buyer.open(shop.mug)
  assert.equal(answer.statusCode, 503)
  assert.match(answer.json().message, /not available right now/)
  shop.sandbox.faults.clear()
  assert.equal((await buyer.open(shop.mug)).statusCode, 200)
  await getOnlyCheckout(shop)
})

const readFaults: Rules[number]['kind'][] = [
  'error-500',
  'html-502',
  'too-many-requests',
  'truncated',
  'reset',
]

for (const kind of readFaults) {
  test(`while SumUp’s answers are unreadable (${kind}) a payment waits and is not lost`, async () => {
    const shop = await openSaleShop()
    const buyer = createBuyer(shop)
    const checkoutId = await buyer.arrive(shop.mug)
    await payByCard(shop.sandbox, checkoutId)
    const rule = { on: 'get', kind, count: 2, retryAfterSeconds: 0 }
    shop.sandbox.faults.set({ rules: [rule as Rules[number]] })
    assert.equal((await buyer.order(checkoutId)).statusCode, 202)
    await sweepAll(shop)
    assert.equal((await shop.db.select().from(orders)).length, 0)
    await sweepAll(shop)
    assert.equal((await shop.db.select().from(orders)).length, 1)
    assert.equal((await buyer.order(checkoutId)).statusCode, 200)
  })
}

test('success in the widget but failed at SumUp is declined, without an order', async () => {
  const shop = await openSaleShop()
  const buyer = createBuyer(shop)
  const checkoutId = await buyer.arrive(shop.mug)
  shop.sandbox.faults.set({ rules: [{ on: 'process', kind: 'declined', count: 1 }] })
  await payByCard(shop.sandbox, checkoutId)
  assert.equal((await buyer.order(checkoutId)).statusCode, 402)
})

test('a charged card whose answer was lost becomes an order', async () => {
  const shop = await openSaleShop()
  const buyer = createBuyer(shop)
  const checkoutId = await buyer.arrive(shop.mug)
  shop.sandbox.faults.set({ rules: [{ on: 'process', kind: 'lost', count: 1 }] })
  await assert.rejects(payByCard(shop.sandbox, checkoutId))
  assert.equal((await buyer.look(checkoutId)).json().state, 'paid')
})

test('details of a visitor who did not buy are deleted after a month', async () => {
  const shop = await openSaleShop()
  await createBuyer(shop).arrive(shop.mug)
  await deleteUnpaidDetails(shop.db, 30)
  assert.ok((await getOnlyCheckout(shop)).details, 'an open sale was forgotten')
  await shop.db
    .update(checkouts)
    .set({ state: 'closed', nextCheckAt: null, validUntil: sql`now() - interval '31 days'` })
  await deleteUnpaidDetails(shop.db, 30)
  assert.equal((await getOnlyCheckout(shop)).details, null)
})

test('a webhook for an unknown id causes no request to SumUp', async () => {
  const shop = await openSaleShop()
  shop.sandbox.faults.set({ rules: [{ on: 'get', kind: 'error-500' }] })
  for (const id of ['00000000-0000-4000-8000-000000000000', 'x', '../../v0.1/me']) {
    const told = { event_type: 'CHECKOUT_STATUS_CHANGED', id }
    assert.equal(
      (await createBuyer(shop).call('POST', apiRoutes.paymentWebhook, told)).statusCode,
      404,
    )
  }
})

test('an expired checkout is closed, and one that was paid anyway still becomes an order', async () => {
  const shop = await openSaleShop()
  const buyer = createBuyer(shop)
  const checkoutId = await buyer.arrive(shop.mug)
  await shop.db
    .update(checkouts)
    .set({ state: 'closed', nextCheckAt: null })
    .where(eq(checkouts.sumupCheckoutId, checkoutId))
  assert.equal((await buyer.saveDetails(checkoutId)).statusCode, 410)
  await payByCard(shop.sandbox, checkoutId)
  await buyer.call('POST', apiRoutes.paymentWebhook, {
    event_type: 'CHECKOUT_STATUS_CHANGED',
    id: checkoutId,
  })
  await sweep(shop.settling)
  assert.equal((await shop.db.select().from(orders)).length, 1)
})
