import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { apiRoutes, pathOf } from '#contract/paths.ts'
import { refunds } from '#server/db/payment-schema.ts'
import { createBuyer, payByCard } from '#server/testing/buyer.ts'
import { buyOne, readRefunds, refundOne, refundsAtSumup } from '#server/testing/order-refunds.ts'
import { listReview, openSaleShop, sendWebhook, type SaleShop } from '#server/testing/sale.ts'
import { testAdmin } from '#server/testing/test-shop.ts'

/** A shop that asks for the password above 30.00 in an hour. */
async function openStrictShop(): Promise<SaleShop> {
  const shop = await openSaleShop()
  const values = { merchantCode: null, currency: 'EUR', refundPasswordAbove: 30 }
  const saved = await shop.app.inject({
    method: 'PUT',
    url: pathOf(apiRoutes.settingsSection, { section: 'sumup' }),
    headers: await shop.signIn(),
    payload: { version: 0, values, password: testAdmin.password },
  })
  assert.equal(saved.statusCode, 200, saved.body)
  return shop
}

test('above the limit of the shop an admin gives the password, however many refunds it takes', async () => {
  const shop = await openStrictShop()
  const { id } = await buyOne(shop)
  assert.equal((await refundOne(shop, id, { amount: '30.01' })).code, 'refund-password-needed')
  assert.equal((await refundOne(shop, id, { amount: '20.00' })).state, 'done')
  assert.equal((await readRefunds(shop, id)).freeAmount, '10.00')
  assert.equal((await refundOne(shop, id, { amount: '20.00' })).code, 'refund-password-needed')
  const wrong = await refundOne(shop, id, { amount: '20.00', password: 'wrong' })
  assert.deepEqual([wrong.status, wrong.code], [403, 'wrong-password'])
  const proven = await refundOne(shop, id, { amount: '20.00', password: testAdmin.password })
  assert.equal(proven.state, 'done')
  assert.deepEqual(refundsAtSumup(shop), [2000, 2000])
})

test('the limit also holds for refunds at the same moment, and for payments in review', async () => {
  const shop = await openStrictShop()
  const bought = [
    await buyOne(shop),
    await buyOne(shop, '203.0.113.2'),
    await buyOne(shop, '203.0.113.3'),
  ]
  const answers = await Promise.all(
    bought.map(({ id }) => refundOne(shop, id, { amount: '20.00' })),
  )
  assert.deepEqual(answers.map(({ state, code }) => String(state ?? code)).toSorted(), [
    'done',
    'refund-password-needed',
    'refund-password-needed',
  ])

  const buyer = createBuyer(shop, '203.0.113.4')
  const { checkoutId } = (await buyer.open(shop.mug)).json()
  await payByCard(shop.sandbox, checkoutId)
  await sendWebhook(shop, checkoutId)
  const [entry] = await listReview(shop)
  const refundEntry = async (more: object = {}) =>
    shop.app.inject({
      method: 'POST',
      url: pathOf(apiRoutes.reviewRefund, { id: entry?.id ?? '' }),
      headers: await shop.signIn(),
      payload: { version: entry?.version, ...more },
    })
  assert.equal((await refundEntry()).json().code, 'refund-password-needed')
  assert.equal((await refundEntry({ password: testAdmin.password })).statusCode, 204)
})

test('what was refunded in another currency, or by another admin, leaves the limit as it is', async () => {
  const shop = await openStrictShop()
  const { id } = await buyOne(shop)
  assert.equal((await refundOne(shop, id, { amount: '20.00' })).state, 'done')
  await shop.db.update(refunds).set({ currency: 'HUF' })
  assert.equal((await readRefunds(shop, id)).freeAmount, '30.00')
  await shop.db.update(refunds).set({ currency: 'EUR', askedBy: randomUUID() })
  assert.equal((await readRefunds(shop, id)).freeAmount, '30.00')
})
