import assert from 'node:assert/strict'
import { test } from 'node:test'
import { apiRoutes } from '#contract/paths.ts'
import { sql } from '#server/db/drizzle.ts'
import { checkouts } from '#server/db/schema.ts'
import { createBuyer } from '#server/testing/buyer.ts'
import { getOnlyCheckout, openSaleShop, type SaleShop } from '#server/testing/sale.ts'

async function openWithWebhook() {
  const shop = await openSaleShop({ webhookUrl: `http://127.0.0.1:1${apiRoutes.paymentWebhook}` })
  const checkoutId = await createBuyer(shop).arrive(shop.mug)
  const { returnUrl = '' } = shop.sandbox.ledger().checkouts[0] ?? {}
  const { pathname, search } = new URL(returnUrl)
  return { shop, checkoutId, address: pathname + search }
}

async function tell({ app }: SaleShop, url: string, id: string): Promise<number> {
  const payload = { event_type: 'CHECKOUT_STATUS_CHANGED', id }
  return (await app.inject({ method: 'POST', url, payload })).statusCode
}

test('only a webhook URL with a valid signature makes us ask SumUp', async () => {
  const { shop, checkoutId, address } = await openWithWebhook()
  await shop.db.update(checkouts).set({ nextCheckAt: sql`now() + interval '1 day'` })
  for (const url of [apiRoutes.paymentWebhook, `${apiRoutes.paymentWebhook}?key=x`, `${address}x`])
    assert.equal(await tell(shop, url, checkoutId), 404)
  assert.ok(((await getOnlyCheckout(shop)).nextCheckAt ?? new Date(0)) > new Date())
  assert.equal(await tell(shop, address, checkoutId), 204)
  const row = await getOnlyCheckout(shop)
  assert.ok((row.nextCheckAt ?? new Date(9e15)) <= new Date(), 'the sale is not due')
})

test('the webhook URL of one sale is not valid for another', async () => {
  const { shop, address } = await openWithWebhook()
  const other = await createBuyer(shop).arrive(shop.mug)
  assert.equal(await tell(shop, address, other), 404)
})

test('too many webhooks for one sale are refused with 429', async () => {
  const { shop, checkoutId, address } = await openWithWebhook()
  const answers = []
  for (let time = 0; time < 21; time += 1) answers.push(await tell(shop, address, checkoutId))
  assert.deepEqual(answers.slice(-2), [204, 429])
})
