import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import type { ListedEvent } from '#contract/analytics.ts'
import { calls } from '#contract/paths.ts'
import { removeProduct } from '#server/catalog/products.ts'
import { analyticsEvents, analyticsVisits } from '#server/db/analytics-schema.ts'
import { asc, sql } from '#server/db/drizzle.ts'
import { addMug } from '#server/testing/buyer.ts'
import { openTestShop } from '#server/testing/test-shop.ts'
import { agents, buy, track, view } from './test-visitor.ts'

const shop = await openTestShop()
const productId = await addMug(shop)
const unknown = '00000000-0000-4000-8000-000000000000'
const events = () => shop.db.select().from(analyticsEvents).orderBy(asc(analyticsEvents.createdAt))

beforeEach(async () => {
  await shop.db.delete(analyticsEvents)
  await shop.db.delete(analyticsVisits)
})

test('a view is kept with what its request tells, and without what would name the visitor', async () => {
  const visitor = { ip: '::ffff:8.8.8.8', referer: 'https://news.example/story?id=7#me' }
  assert.equal(await view(shop, productId, { ...visitor, userAgent: agents.mobile }), 204)
  const [event] = await events()
  const { id: _id, createdAt: _at, ...kept } = event ?? {}
  assert.deepEqual(kept, {
    eventType: 'checkout_view',
    productId,
    orderId: null,
    visitorIp: '8.8.8.0',
    country: 'United States',
    city: null,
    deviceType: 'mobile',
    browser: 'Safari',
    os: 'iOS',
    referrer: 'https://news.example',
    metadata: null,
  })
})

test('a program behind a proxy that names no address is kept without one', async () => {
  await view(shop, productId, { ip: 'unknown' })
  assert.partialDeepStrictEqual(await events(), [{ visitorIp: null, country: null }])
})

test('neither bots nor programs that say nothing of themselves are visitors', async () => {
  for (const userAgent of [agents.bot, '', 'curl/8.1.2']) {
    assert.equal(await view(shop, productId, { userAgent }), 204)
  }
  assert.deepEqual(await events(), [])
})

test('a page that is opened before anyone clicks is not looked at', async () => {
  for (const purpose of ['prefetch', 'prefetch;prerender'])
    assert.equal(await view(shop, productId, { 'sec-purpose': purpose }), 204)
  assert.deepEqual(await events(), [])
  await view(shop, productId, {})
  assert.equal((await events()).length, 1)
})

test('an IPv6 address is kept as the network it is in', async () => {
  await view(shop, productId, { ip: '2001:db8:1:2:3:4:5:6' })
  await view(shop, productId, { ip: '::ffff:808:808' })
  const kept = (await events()).map(({ visitorIp, country }) => [visitorIp, country])
  assert.deepEqual(kept, [
    ['2001:db8:1::', null],
    ['8.8.8.0', 'United States'],
  ])
})

test('a reload is the same visit, another product and another browser are not', async () => {
  const other = await addMug(shop)
  for (const visitor of [{}, {}, { cookie: 'theme=dark' }]) await view(shop, productId, visitor)
  assert.equal((await events()).length, 1)
  await view(shop, other, {})
  await view(shop, productId, { userAgent: agents.tablet })
  assert.deepEqual(
    (await events()).map((event) => [event.productId, event.deviceType]),
    [
      [productId, 'desktop'],
      [other, 'desktop'],
      [productId, 'tablet'],
    ],
  )
})

test('a visit lasts thirty minutes', async () => {
  const age = (minutes: number) =>
    shop.db.execute(
      sql`update analytics_visits set seen_at = now() - make_interval(mins => ${minutes})`,
    )
  await view(shop, productId, {})
  await age(29)
  await view(shop, productId, {})
  assert.equal((await events()).length, 1)
  await age(31)
  await view(shop, productId, {})
  assert.equal((await events()).length, 2)
})

test('many views at once count as many visits as there are visitors', async () => {
  const ips = Array.from({ length: 60 }, (_none, number) => `192.0.2.${number % 20}`)
  await Promise.all(ips.map((ip) => view(shop, productId, { ip })))
  assert.equal((await events()).length, 20)
})

test('an order is completed once, however often and by whomever it is told', async () => {
  const { orderId } = await buy(shop, productId)
  const complete = { eventType: 'checkout_complete', productId, orderId }
  for (const ip of ['203.0.113.7', '203.0.113.8', '203.0.113.8'])
    assert.equal((await track(shop, complete, { ip })).statusCode, 204)
  const types = (await events()).map(({ eventType }) => eventType)
  assert.deepEqual(types.toSorted(), ['checkout_complete', 'checkout_view'])
})

test('a view belongs to no order, whatever its page says', async () => {
  const { orderId } = await buy(shop, productId)
  const seen = { eventType: 'checkout_view', productId, orderId }
  const ips = ['192.0.2.1', '192.0.2.2', '192.0.2.3']
  const answers = await Promise.all(ips.map((ip) => track(shop, seen, { ip })))
  assert.deepEqual(
    answers.map(({ statusCode }) => statusCode),
    [204, 204, 204],
  )
  const views = (await events()).filter(({ eventType }) => eventType === 'checkout_view')
  assert.deepEqual(new Set(views.map((event) => event.orderId)), new Set([null]))
})

test('the thank-you page of an order is seen once, even when its product is gone', async () => {
  const sold = await addMug(shop)
  const { orderId } = await buy(shop, sold)
  await removeProduct(shop.db, sold)
  const seen = { eventType: 'thank_you_view', productId: sold, orderId }
  await Promise.all([track(shop, seen), track(shop, seen), track(shop, seen)])
  const types = (await events()).map(({ eventType }) => eventType)
  assert.equal(types.filter((type) => type === 'thank_you_view').length, 1)
})

test('what cannot have happened is refused and not kept', async () => {
  const { orderId } = await buy(shop, productId)
  const other = await addMug(shop)
  const before = (await events()).length
  const refused: [object, number][] = [
    [{ eventType: 'purchase', productId }, 400],
    [{ eventType: 'checkout_view' }, 400],
    [{ eventType: 'checkout_view', productId: 'x' }, 400],
    [{ eventType: 'checkout_view', productId: [productId] }, 400],
    [{ eventType: 'checkout_view', productId: unknown }, 404],
    [{ eventType: 'checkout_complete', productId, orderId: unknown }, 404],
    [{ eventType: 'thank_you_view', productId, orderId: unknown }, 404],
    [{ eventType: 'thank_you_view', productId, orderId: 7 }, 400],
    [{ eventType: 'thank_you_view', productId: other, orderId }, 400],
    [{ eventType: 'thank_you_view', productId: unknown }, 404],
    [{ eventType: 'checkout_view', productId, more: 'x'.repeat(3_000) }, 413],
  ]
  for (const [told, status] of refused)
    assert.equal((await track(shop, told)).statusCode, status, JSON.stringify(told))
  assert.equal((await track(shop, { eventType: 'thank_you_view', productId })).statusCode, 204)
  assert.equal((await events()).length, before)
})

test('an address tells a hundred and twenty events a minute, then it is asked to wait', async () => {
  const tell = () => track(shop, { eventType: 'x' }, { ip: '192.0.2.99' })
  for (let told = 0; told < 120; told += 1) assert.equal((await tell()).statusCode, 400)
  const answer = await tell()
  assert.equal(answer.statusCode, 429)
  assert.ok(Number(answer.headers['retry-after']) > 0)
})

test('the list tells five fields of each event, newest first', async () => {
  await view(shop, productId, {})
  await view(shop, await addMug(shop), {})
  const headers = await shop.signIn()
  const answer = await shop.app.inject({ url: calls.analyticsEvents, headers })
  assert.equal(answer.headers['cache-control'], 'no-store')
  const [newest, oldest]: ListedEvent[] = answer.json()
  const listed: ListedEvent = {
    eventType: 'checkout_view',
    productId,
    orderId: null,
    deviceType: 'desktop',
    country: null,
  }
  assert.deepEqual(oldest, listed)
  assert.notEqual(newest?.productId, productId)
})

test('the list goes on to the last event, and tells each once', async () => {
  await shop.db.execute(sql`
    insert into analytics_events (event_type, product_id)
    select 'checkout_view', gen_random_uuid() from generate_series(1, 4001)`)
  const headers = await shop.signIn()
  const answer = await shop.app.inject({ url: calls.analyticsEvents, headers })
  const listed: ListedEvent[] = answer.json()
  assert.equal(new Set(listed.map((event) => event.productId)).size, 4_001)
  assert.equal(listed.length, 4_001)
})
