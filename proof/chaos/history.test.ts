import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '#server/db/drizzle.ts'
import { buy } from '#server/testing/visitors.ts'
import { addMug } from '#server/testing/buyer.ts'
import { openTestShop } from '#server/testing/test-shop.ts'
import { keepFigures } from '#server/analytics/kept-figures.ts'
import { findWrongAnalytics } from './history.ts'

test('missing figures, wrong figures and uncounted orders are found', async () => {
  const shop = await openTestShop()
  const { orderId } = await buy(shop, await addMug(shop))
  assert.deepEqual(await findWrongAnalytics(shop.db), ['no figures are kept'])
  await keepFigures(shop.db, 'Europe/Berlin')
  assert.deepEqual(await findWrongAnalytics(shop.db), [])
  await shop.db.execute(sql`update analytics_days set views = views + 1 where kind = 'total'`)
  assert.match((await findWrongAnalytics(shop.db)).join(), /"kind":"total"/)
  await shop.db.execute(sql`update analytics_events set event_type = 'thank_you_view'
    where event_type = 'checkout_complete'`)
  assert.ok((await findWrongAnalytics(shop.db)).includes(`order ${orderId}`))
})
