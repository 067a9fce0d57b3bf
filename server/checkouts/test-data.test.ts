import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { AnalyticsSummary } from '#contract/analytics.ts'
import type { AdminOrder, RemovedTestData, TestData } from '#contract/orders.ts'
import { modeOf } from '#contract/mode.ts'
import { apiRoutes, pathOf, thankYouPath } from '#contract/paths.ts'
import { Refusal } from '#contract/refusals.ts'
import { startSandbox } from '#sandbox/sandbox.ts'
import { rollUpEvents } from '#server/analytics/days.ts'
import { analyticsDays, analyticsEvents } from '#server/db/analytics-schema.ts'
import type { Db } from '#server/db/database.ts'
import { eq, sql } from '#server/db/drizzle.ts'
import { payments, reviewEntries } from '#server/db/payment-schema.ts'
import { checkouts, mails, orders, orderTimeline } from '#server/db/schema.ts'
import { addMug, createBuyer, delivery, payByCard } from '#server/testing/buyer.ts'
import { waitFor } from '#server/testing/wait-for.ts'
import { openMailServer } from '#server/testing/mail-server.ts'
import { makeMailsDue } from '#server/testing/mails.ts'
import { listReview, openSaleShop, type SaleShop } from '#server/testing/sale.ts'
import { startShop } from '#server/testing/started-shop.ts'
import { temporaryFolder } from '#server/testing/temporary-folder.ts'
import { makeTestDatabase, toDatabaseUrl } from '#server/testing/test-database.ts'
import { testAdmin, type TestShop } from '#server/testing/test-shop.ts'
import { removeTestData } from './test-data.ts'
import { sweep } from './sales.ts'

type AnyShop = Pick<TestShop, 'app' | 'signIn'>

async function read<Answer>({ app, signIn }: AnyShop, url: string): Promise<Answer> {
  const answer = await app.inject({ url, headers: await signIn() })
  assert.equal(answer.statusCode, 200, answer.body)
  return answer.json()
}

async function remove({ app, signIn }: AnyShop): Promise<RemovedTestData> {
  const url = apiRoutes.removeTestData
  const { password } = testAdmin
  const headers = await signIn()
  const answer = await app.inject({ method: 'POST', url, headers, payload: { password } })
  assert.equal(answer.statusCode, 200, answer.body)
  return answer.json()
}

const view = (productId: string) => ({ eventType: 'checkout_view', productId })

/** What the owner sees of their sales. */
async function readFigures(shop: AnyShop) {
  const { revenue, orders, views, started, completed, conversion, topProducts } =
    await read<AnalyticsSummary>(shop, apiRoutes.analyticsSummary)
  const listed = await read<AdminOrder[]>(shop, apiRoutes.orders)
  const events = await read<unknown[]>(shop, apiRoutes.analyticsEvents)
  return {
    figures: { revenue, orders, views, started, completed, conversion },
    products: topProducts.length,
    counts: await read(shop, apiRoutes.orderCounts),
    toFulfill: (await read<unknown[]>(shop, apiRoutes.orderMarks)).length,
    listed: listed.map(({ id, isTest }) => ({ id, isTest })),
    events: events.length,
  }
}

test('what a shop sold in test mode stays a test after it goes live with a SumUp account', async () => {
  const mailServer = await openMailServer()
  await mailServer.goDown()
  const shared = {
    DATABASE_URL: toDatabaseUrl(await makeTestDatabase()),
    DATA_DIR: temporaryFolder(),
    ADMIN_PASSWORD: 'a long sentence is a good password',
    SHOP_EMAIL: 'owner@mugs.example',
    SMTP_URL: mailServer.url,
  }

  const tried = await startShop(shared)
  const mug = await addMug(tried)
  const browser = { app: tried.app }
  const buyer = createBuyer(browser)
  const { checkoutId } = (await buyer.open(mug)).json()
  await buyer.call('POST', apiRoutes.track, view(mug))
  await buyer.saveDetails(checkoutId)
  await payByCard({ url: tried.shop.payments.sandboxUrl ?? '' }, checkoutId)
  const order = (await buyer.order(checkoutId)).json<AdminOrder>()
  assert.equal(order.isTest, true)
  assert.partialDeepStrictEqual(await readFigures(tried), {
    figures: { revenue: '49.00', orders: 1, views: 1, started: 1, completed: 1, conversion: 100 },
    products: 1,
    counts: { pending: 1 },
    toFulfill: 1,
    listed: [{ id: order.id, isTest: true }],
  })
  await tried.close()

  const sumup = await startSandbox({ merchant: { code: 'MLIVE', sandbox: false } })
  after(() => sumup.close())
  await mailServer.comeBack()
  const live = await startShop({
    ...shared,
    SUMUP_API_URL: sumup.url,
    SUMUP_API_KEY: sumup.apiKey,
    SUMUP_MERCHANT_CODE: sumup.merchantCode,
  })
  assert.deepEqual(await readFigures(live), {
    figures: { revenue: '0.00', orders: 0, views: 0, started: 0, completed: 0, conversion: 0 },
    products: 0,
    counts: { pending: 0, processing: 0, shipped: 0, completed: 0 },
    toFulfill: 0,
    listed: [],
    events: 0,
  })
  const { app, signIn } = live
  const csv = (query = '') =>
    app
      .inject({ url: `${apiRoutes.orderExport}${query}`, headers })
      .then(({ body }) => body.trim().split('\r\n'))
  const headers = await signIn()
  assert.equal((await csv()).length, 1)
  assert.match((await csv('?tests=true'))[1] ?? '', /,test,\d+,0\.00(,|$)/)
  assert.deepEqual(await read<TestData>(live, apiRoutes.testData), {
    mode: 'live',
    orders: 1,
    reviews: 0,
  })
  const shown = await read<AdminOrder[]>(live, `${apiRoutes.orders}?tests=true`)
  assert.deepEqual(
    shown.map(({ id, isTest }) => [id, isTest]),
    [[order.id, true]],
  )
  const thanks = await app.inject({ url: thankYouPath(order.id) })
  assert.match(thanks.body, /no money was taken, nothing will be\s+delivered/)

  // Mails that were waiting at the restart.
  await makeMailsDue(live.db)
  await waitFor('the mails are sent', async () =>
    mailServer.received.length === 2 ? true : undefined,
  )
  assert.deepEqual(mailServer.received.map(({ to }) => to).flat(), [
    'owner@mugs.example',
    'owner@mugs.example',
  ])
  for (const { mail } of mailServer.received) assert.match(mail.subject ?? '', /^\[Test\] /)

  // The same browser, which never saw its thank-you page, buys for real: its test is not in the way.
  browser.app = live.app
  await buyer.call('POST', apiRoutes.track, view(mug))
  const paidId = await buyer.arrive(mug)
  await payByCard(sumup, paidId)
  const real = (await buyer.order(paidId)).json<AdminOrder>()
  assert.equal(real.isTest, false)
  const afterSale = await readFigures(live)
  assert.partialDeepStrictEqual(afterSale, {
    figures: { revenue: '49.00', orders: 1, views: 1, started: 1, completed: 1, conversion: 100 },
    counts: { pending: 1 },
    listed: [{ id: real.id, isTest: false }],
  })

  assert.partialDeepStrictEqual(await remove(live), { orders: 1, payments: 1 })
  assert.deepEqual(await readFigures(live), afterSale)
  assert.equal(
    (await app.inject({ url: pathOf(apiRoutes.order, { id: order.id }) })).statusCode,
    404,
  )
  assert.deepEqual(await remove(live), { orders: 0, payments: 0, events: 0 }, 'once is enough')
})

/** The shop's account takes money from now on, or no longer does. */
function setMode({ shop, settling }: SaleShop, isTest: boolean): void {
  const { payments } = shop
  const account = payments.account()
  payments.account = () => ({ ...account, mode: modeOf(isTest) })
  payments.getMode = async () => modeOf(isTest)
  payments.sumup.findMode = () => modeOf(isTest)
  settling.sumup.findMode = () => modeOf(isTest)
}

async function sell(shop: SaleShop, name: string): Promise<AdminOrder> {
  const buyer = createBuyer(shop, '203.0.113.9')
  await buyer.call('POST', apiRoutes.track, view(shop.mug))
  const { checkoutId } = (await buyer.open(shop.mug)).json()
  await buyer.saveDetails(checkoutId, { ...delivery, customerEmail: `${name}@example.com` })
  await payByCard(shop.sandbox, checkoutId)
  const order = (await buyer.order(checkoutId)).json<AdminOrder>()
  const seen = { eventType: 'thank_you_view', productId: shop.mug, orderId: order.id }
  await buyer.call('POST', apiRoutes.track, seen)
  // A form that was never paid, a payment in review, and one without a sale.
  await createBuyer(shop, '203.0.113.10').open(shop.mug)
  await payEarly(shop)
  const { isTest } = order
  const id = crypto.randomUUID()
  await shop.db.insert(payments).values({
    id,
    transactionId: crypto.randomUUID(),
    merchantCode: shop.sandbox.merchantCode,
    isTest,
    amount: '49.00',
    currency: 'EUR',
    status: 'successful',
  })
  const entry = { id, paymentId: id, reason: 'no-sale', state: 'open', isTest }
  await shop.db.insert(reviewEntries).values(entry)
  return order
}

/** A card is charged before anybody knows where to deliver. Nothing is asserted: it may be removed meanwhile. */
async function payEarly(shop: SaleShop): Promise<void> {
  const buyer = createBuyer(shop)
  const { checkoutId } = (await buyer.open(shop.mug)).json()
  await payByCard(shop.sandbox, checkoutId)
  await buyer.look(checkoutId)
}

/** All rows that a sale leaves behind. */
async function readRows(db: Db, isTest: boolean) {
  const ofMode = sql`(select id from orders where is_test = ${isTest})`
  return {
    orders: await db.select().from(orders).where(eq(orders.isTest, isTest)).orderBy(orders.id),
    checkouts: await db
      .select()
      .from(checkouts)
      .where(eq(checkouts.isTest, isTest))
      .orderBy(checkouts.id),
    payments: await db
      .select()
      .from(payments)
      .where(eq(payments.isTest, isTest))
      .orderBy(payments.id),
    reviews: await db
      .select()
      .from(reviewEntries)
      .where(eq(reviewEntries.isTest, isTest))
      .orderBy(reviewEntries.id),
    mails: await db
      .select()
      .from(mails)
      .where(sql`order_id in ${ofMode}`)
      .orderBy(mails.id),
    timeline: await db
      .select()
      .from(orderTimeline)
      .where(sql`order_id in ${ofMode}`)
      .orderBy(orderTimeline.id),
    events: await db
      .select()
      .from(analyticsEvents)
      .where(eq(analyticsEvents.isTest, isTest))
      .orderBy(analyticsEvents.id),
    days: await db
      .select()
      .from(analyticsDays)
      .where(eq(analyticsDays.isTest, isTest))
      .orderBy(analyticsDays.kind, analyticsDays.key),
  }
}

const countRows = (rows: Record<string, unknown[]>) =>
  Object.fromEntries(Object.entries(rows).map(([name, list]) => [name, list.length > 0]))

test('removing the test orders removes all that belongs to them and nothing of a real sale', async () => {
  const shop = await openSaleShop()
  await sell(shop, 'tester')
  setMode(shop, false)
  const real = await sell(shop, 'buyer')
  assert.equal(real.isTest, false)
  const all = {
    orders: true,
    checkouts: true,
    payments: true,
    reviews: true,
    mails: true,
    timeline: true,
    events: true,
    days: true,
  }
  // What happened three days ago is rolled up.
  await shop.db.execute(sql`insert into analytics_events (event_type, is_test, created_at)
    select 'checkout_view', is_test, now() - interval '3 days' from unnest(array[true, false]) as is_test`)
  await rollUpEvents(shop.db, 'UTC')
  const before = await readRows(shop.db, false)
  assert.deepEqual(countRows(before), all)
  assert.deepEqual(countRows(await readRows(shop.db, true)), all)

  // Mails of test mode are files, in which the buyer's words are.
  const { mails: testMails } = await readRows(shop.db, true)
  const folder = join(shop.shop.config.dataDir, 'mail')
  mkdirSync(folder)
  const keep = (list: { id: string }[]) => list.map(({ id }) => `1-confirmation-${id}.eml`)
  for (const file of keep([...before.mails, ...testMails])) writeFileSync(join(folder, file), '')

  assert.equal((await remove(shop)).orders, 1)
  assert.deepEqual(readdirSync(folder).toSorted(), keep(before.mails).toSorted())
  assert.deepEqual(await readRows(shop.db, false), before)
  const left = countRows(await readRows(shop.db, true))
  assert.deepEqual(Object.values(left).includes(true), false, JSON.stringify(left))
})

test('the test orders are removed with the password of the admin only', async () => {
  const shop = await openSaleShop()
  await sell(shop, 'one')
  const url = apiRoutes.removeTestData
  const headers = await shop.signIn()
  const call = (payload?: object) =>
    shop.app.inject({ method: 'POST', url, headers, ...(payload && { payload }) })
  assert.equal((await call()).statusCode, 400)
  assert.equal((await call({ password: 'wrong' })).json().code, 'wrong-password')
  assert.equal(await shop.db.$count(orders), 1)
  assert.equal((await remove(shop)).orders, 1)
})

test('test orders can be removed while the shop is in test mode and sells', async () => {
  const shop = await openSaleShop()
  await sell(shop, 'first')
  await Promise.all([sell(shop, 'second'), removeTestData(shop.db, async () => {}), remove(shop)])
  const { rows } = await shop.db.execute(sql`
    select from checkouts where state = 'paid' and not exists (
      select from orders where orders.sumup_checkout_id = checkouts.sumup_checkout_id)`)
  assert.equal(rows.length, 0, 'every paid checkout has its order')
  await remove(shop)
  assert.deepEqual(await shop.db.select().from(orders), [])
})

test('a test that is paid after the account changed never becomes a real order, nor the other way round', async () => {
  for (const isTest of [true, false]) {
    const shop = await openSaleShop(isTest ? {} : { isLive: true })
    const checkoutId = await createBuyer(shop).arrive(shop.mug)
    await payByCard(shop.sandbox, checkoutId)
    // The same merchant code, but the other kind of account.
    setMode(shop, !isTest)
    await shop.db.update(checkouts).set({ nextCheckAt: sql`now()` })
    await sweep(shop.settling)
    assert.deepEqual(await shop.db.select().from(orders), [])
    const [entry] = await listReview(shop, '?tests=true')
    assert.partialDeepStrictEqual(entry, { reason: 'account-changed', isTest, canRefund: false })
    const url = pathOf(apiRoutes.reviewOrder, { id: entry?.id ?? '' })
    const headers = await shop.signIn()
    const payload = { version: entry?.version }
    const made = await shop.app.inject({ method: 'POST', url, headers, payload })
    assert.equal(made.statusCode, 201, made.body)
    const [order] = await shop.db.select().from(orders)
    assert.equal(order?.isTest, isTest)
  }
})

test('a live shop hides payments of test mode that wait for a decision, and says how many', async () => {
  const shop = await openSaleShop()
  await payEarly(shop)
  assert.deepEqual(
    (await listReview(shop)).map(({ isTest }) => isTest),
    [true],
  )
  setMode(shop, false)
  assert.deepEqual(await listReview(shop), [])
  assert.equal((await listReview(shop, '?tests=true')).length, 1)
  const { reviews } = await read<TestData>(shop, apiRoutes.testData)
  assert.equal(reviews, 1)
})

test('views in test mode and in the live shop are counted apart', async () => {
  const shop = await openSaleShop()
  const buyer = createBuyer(shop)
  await buyer.open(shop.mug)
  const look = () => buyer.call('POST', apiRoutes.track, view(shop.mug))
  await look()
  setMode(shop, false)
  await look()
  await look()
  const { views } = await read<AnalyticsSummary>(shop, apiRoutes.analyticsSummary)
  assert.equal(views, 2)
})

test('while nobody knows whether the account is a test account, nothing is sold', async () => {
  const shop = await openSaleShop()
  shop.shop.payments.getMode = () => Promise.reject(new Refusal('payments-away', { retryAfter: 5 }))
  const answer = await createBuyer(shop).open(shop.mug)
  assert.deepEqual([answer.statusCode, answer.json().code], [503, 'payments-away'])
  assert.deepEqual(await shop.db.select().from(checkouts), [])
})
