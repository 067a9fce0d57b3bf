import assert from 'node:assert/strict'
import { test } from 'node:test'
import { apiRoutes, pathOf } from '#contract/paths.ts'
import { eq } from '#server/db/drizzle.ts'
import { auditLog } from '#server/db/admin-schema.ts'
import { orders, products } from '#server/db/schema.ts'
import { createBuyer } from '#server/testing/buyer.ts'
import { passTime } from '#server/testing/money.ts'
import { buyOne, readRefunds, refundOne, refundsAtSumup } from '#server/testing/order-refunds.ts'
import { ownLogo } from '#server/testing/orders.ts'
import { openSaleShop, sweepAll, type SaleShop } from '#server/testing/sale.ts'

/** Pieces of refunded orders that can be sold again. */

async function count({ app, mug, signIn }: SaleShop, stock: number) {
  const payload = { name: 'Mug', price: '49.00', headerLogoUrl: ownLogo, stock }
  const url = pathOf(apiRoutes.product, { id: mug })
  const answer = await app.inject({ method: 'PUT', url, headers: await signIn(), payload })
  assert.equal(answer.statusCode, 200, answer.body)
}

async function openCountedShop(stock: number): Promise<SaleShop> {
  const shop = await openSaleShop()
  await count(shop, stock)
  return shop
}

async function readLeft({ app, mug, signIn }: SaleShop): Promise<number> {
  const url = pathOf(apiRoutes.product, { id: mug })
  return (await app.inject({ url, headers: await signIn() })).json().left
}

const back = { isBackInStock: true }

test('a piece comes back only with a refund of all that is left, and once', async () => {
  const shop = await openCountedShop(1)
  const { id } = await buyOne(shop)
  for (const amount of ['20.00', '20.00', '48.99']) {
    const part = await refundOne(shop, id, { amount, ...back })
    assert.deepEqual([part.status, part.code], [400, 'bad-request'])
  }
  assert.deepEqual(refundsAtSumup(shop), [], 'nothing was asked for')
  assert.equal(await readLeft(shop), 0)
  assert.equal((await refundOne(shop, id, { amount: '20.00' })).state, 'done')
  assert.equal(await readLeft(shop), 0)
  assert.equal((await refundOne(shop, id, { amount: '29.00', ...back })).state, 'done')
  assert.equal(await readLeft(shop), 1)
  const { subject, action } = auditLog
  const audited = await shop.db.select({ action }).from(auditLog).where(eq(subject, shop.mug))
  assert.equal(audited.filter((entry) => entry.action === 'product-changed').length, 2)
})

test('a piece comes back once, also if a lost refund is asked for again', async () => {
  const shop = await openCountedShop(1)
  const { id } = await buyOne(shop)
  shop.sandbox.faults.set({ rules: [{ on: 'refund', kind: 'error-500', count: 1 }] })
  assert.equal((await refundOne(shop, id, back)).state, 'unknown')
  assert.equal(await readLeft(shop), 1)
  assert.ok(!('hasPiece' in (await readRefunds(shop, id))), 'it is back')
  await passTime(shop, '2 hours')
  assert.equal((await refundOne(shop, id, back)).state, 'done')
  assert.equal(await readLeft(shop), 1)
})

test('a piece whose refund fails is not back', async () => {
  const shop = await openCountedShop(1)
  const { id } = await buyOne(shop)
  shop.sandbox.faults.set({ rules: [{ on: 'refund', kind: 'refund-failed', count: 1 }] })
  assert.equal((await refundOne(shop, id, back)).state, 'failed')
  assert.equal(await readLeft(shop), 0)
  const [order] = await shop.db.select().from(orders)
  assert.deepEqual([order?.isPieceReturned, order?.isOversold], [false, false])
  assert.equal((await refundOne(shop, id, back)).state, 'done')
  assert.equal(await readLeft(shop), 1)
})

test('an order is oversold if its refund fails after its piece was sold again', async () => {
  const shop = await openCountedShop(1)
  const { id } = await buyOne(shop)
  shop.sandbox.faults.set({ rules: [{ on: 'refund', kind: 'refund-pending', count: 1 }] })
  assert.equal((await refundOne(shop, id, back)).state, 'pending')
  const next = await buyOne(shop, '203.0.113.2')
  const [first] = await shop.db.select().from(orders).where(eq(orders.id, id))
  const payment = first?.sumupTransactionId ?? ''
  shop.sandbox.controls.endRefund({ payment, outcome: 'failed' })
  await sweepAll(shop)
  const rows = await shop.db.select().from(orders)
  const isOversold = (orderId: string) => rows.find((row) => row.id === orderId)?.isOversold
  assert.deepEqual([isOversold(id), isOversold(next.id)], [true, false])
  assert.equal(await readLeft(shop), 0)
})

test('an order of before the owner counted brings no piece back: the owner counts it', async () => {
  const shop = await openCountedShop(2)
  const { id } = await buyOne(shop)
  assert.equal((await readRefunds(shop, id)).hasPiece, true)
  await count(shop, 4)
  assert.ok(!('hasPiece' in (await readRefunds(shop, id))))
  assert.equal((await refundOne(shop, id, back)).state, 'done')
  assert.equal(await readLeft(shop), 4)
})

test('a piece that came back before the owner counts is counted once', async () => {
  const shop = await openCountedShop(2)
  const { id } = await buyOne(shop)
  await refundOne(shop, id, back)
  assert.equal(await readLeft(shop), 2)
  await count(shop, 5)
  assert.equal(await readLeft(shop), 5)
  await createBuyer(shop, '203.0.113.2').arrive(shop.mug)
  assert.equal(await readLeft(shop), 4)
  const [row] = await shop.db.select().from(products).where(eq(products.id, shop.mug))
  assert.equal(row?.testStock, 5, 'what the owner said')
})
