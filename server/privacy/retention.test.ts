import assert from 'node:assert/strict'
import { hash, randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { test } from 'node:test'
import { pino } from 'pino'
import { apiRoutes } from '#contract/paths.ts'
import { deleteDays } from '#server/analytics/days.ts'
import { readConfig } from '#server/config.ts'
import { analyticsEvents } from '#server/db/analytics-schema.ts'
import { eq, sql } from '#server/db/drizzle.ts'
import { nodeJobs } from '#server/db/node-schema.ts'
import { payments, reviewEntries } from '#server/db/payment-schema.ts'
import { checkouts, erasedToken, mails, orders } from '#server/db/schema.ts'
import { saleStates, type SaleState } from '#server/payments/record.ts'
import { exampleOf, variables, type VariableName } from '#server/environment-variables.ts'
import { addMug, createBuyer, delivery, payByCard } from '#server/testing/buyer.ts'
import { addOrders } from '#server/testing/orders.ts'
import {
  getOnlyCheckout,
  listReview,
  openSaleShop,
  sendWebhook,
  type SaleShop,
} from '#server/testing/sale.ts'
import { openTestShop, type TestShop } from '#server/testing/test-shop.ts'
import { buy, getSummary, saveTimeZone, view } from '#server/testing/visitors.ts'
import { deleteOldData } from './retention.ts'

/** As long after the last run as another is due. */
async function tidy({ db, shop }: TestShop, log = shop.log): Promise<void> {
  await db.update(nodeJobs).set({ heldUntil: sql`now()` })
  await deleteOldData({ db, log, config: shop.config })
}

const yearsAgo = sql`now() - interval '3 years'`

/** A sale in each state, as old as the shop. */
async function addOldSales(shop: SaleShop): Promise<Map<SaleState, string>> {
  const ids = new Map<SaleState, string>()
  for (const state of saleStates) {
    const sumupCheckoutId = randomUUID()
    const isHandled = state === 'refunded' || state === 'dismissed'
    await createBuyer(shop).open(shop.mug)
    const [row] = await shop.db
      .update(checkouts)
      .set({
        state,
        sumupCheckoutId,
        details: delivery,
        startedAt: yearsAgo,
        validUntil: yearsAgo,
        createdAt: yearsAgo,
        nextCheckAt: null,
      })
      .where(
        sql`sumup_checkout_id is not null and details is null and created_at > now() - interval '1 day'`,
      )
      .returning({ id: checkouts.id })
    const id = row?.id ?? ''
    if (isHandled)
      await shop.db.insert(reviewEntries).values({
        id,
        saleId: id,
        reason: 'mismatch',
        state,
        handledAt: yearsAgo,
        note: 'Anna called',
      })
    if (state === 'paid') await addOrders(shop.db, [{ sumupCheckoutId, createdAt: new Date(0) }])
    ids.set(state, id)
  }
  return ids
}

test('no table has a hash of an address that could be found by trying all addresses', async () => {
  const shop = await openSaleShop()
  const address = '127.0.0.1'
  await createBuyer(shop).open(shop.mug)
  const payload = { username: 'owner', password: 'wrong' }
  await shop.app.inject({ method: 'POST', url: apiRoutes.adminLogin, payload })
  const { addressKey } = await getOnlyCheckout(shop)
  assert.match(addressKey ?? '', /^[0-9a-f]{64}$/)
  assert.notEqual(addressKey, hash('sha256', address))
  const { rows } = await shop.db.execute<{ key: string }>(sql`select key from rate_limits`)
  const keys = rows.map(({ key }) => key)
  assert.ok(keys.length >= 4)
  for (const limit of ['login address', 'checkouts address'])
    for (const counted of [address, hash('sha256', address)])
      assert.ok(!keys.includes(hash('sha256', `${limit}\n${counted}`)), limit)
})

test('old sales lose their buyers’ details unless they are still needed', async () => {
  const shop = await openSaleShop()
  const ids = await addOldSales(shop)
  await tidy(shop)
  const rows = await shop.db.select().from(checkouts)
  const kept = rows.filter(({ details }) => details !== null).map(({ state }) => state)
  assert.deepEqual(kept.toSorted(), ['created', 'open', 'review', 'submitted'])
  assert.equal(rows.length, ids.size)
  for (const row of rows) assert.equal(row.addressKey, null, row.state)
  for (const state of ['closed', 'paid', 'refunded', 'dismissed'] as const) {
    const row = rows.find(({ id }) => id === ids.get(state))
    assert.equal(row?.visitor, null, state)
    assert.equal(row?.buyerTokenHash, erasedToken, state)
  }
  for (const state of ['created', 'open', 'submitted', 'review'] as const)
    assert.notEqual(
      rows.find(({ id }) => id === ids.get(state))?.buyerTokenHash,
      erasedToken,
      state,
    )
  const [order] = await shop.db.select().from(orders)
  assert.equal(order?.customerName, 'Anna Müller', 'orders are kept')
})

test('payment forms in which nobody began to pay are deleted after 30 days, and no others', async () => {
  const shop = await openSaleShop()
  const ids: string[] = []
  for (let form = 0; form < 6; form += 1) {
    await createBuyer(shop).open(shop.mug)
    const [row] = await shop.db
      .update(checkouts)
      .set({ state: 'closed', validUntil: sql`now() - interval '31 days'`, nextCheckAt: null })
      .where(sql`state <> 'closed'`)
      .returning({ id: checkouts.id })
    ids.push(row?.id ?? '')
  }
  const [unused = '', young = '', begun = '', paid = '', reviewed = '', checked = ''] = ids
  const change = (id: string, fields: Partial<typeof checkouts.$inferInsert>) =>
    shop.db.update(checkouts).set(fields).where(eq(checkouts.id, id))
  await change(young, { validUntil: new Date(Date.now() - 29 * 86_400_000) })
  await change(begun, { startedAt: new Date(0) })
  await change(checked, { nextCheckAt: new Date() })
  const payment = { merchantCode: 'M', amount: '49.00', currency: 'EUR', status: 'failed' } as const
  await shop.db.insert(payments).values({ ...payment, transactionId: 'T1', saleId: paid })
  const entry = { id: reviewed, saleId: reviewed, reason: 'mismatch', state: 'dismissed' } as const
  await shop.db.insert(reviewEntries).values(entry)
  await tidy(shop)
  const left = (await shop.db.select({ id: checkouts.id }).from(checkouts)).map(({ id }) => id)
  assert.deepEqual(left.toSorted(), ids.filter((id) => id !== unused).toSorted())
})

test('young sales keep everything, and a paid one without its order keeps its details', async () => {
  const shop = await openSaleShop()
  await addOldSales(shop)
  await shop.db.update(checkouts).set({
    validUntil: sql`now() - interval '29 days'`,
    createdAt: sql`now() - interval '23 hours'`,
  })
  await shop.db.update(reviewEntries).set({ handledAt: sql`now() - interval '364 days'` })
  await tidy(shop)
  const young = await shop.db.select().from(checkouts)
  assert.ok(young.every(({ details, addressKey }) => details !== null && addressKey !== null))
  await shop.db.delete(orders)
  await shop.db.update(checkouts).set({ validUntil: yearsAgo })
  await tidy(shop)
  const [paid] = await shop.db.select().from(checkouts).where(eq(checkouts.state, 'paid'))
  assert.ok(paid?.details)
})

test('a payment that arrives after its details were deleted goes to review, and becomes an order there', async () => {
  const shop = await openSaleShop()
  const checkoutId = await createBuyer(shop).arrive(shop.mug)
  await shop.db
    .update(checkouts)
    .set({ state: 'closed', nextCheckAt: null, validUntil: sql`now() - interval '31 days'` })
  await tidy(shop)
  assert.equal((await getOnlyCheckout(shop)).details, null)
  await payByCard(shop.sandbox, checkoutId)
  await sendWebhook(shop, checkoutId)
  const [entry] = await listReview(shop)
  assert.deepEqual([entry?.reason, entry?.canOrder], ['no-details', true])
})

test('a closed sale that a payment was reported for keeps its details until it was checked', async () => {
  const shop = await openSaleShop()
  const checkoutId = await createBuyer(shop).arrive(shop.mug)
  await payByCard(shop.sandbox, checkoutId)
  await shop.db.update(checkouts).set({
    state: 'closed',
    nextCheckAt: sql`now()`,
    validUntil: sql`now() - interval '31 days'`,
  })
  await tidy(shop)
  await sendWebhook(shop, checkoutId)
  assert.equal((await getOnlyCheckout(shop)).state, 'paid')
})

test('a payment of another account that arrives after the details were deleted still goes to review', async () => {
  const shop = await openSaleShop()
  const checkoutId = await createBuyer(shop).arrive(shop.mug)
  await shop.db.update(checkouts).set({
    state: 'closed',
    nextCheckAt: null,
    validUntil: sql`now() - interval '31 days'`,
    merchantCode: 'MBEFORE',
  })
  await tidy(shop)
  await sendWebhook(shop, checkoutId)
  assert.equal((await listReview(shop))[0]?.reason, 'account-changed')
})

test('a browser is recognized for thirty days, however soon details are deleted', async () => {
  const shop = await openSaleShop({ environment: { KEEP_SOLD_DETAILS_DAYS: '1' } })
  const buyer = createBuyer(shop)
  const checkoutId = await buyer.arrive(shop.mug)
  await payByCard(shop.sandbox, checkoutId)
  await sendWebhook(shop, checkoutId)
  const age = async (days: number) => {
    await shop.db.execute(sql`
      with aged as (update orders set created_at = now() - make_interval(days => ${days}))
      update checkouts set valid_until = now() - make_interval(days => ${days})`)
    await tidy(shop)
    return getOnlyCheckout(shop)
  }
  assert.equal((await age(29)).details, null)
  // The buyer never saw the thank-you page.
  const again = await buyer.order(checkoutId)
  assert.equal(again.statusCode, 200)
  assert.equal(again.json().customerEmail, delivery.customerEmail)
  assert.equal((await age(31)).buyerTokenHash, erasedToken)
  assert.equal((await buyer.order(checkoutId)).json().code, 'payment-missing')
})

test('mail records, mail files and notes on handled reviews are deleted after their time', async () => {
  const shop = await openTestShop()
  const [order] = await addOrders(shop.db, [{}])
  const orderId = order?.id ?? ''
  const old = sql`now() - interval '91 days'`
  await shop.db.insert(mails).values([
    { orderId, kind: 'confirmation', nextTryAt: null, sentAt: old },
    { orderId, kind: 'new-sale', createdAt: old },
  ])
  const saleId = randomUUID()
  await shop.db.insert(mails).values([
    { saleId, kind: 'not-charged', nextTryAt: null, sentAt: old },
    { saleId, kind: 'payment-closed', createdAt: old },
  ])
  const entry = { reason: 'no-sale', note: 'Anna called' }
  const [handled, recent, open] = [randomUUID(), randomUUID(), randomUUID()]
  await shop.db.insert(reviewEntries).values([
    { ...entry, id: handled, state: 'refunded', handledAt: yearsAgo },
    { ...entry, id: recent, state: 'refunded', handledAt: sql`now() - interval '364 days'` },
    { ...entry, id: open, state: 'open', openedAt: yearsAgo },
  ])
  const folder = join(shop.shop.config.dataDir, 'mail')
  mkdirSync(folder, { recursive: true })
  const seconds = Date.now() / 1000 - 91 * 86_400
  for (const name of ['old.eml', 'new.eml', 'old.txt']) writeFileSync(join(folder, name), '')
  for (const name of ['old.eml', 'old.txt']) utimesSync(join(folder, name), seconds, seconds)
  await tidy(shop)
  const waiting = await shop.db.select().from(mails)
  assert.deepEqual(
    waiting.map(({ kind }) => kind).toSorted(),
    ['new-sale', 'payment-closed'],
    'a mail that waits to be sent is kept',
  )
  const entries = await shop.db.select().from(reviewEntries)
  const noted = entries.filter(({ note }) => note !== null).map(({ id }) => id)
  assert.deepEqual(noted.toSorted(), [recent, open].toSorted())
  assert.equal(entries.length, 3)
  assert.deepEqual(readdirSync(folder).toSorted(), ['new.eml', 'old.txt'])
})

test('events lose their visitors after a month and go after a year, and the figures stay', async () => {
  const shop = await openTestShop()
  const mug = await addMug(shop)
  await view(shop, mug)
  await view(shop, mug)
  await buy(shop, mug)
  const age = async (days: number) => {
    await deleteDays(shop.db)
    await shop.db.execute(sql`
      with aged as (update orders set created_at = created_at - make_interval(days => ${days})),
        started as (update checkouts set started_at = started_at - make_interval(days => ${days}))
      update analytics_events set created_at = created_at - make_interval(days => ${days})`)
  }
  await age(31)
  await tidy(shop)
  const events = await shop.db.select().from(analyticsEvents)
  assert.ok(events.length > 0)
  for (const { visitorIp, city, browser, os } of events)
    assert.deepEqual([visitorIp, city, browser, os], [null, null, null, null])
  assert.ok(events.some(({ deviceType }) => deviceType === 'desktop'))

  await age(365)
  const before = await getSummary(shop)
  assert.ok(before.views >= 2 && before.orders === 1)
  await tidy(shop)
  assert.equal(await shop.db.$count(analyticsEvents), 0)
  await view(shop, mug)
  const figuresOf = async () => {
    const { views, started, completed, revenue } = await getSummary(shop)
    return { views, started, completed, revenue }
  }
  const { started, completed, revenue } = before
  const expected = { views: before.views + 1, started, completed, revenue }
  assert.deepEqual(await figuresOf(), expected)
  for (const zone of ['Asia/Tokyo', 'America/New_York', 'Asia/Tokyo']) {
    await saveTimeZone(shop, zone)
    assert.deepEqual(await figuresOf(), expected, `${zone} keeps what cannot be counted again`)
    await tidy(shop)
    assert.deepEqual(await figuresOf(), expected, `also once the rest is rolled up in ${zone}`)
  }

  const { payments } = shop.shop
  const account = payments.account()
  payments.account = () => ({ ...account, mode: 'live' })
  const nothing = { views: 0, started: 0, completed: 0, revenue: '0.00' }
  for (const zone of ['Asia/Tokyo', 'Europe/Berlin']) {
    await saveTimeZone(shop, zone)
    assert.deepEqual(await figuresOf(), nothing, `tests stay tests in ${zone}`)
  }
})

test('events are counted in the shop’s time zone before they are deleted, if nobody has looked at Analytics', async () => {
  const shop = await openTestShop()
  await view(shop, await addMug(shop))
  // In Tokyo that is the day after.
  await shop.db.update(analyticsEvents).set({ createdAt: sql`'2020-03-01T20:00:00Z'` })
  await saveTimeZone(shop, 'Asia/Tokyo')
  await tidy(shop)
  assert.equal(await shop.db.$count(analyticsEvents), 0)
  const { from, views } = await getSummary(shop)
  assert.deepEqual([from, views], ['2020-03-02', 1])
})

test('one node deletes for all, says how much, and one task that fails stops no other', async () => {
  const shop = await openSaleShop()
  await addOldSales(shop)
  const lines: string[] = []
  const log = pino(
    new Writable({
      write(line, _encoding, done) {
        lines.push(String(line))
        done()
      },
    }),
  )
  await shop.db.execute(sql`alter table mails rename to mails_away`)
  const config = shop.shop.config
  await Promise.all([
    deleteOldData({ db: shop.db, log, config }),
    deleteOldData({ db: shop.db, log, config }),
  ])
  const logged = lines.map((line) => JSON.parse(line))
  const done = logged.filter(({ msg }) => msg === 'Old data was deleted')
  assert.equal(done.length, 1)
  assert.equal(done[0].deleted.unpaidDetails, 1)
  assert.equal(done[0].deleted.soldDetails, 1)
  assert.deepEqual(
    logged.filter(({ level }) => level >= 40).map(({ task }) => task),
    ['mails'],
  )
  await shop.db.execute(sql`alter table mails_away rename to mails`)
})

test('the durations are settings; .env.example and the privacy text name the defaults', async () => {
  const { retention } = readConfig({})
  const names = Object.keys(variables).filter((name) => name.startsWith('KEEP_'))
  assert.deepEqual(
    names.map((name) => Number(exampleOf(name as VariableName))),
    Object.values(retention),
  )
  assert.equal(readConfig({ KEEP_UNPAID_DAYS: '7' }).retention.unpaid, 7)
  assert.throws(() => readConfig({ KEEP_UNPAID_DAYS: '0' }), /KEEP_UNPAID_DAYS/)
  const text = await readFile('docs/privacy-text.md', 'utf8')
  for (const [name, days] of Object.entries(retention))
    assert.match(text, new RegExp(`\\b${days} days\\b`), name)
})

test('the details of a closed sale are kept while a payment of it is in review', async () => {
  const shop = await openSaleShop()
  await createBuyer(shop).arrive(shop.mug)
  await shop.db.update(checkouts).set({ state: 'closed', nextCheckAt: null, validUntil: yearsAgo })
  const { id } = await getOnlyCheckout(shop)
  const entry = { id, saleId: id, reason: 'lost-at-sumup' }
  await shop.db.insert(reviewEntries).values({ ...entry, state: 'open' })
  await tidy(shop)
  assert.ok((await getOnlyCheckout(shop)).details)
  await shop.db.update(reviewEntries).set({ state: 'dismissed', handledAt: sql`now()` })
  await tidy(shop)
  assert.equal((await getOnlyCheckout(shop)).details, null)
})
