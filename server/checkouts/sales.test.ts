import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { eq, isNull, sql } from '#server/db/drizzle.ts'
import { checkouts } from '#server/db/schema.ts'
import { waitFor } from '#server/testing/wait-for.ts'
import { addMug, createBuyer, payByCard } from '#server/testing/buyer.ts'
import { openTestShop } from '#server/testing/test-shop.ts'
import { findRestored, markRestored } from '#server/db/restored.ts'
import { findBySumupId } from './record-rows.ts'
import { openSales } from './sales.ts'

test('while the sweep has paused because SumUp is down, a waiting buyer’s page still asks SumUp', async () => {
  const shop = await openTestShop()
  const mug = await addMug(shop)
  const enoughToGiveUp = 5
  const checkoutIds = []
  for (let sale = 0; sale <= enoughToGiveUp; sale += 1) {
    const checkoutId = await createBuyer(shop).arrive(mug)
    await payByCard(shop.sandbox, checkoutId)
    checkoutIds.push(checkoutId)
  }
  const waiting = eq(checkouts.sumupCheckoutId, checkoutIds[0] ?? '')
  await shop.db.update(checkouts).set({ nextCheckAt: sql`now()` })
  await shop.db.update(checkouts).set({ nextCheckAt: null }).where(waiting)

  shop.sandbox.faults.set({ rules: [{ on: 'get', kind: 'error-500', count: enoughToGiveUp }] })
  const { payments, productCache, log, secret } = shop.shop
  const sales = openSales({ db: shop.db, payments, productCache, log, secret, maxParallel: 5 })
  after(() => sales.close())
  await waitFor('the sweep has met the fault often enough to leave SumUp alone', async () => {
    const untouched = await shop.db.select().from(checkouts).where(isNull(checkouts.lastError))
    return untouched.length === 1
  })

  const read = await findBySumupId(shop.db, checkoutIds[0] ?? '')
  if (!read) throw new Error('the waiting sale is gone')
  assert.equal((await sales.settleShared(read)).status.state, 'paid')
})

test('after a restore the payments since the backup are looked for at once', async () => {
  const shop = await openTestShop()
  const { payments, productCache, log, secret, pool } = shop.shop
  const anHourAgo = new Date(Date.now() - 3_600_000).toISOString()
  await pool.query(markRestored.text, markRestored.values(anHourAgo))
  const sales = openSales({ db: shop.db, payments, productCache, log, secret, maxParallel: 5 })
  after(() => sales.close())
  await waitFor('the comparison has looked back to the backup', async () => {
    return (await findRestored(shop.db))?.comparedAt instanceof Date
  })
})
