import assert from 'node:assert/strict'
import { test } from 'node:test'
import { apiRoutes, pathOf } from '#contract/paths.ts'
import { createBuyer, delivery } from '#server/testing/buyer.ts'
import { openSaleShop } from '#server/testing/sale.ts'

const shop = await openSaleShop({ environment: { CUSTOM_DOMAIN: 'https://pay.example.com' } })
const checkoutId = (await createBuyer(shop).open(shop.mug)).json().checkoutId

/** A buyer with an open checkout, whose further calls carry these headers as well. */
async function buyerWith(headers: Record<string, string>) {
  const extra: Record<string, string> = {}
  const buyer = createBuyer(shop, undefined, extra)
  const opened: string = (await buyer.open(shop.mug)).json().checkoutId
  Object.assign(extra, headers)
  return { buyer, opened }
}

test('a page of another site can neither start, change, read nor finish a sale', async () => {
  for (const headers of [
    { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' },
    { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' },
    { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' },
    { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'cors' },
    { 'sec-fetch-site': 'cross-site' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
  ]) {
    const { buyer, opened } = await buyerWith(headers)
    const answers = [
      await buyer.open(shop.mug),
      await buyer.saveDetails(opened, delivery),
      await buyer.look(opened),
      await buyer.order(opened),
    ]
    for (const answer of answers) assert.equal(answer.statusCode, 403, JSON.stringify(headers))
  }
})

test('HEAD reveals no more to a page of another site than GET', async () => {
  const answer = await shop.app.inject({
    method: 'HEAD',
    url: pathOf(apiRoutes.checkout, { checkoutId }),
    headers: { 'sec-fetch-site': 'cross-site' },
  })
  assert.equal(answer.statusCode, 403)
})

test('our own pages, links between our own domains, old browsers and programs can read a sale’s status', async () => {
  for (const headers of [
    { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' },
    { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' },
    { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'navigate' },
    { origin: 'http://localhost:3000', host: 'localhost:3000' },
    { origin: 'https://pay.example.com' },
    {},
  ]) {
    const { buyer, opened } = await buyerWith(headers)
    const answer = await buyer.look(opened)
    assert.equal(answer.statusCode, 200, JSON.stringify(headers))
    assert.equal(answer.json().state, 'open')
  }
})
