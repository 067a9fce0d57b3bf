import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { AnalyticsSummary } from '#contract/analytics.ts'
import { apiRoutes } from '#contract/paths.ts'
import { startSandbox } from '#sandbox/sandbox.ts'
import { compareWithRecount } from '#server/analytics/recount.ts'
import { analyticsDays, analyticsEvents } from '#server/db/analytics-schema.ts'
import type { Db } from '#server/db/database.ts'
import { eq, sql } from '#server/db/drizzle.ts'
import { checkouts, orders } from '#server/db/schema.ts'
import { addMug, createBuyer, payByCard } from '#server/testing/buyer.ts'
import { openSaleShop } from '#server/testing/sale.ts'
import { startShop } from '#server/testing/started-shop.ts'
import { temporaryFolder } from '#server/testing/temporary-folder.ts'
import { makeTestDatabase, toDatabaseUrl } from '#server/testing/test-database.ts'
import { findAccountMode } from './find-checkout.ts'
import { markEarlierTests, removeTestData } from './test-data.ts'

test('an account is what all its sales say it is; if they differ, SumUp has to tell', async () => {
  const shop = await openSaleShop()
  const find = (code = shop.sandbox.merchantCode) => findAccountMode(shop.db, code)
  assert.equal(await find(), undefined, 'no sales')
  await createBuyer(shop).open(shop.mug)
  assert.deepEqual([await find(), await find('MOTHER')], ['test', undefined])
  await shop.db.update(checkouts).set({ isTest: false })
  assert.equal(await find(), 'live')
  await createBuyer(shop).open(shop.mug)
  assert.equal(await find(), undefined, 'an earlier Till did not remember what it sold')
})

test('what a sandbox account sold to an earlier Till is marked as test at the next start', async () => {
  const sumup = await startSandbox({ merchant: { code: 'MTRY', sandbox: true } })
  after(() => sumup.close())
  const environment = {
    DATABASE_URL: toDatabaseUrl(await makeTestDatabase()),
    DATA_DIR: temporaryFolder(),
    ADMIN_PASSWORD: 'a long sentence is a good password',
    SUMUP_API_URL: sumup.url,
    SUMUP_API_KEY: sumup.apiKey,
    SUMUP_MERCHANT_CODE: sumup.merchantCode,
  }
  const first = await startShop(environment)
  const mug = await addMug(first)
  const buyer = createBuyer(first)
  const { checkoutId } = (await buyer.open(mug)).json()
  await buyer.call('POST', apiRoutes.track, {
    eventType: 'checkout_view',
    productId: mug,
  })
  await buyer.saveDetails(checkoutId)
  await payByCard(sumup, checkoutId)
  await buyer.order(checkoutId)
  await createBuyer(first).open(mug)
  const readRevenue = async ({ app, signIn }: Awaited<ReturnType<typeof startShop>>) => {
    const headers = await signIn()
    const answer = await app.inject({ url: apiRoutes.analyticsSummary, headers })
    return answer.json<AnalyticsSummary>().revenue
  }
  assert.equal(await readRevenue(first), '49.00')
  // As the migration leaves a shop whose account it does not know.
  const forget = async ({ db }: { db: Db }) => {
    for (const table of [checkouts, orders, analyticsEvents, analyticsDays])
      await db.update(table).set({ isTest: false })
    await db.execute(sql`update till_migrations set applied_at = now() + interval '1 second'`)
  }
  await forget(first)
  await first.close()

  const upgraded = await startShop(environment)
  const { rows } = await upgraded.db.execute(sql`
    select is_test from checkouts union select is_test from orders union select is_test from analytics_events`)
  assert.deepEqual(rows, [{ is_test: true }])
  assert.deepEqual(
    await upgraded.db.select().from(checkouts).where(eq(checkouts.state, 'review')),
    [],
  )
  assert.equal(await readRevenue(upgraded), '49.00')
  assert.deepEqual((await compareWithRecount(upgraded.db)).differences, [])
  assert.equal((await removeTestData(upgraded.db, async () => {})).orders, 1)

  // Since tests are told apart, SumUp itself has called this account live: nothing of it is marked.
  await createBuyer(upgraded).open(mug)
  await forget(upgraded)
  await createBuyer(upgraded, '203.0.113.2').open(mug)
  await upgraded.db.execute(sql`update checkouts set is_test = false, created_at = created_at +
    case when is_test then interval '1 minute' else interval '0' end`)
  assert.equal(await markEarlierTests(upgraded.db, 'MTRY'), 0)
  assert.deepEqual(
    (await upgraded.db.select().from(checkouts)).map(({ isTest }) => isTest),
    [false, false],
  )
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
