import assert from 'node:assert/strict'
import { test } from 'node:test'
import { apiRoutes } from '#contract/paths.ts'
import { orders } from '#server/db/schema.ts'
import { createBuyer, payByCard } from '#server/testing/buyer.ts'
import { act, compareTomorrow } from '#server/testing/money.ts'
import { getOnlyCheckout, listReview, openSaleShop, sendWebhook, type SaleShop } from '#server/testing/sale.ts'

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
  assert.deepEqual(paid?.refunds.map(({ amountMinor }) => amountMinor), [4900])
  const [left] = await listReview(shop)
  assert.partialDeepStrictEqual(left, { refundedAmount: '49.00', canOrder: false, canRefund: false })
  assert.equal((await act(shop, apiRoutes.reviewDismiss, id, { note: 'x' })).statusCode, 204)
  assert.deepEqual(await listReview(shop), [])
  assert.deepEqual(await shop.db.select().from(orders), [])
})
