import assert from 'node:assert/strict'
import { test } from 'node:test'
import { apiRoutes, pathOf } from '#contract/paths.ts'
import { createBuyer, delivery } from '#server/testing/buyer.ts'
import { openSaleShop } from '#server/testing/sale.ts'
import { formatBuyerToken } from './buyer.ts'

const shop = await openSaleShop()

test('a buyer is known only by a cookie that this shop issued', async () => {
  const token = 'a'.repeat(22)
  for (const planted of [
    token,
    `${token}.`,
    `${token}.${'b'.repeat(22)}`,
    formatBuyerToken(token, 'another secret'),
    `${formatBuyerToken(token, shop.shop.secret, '').slice(0, -2)}.1`,
  ]) {
    const headers = { cookie: `till_buyer=${planted}` }
    const payload = { productId: shop.mug, amount: '49.00', currency: 'EUR' }
    const opened = await shop.app.inject({
      method: 'POST',
      url: apiRoutes.createCheckout,
      headers,
      payload,
    })
    assert.equal(opened.statusCode, 200)
    assert.ok(!opened.cookies[0]?.value.startsWith(token), `${planted} was adopted`)
    const url = pathOf(apiRoutes.checkoutDetails, { checkoutId: opened.json().checkoutId })
    const details = await shop.app.inject({ method: 'PUT', url, headers, payload: delivery })
    assert.equal(details.statusCode, 404, 'whoever planted the cookie reaches the sale')
  }
})

test('the cookie that was issued is recognized and renewed', async () => {
  const buyer = createBuyer(shop)
  const first = await buyer.open(shop.mug)
  const second = await buyer.open(shop.mug)
  assert.equal(second.json().checkoutId, first.json().checkoutId)
  assert.equal(second.cookies[0]?.value, first.cookies[0]?.value)
})
