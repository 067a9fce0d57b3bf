import assert from 'node:assert/strict'
import { test } from 'node:test'
import { apiRoutes, pathOf, thankYouPath } from '#contract/paths.ts'
import { sql } from '#server/db/drizzle.ts'
import { checkouts, orders } from '#server/db/schema.ts'
import { readWebFiles } from '#server/http/web-files.ts'
import { createBuyer, payByCard } from '#server/testing/buyer.ts'
import { addOrders, addPayment, pickupTerms } from '#server/testing/orders.ts'
import { openSaleShop, sweepAll } from '#server/testing/sale.ts'
import { openTestShop } from '#server/testing/test-shop.ts'

const { app, db, signIn } = await openTestShop({
  environment: { PUBLIC_URL: 'http://shop.example', CUSTOM_DOMAIN: 'pay.example.com' },
})
const { cookie } = await signIn()
const shipment = {
  carrier: 'ups',
  trackingNumber: '1Z999AA10123456784',
  trackingUrl: 'https://www.ups.com/track?tracknum=1Z999AA10123456784',
} as const
const [order] = await addOrders(db, [{ status: 'shipped', shipment }])
const url = pathOf(apiRoutes.order, { id: order?.id ?? '' })
const read = async (headers: Record<string, string>) => {
  const answer = await app.inject({ url, headers })
  assert.equal(answer.statusCode, 200)
  assert.equal(answer.headers['cache-control'], 'no-store')
  return answer.json()
}

test('an admin who knows an order’s number sees all of it', async () => {
  const shown = await read({ cookie })
  assert.partialDeepStrictEqual(shown, {
    id: order?.id,
    isOwn: true,
    customerEmail: 'anna@example.com',
    sumupTransactionId: order?.sumupTransactionId,
    maybeDuplicateOf: null,
    shipment,
  })
})

test('everyone else sees little: strangers, forgers, other sites and the payment page', async () => {
  const strangers: Record<string, string>[] = [
    {},
    { cookie: 'till_session=forged' },
    { cookie, 'sec-fetch-site': 'cross-site' },
    { cookie, 'sec-fetch-site': 'same-site' },
    { cookie, origin: 'https://evil.example' },
    { cookie, origin: 'https://pay.example.com' },
    { cookie, host: 'pay.example.com' },
  ]
  for (const headers of strangers) {
    const shown = await read(headers)
    assert.equal(shown.isOwn, false, JSON.stringify(headers))
    assert.equal(shown.customerEmail, 'a•••@e•••.com')
    for (const secret of ['customerName', 'sumupTransactionId', 'billingAddress', 'shipment'])
      assert.equal(secret in shown, false)
  }
  assert.equal((await read({ cookie, 'sec-fetch-site': 'same-origin' })).isOwn, true)
})

test('what went back of an order’s payment is shown with its amount, to everyone who sees the order', async () => {
  const returned = ({ refundedAmount, chargedBackAmount }: Record<string, string>) => [
    refundedAmount,
    chargedBackAmount,
  ]
  assert.deepEqual(returned(await read({})), ['0.00', '0.00'], 'it has no payment here')
  await addPayment(db, order, { refunded: '5.00', chargedBack: '10.00' })
  for (const headers of [{}, { cookie }] as Record<string, string>[])
    assert.deepEqual(returned(await read(headers)), ['5.00', '10.00'])
  const listed = await app.inject({ url: apiRoutes.orders, headers: { cookie } })
  assert.deepEqual(returned(listed.json()[0]), ['5.00', '10.00'])
})

test('an order is listed once, even if two accounts knew a payment by the same id', async () => {
  await addPayment(db, order, { merchantCode: 'M2' })
  const listed = await app.inject({ url: apiRoutes.orders, headers: { cookie } })
  assert.equal(listed.json().length, 1)
})

test('the thank-you page shows an admin all of the order, except on the payment domain', async () => {
  const web = await readWebFiles()
  for (const customDomain of [undefined, 'pay.example.com']) {
    const shop = await openTestShop({
      web,
      environment: {
        PUBLIC_URL: 'http://shop.example',
        ...(customDomain && { CUSTOM_DOMAIN: customDomain }),
      },
    })
    const [sold] = await addOrders(shop.db, [{}])
    const host = customDomain ?? 'shop.example'
    const look = async (headers: object) => {
      const page = thankYouPath(sold?.id ?? '')
      const { statusCode, body } = await shop.app.inject({
        url: page,
        headers: { host, ...headers },
      })
      assert.equal(statusCode, 200)
      return body.includes('Lange Straße 12')
    }
    const admin = await shop.signIn()
    assert.equal(await look({ cookie: admin.cookie }), customDomain === undefined)
    assert.equal(await look({}), false)
  }
})

test('an admin’s look does not count as the buyer’s', async () => {
  const shop = await openSaleShop({ web: await readWebFiles() })
  const buyer = createBuyer(shop)
  const checkoutId = await buyer.arrive(shop.mug)
  await payByCard(shop.sandbox, checkoutId)
  await sweepAll(shop)
  const [sold] = await shop.db.select().from(orders)
  await shop.app.inject({ url: thankYouPath(sold?.id ?? ''), headers: await shop.signIn() })
  const [sale] = await shop.db.select().from(checkouts)
  assert.equal(sale?.thankedAt, null)
})

test('a discount code is not told to strangers', async () => {
  const terms = { ...pickupTerms, discount: '4.90', code: 'FORANNA' }
  const [sold] = await addOrders(db, [{ terms }])
  const codeFor = async (headers: Record<string, string>) => {
    const path = pathOf(apiRoutes.order, { id: sold?.id ?? '' })
    return (await app.inject({ url: path, headers })).json().terms.code
  }
  assert.equal(await codeFor({}), null)
  assert.equal(await codeFor({ cookie }), 'FORANNA')
})

test('an admin whose session has ended is a stranger', async () => {
  await db.execute(sql`update sessions set expire = now()`)
  assert.equal((await read({ cookie })).isOwn, false)
})

test('an order that is not there is not there for admins either', async () => {
  const headers = await signIn()
  for (const id of ['00000000-0000-4000-8000-000000000000', 'x']) {
    const answer = await app.inject({ url: pathOf(apiRoutes.order, { id }), headers })
    assert.equal(answer.statusCode, 404)
    assert.equal(answer.json().message, 'Order not found')
  }
})
