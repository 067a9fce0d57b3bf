import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { apiRoutes } from '#contract/paths.ts'
import { analyticsEvents, analyticsVisits } from '#server/db/analytics-schema.ts'
import { eq, sql } from '#server/db/drizzle.ts'
import { addMug, createBuyer } from '#server/testing/buyer.ts'
import { openTestShop } from '#server/testing/test-shop.ts'
import { buy, buyerCookie, view } from '#server/testing/visitors.ts'
import { deleteOldVisits } from './events.ts'

const shop = await openTestShop()
const productId = await addMug(shop)
const countViews = () =>
  shop.db.$count(analyticsEvents, eq(analyticsEvents.eventType, 'checkout_view'))

beforeEach(async () => {
  await shop.db.delete(analyticsEvents)
  await shop.db.delete(analyticsVisits)
})

test('a buyer who returns and buys again has two views, not three', async () => {
  const buyer = createBuyer(shop, undefined, { 'user-agent': 'Mozilla/5.0 Firefox/140.0' })
  // From here on the browser has its cookie.
  await buyer.open(productId)
  const viewAndBuy = async () => {
    await buyer.call('POST', apiRoutes.track, { eventType: 'checkout_view', productId })
    await buy(shop, productId, buyer)
  }
  await viewAndBuy()
  await shop.db.execute(sql`update analytics_visits set seen_at = now() - interval '31 minutes'`)
  await viewAndBuy()
  assert.equal(await countViews(), 2)
})

test('visits are deleted after a day, however many there are', async () => {
  await view(shop, productId, buyerCookie(1))
  await shop.db.execute(sql`
    insert into analytics_visits (visitor, product_id, seen_at)
    select number, ${productId}, now() - interval '25 hours' from generate_series(1, 5001) as number`)
  await deleteOldVisits(shop.db)
  assert.equal(await shop.db.$count(analyticsVisits), 1)
})

test('the deletion of old visits skips those that are being updated', async () => {
  await shop.db.execute(sql`
    insert into analytics_visits (visitor, product_id, seen_at)
    select number, ${productId}, now() - interval '25 hours' from generate_series(1, 10) as number`)
  await shop.db.transaction(async (tx) => {
    await tx.execute(sql`update analytics_visits set seen_at = now() where visitor = '7'`)
    await deleteOldVisits(shop.db)
  })
  const left = await shop.db.select().from(analyticsVisits)
  assert.deepEqual(
    left.map(({ visitor }) => visitor),
    ['7'],
  )
})
