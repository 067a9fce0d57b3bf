import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LinkActivity, LinkHealth } from '#contract/link-health.ts'
import { apiRoutes, pathOf } from '#contract/paths.ts'
import { productSchema } from '#contract/products.ts'
import { createProduct, setPaused } from '#server/catalog/products.ts'
import { createBuyer, payByCard } from '#server/testing/buyer.ts'
import { openSaleShop } from '#server/testing/sale.ts'

const shop = await openSaleShop({ environment: { PAYMENT_CURRENCY: 'product' } })
const headers = await shop.signIn()
const read = async (): Promise<LinkHealth> =>
  (await shop.app.inject({ url: apiRoutes.linkHealth, headers })).json()
const activity = async (id: string): Promise<LinkActivity> =>
  (await shop.app.inject({ url: pathOf(apiRoutes.linkActivity, { id }), headers })).json()

test('a link is healthy, unless its price cannot be charged or it is paused', async () => {
  const healthy = await read()
  assert.deepEqual(healthy.products[shop.mug], [
    { name: 'Price', status: 'ok', text: 'Buyers are charged €49.00.' },
  ])
  const content = productSchema.parse({
    name: 'Poncho',
    price: '10.50',
    currency: 'CLP',
    headerLogoUrl: 'https://example.com/logo.png',
  })
  const { id } = await createProduct(shop.db, content, 'admin')
  await setPaused(shop.db, id, true)
  const statuses = (await read()).products[id]?.map(({ name, status }) => [name, status])
  assert.deepEqual(statuses, [
    ['Price', 'fail'],
    ['Sale', 'warn'],
  ])
})

test('a link tells when it was last visited and last bought', async () => {
  assert.deepEqual(await activity(shop.mug), { lastVisitAt: null, lastSaleAt: null })
  const buyer = createBuyer(shop)
  const checkoutId = await buyer.arrive(shop.mug)
  await payByCard(shop.sandbox, checkoutId)
  const order = await buyer.order(checkoutId)
  assert.equal(order.statusCode, 201)
  assert.equal((await activity(shop.mug)).lastSaleAt, order.json().createdAt)
})
