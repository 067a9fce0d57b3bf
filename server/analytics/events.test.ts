import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { analyticsVisits } from '#server/db/analytics-schema.ts'
import { sql } from '#server/db/drizzle.ts'
import { addMug } from '#server/testing/buyer.ts'
import { openTestShop } from '#server/testing/test-shop.ts'
import { deleteOldVisits } from './events.ts'

const shop = await openTestShop()
const productId = await addMug(shop)

beforeEach(async () => {
  await shop.db.delete(analyticsVisits)
})

test('visits of an earlier Till are deleted after a day, however many there are', async () => {
  await shop.db.execute(
    sql`insert into analytics_visits (visitor, product_id) values ('x', ${productId})`,
  )
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
