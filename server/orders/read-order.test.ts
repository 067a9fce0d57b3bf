import assert from 'node:assert/strict'
import { test } from 'node:test'
import { apiRoutes, pathOf } from '#contract/paths.ts'
import { sql } from '#server/db/drizzle.ts'
import { addOrders } from '#server/testing/orders.ts'
import { openTestShop } from '#server/testing/test-shop.ts'

const { app, db, signIn } = await openTestShop({
  environment: { PUBLIC_URL: 'http://shop.example', CUSTOM_DOMAIN: 'pay.example.com' },
})
const { cookie } = await signIn()
const [order] = await addOrders(db, [{}])
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
    for (const secret of ['customerName', 'sumupTransactionId', 'billingAddress'])
      assert.equal(secret in shown, false)
  }
  assert.equal((await read({ cookie, 'sec-fetch-site': 'same-origin' })).isOwn, true)
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
