import assert from 'node:assert/strict'
import { test } from 'node:test'
import { apiRoutes } from '#contract/paths.ts'
import { checkouts } from '#server/db/schema.ts'
import { createBuyer } from '#server/testing/buyer.ts'
import { openSaleShop } from '#server/testing/sale.ts'
import { findAccountMode } from './find-checkout.ts'

test('an account is what all its sales say it is; if they differ, SumUp has to tell', async () => {
  const shop = await openSaleShop()
  const find = (code = shop.sandbox.merchantCode) => findAccountMode(shop.db, code)
  assert.equal(await find(), undefined, 'no sales')
  await createBuyer(shop).open(shop.mug)
  assert.deepEqual([await find(), await find('MOTHER')], ['test', undefined])
  await shop.db.update(checkouts).set({ isTest: false })
  assert.equal(await find(), 'live')
  await createBuyer(shop).open(shop.mug)
  assert.equal(await find(), undefined)
})

test('a page from before the shop went live, or the other way round, opens no payment', async () => {
  for (const isLive of [undefined, true] as const) {
    const shop = await openSaleShop(isLive ? { isLive } : {})
    const buyer = createBuyer(shop)
    const open = (isTest: unknown) =>
      buyer.call('POST', apiRoutes.createCheckout, {
        productId: shop.mug,
        amount: '49.00',
        currency: 'EUR',
        isTest,
      })
    const refused = await open(isLive === true)
    assert.deepEqual([refused.statusCode, refused.json().code], [409, 'mode-changed'])
    assert.deepEqual(await shop.db.select().from(checkouts), [])
    assert.equal((await open('yes')).statusCode, 400)
    assert.equal((await open(isLive === undefined)).statusCode, 200)
    assert.equal((await open(undefined)).statusCode, 200, 'other clients need not say')
  }
})
