import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '#server/db/drizzle.ts'
import { buy } from '#server/testing/visitors.ts'
import { addMug } from '#server/testing/buyer.ts'
import { openTestShop } from '#server/testing/test-shop.ts'
import { findWrongAnalytics } from './history.ts'

test('an order whose completion is not told is found', async () => {
  const shop = await openTestShop()
  const { orderId } = await buy(shop, await addMug(shop))
  assert.deepEqual(await findWrongAnalytics(shop.db), [])
  await shop.db.execute(sql`update analytics_events set event_type = 'thank_you_view'
    where event_type = 'checkout_complete'`)
  assert.deepEqual(await findWrongAnalytics(shop.db), [`order ${orderId}`])
})
