import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import type { ListedEvent } from '#contract/analytics.ts'
import { apiRoutes } from '#contract/paths.ts'
import { deleteProduct } from '#server/catalog/products.ts'
import { analyticsEvents } from '#server/db/analytics-schema.ts'
import { asc, sql } from '#server/db/drizzle.ts'
import { addMug, createBuyer } from '#server/testing/buyer.ts'
import { openTestShop } from '#server/testing/test-shop.ts'
import { userAgents, buy, buyerCookie, getSummary, track, view } from '#server/testing/visitors.ts'

const shop = await openTestShop()
const productId = await addMug(shop)
const unknown = '00000000-0000-4000-8000-000000000000'
const events = () => shop.db.select().from(analyticsEvents).orderBy(asc(analyticsEvents.createdAt))

beforeEach(async () => {
  await shop.db.delete(analyticsEvents)
})

test('a view is stored with the facts of its request, and without what would identify the visitor', async () => {
  const visitor = { ip: '::ffff:8.8.8.8', referer: 'https://news.example/story?id=7#me' }
  assert.equal(await view(shop, productId, { ...visitor, userAgent: userAgents.mobile }), 204)
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
    isCounted: true,
    isNewVisitor: true,
    isTest: true,
  })
})

test('a request without a valid address is stored without one', async () => {
  await view(shop, productId, { ip: 'unknown' })
  assert.partialDeepStrictEqual(await events(), [{ visitorIp: null, country: null }])
})

test('crawlers and link previews are not counted', async () => {
  for (const userAgent of [
    userAgents.bot,
    'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm) Chrome/140.0.0.0 Safari/537.36',
    'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
    'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
    'WhatsApp/2.23.20.0',
    'Twitterbot/1.0',
    'TelegramBot (like TwitterBot)',
    'Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)',
    'LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient +http://www.linkedin.com)',
    'Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5',
    'Mozilla/5.0 (compatible; Yahoo! Slurp; http://help.yahoo.com/help/us/ysearch/slurp)',
    'Embedly/0.2; +http://support.embed.ly/',
  ])
    assert.equal(await view(shop, productId, { userAgent }), 204)
  assert.deepEqual(await events(), [])
})

test('scripts, headless browsers and empty user agents are counted', async () => {
  const programs = [
    'curl/8.1.2',
    'node',
    'undici',
    'axios/1.7.9',
    'python-requests/2.31.0',
    'Go-http-client/2.0',
    'okhttp/4.12.0',
    'PostmanRuntime/7.39.0',
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/140.0.0.0 Safari/537.36',
    'Mozilla/5.0',
    '',
    ' ',
  ]
  for (const userAgent of programs) assert.equal(await view(shop, productId, { userAgent }), 204)
  assert.equal((await events()).length, programs.length)
})

test('a prefetched page is not a view', async () => {
  for (const purpose of ['prefetch', 'prefetch;prerender'])
    assert.equal(await view(shop, productId, { 'sec-purpose': purpose }), 204)
  assert.deepEqual(await events(), [])
  await view(shop, productId, {})
  assert.equal((await events()).length, 1)
})

test('of an IPv6 address only the network is stored', async () => {
  await view(shop, productId, { ip: '2001:db8:1:2:3:4:5:6' })
  await view(shop, productId, { ip: '::ffff:808:808' })
  const kept = (await events()).map(({ visitorIp, country }) => [visitorIp, country])
  assert.deepEqual(kept, [
    ['2001:db8:1::', null],
    ['8.8.8.0', 'United States'],
  ])
})

test('every load is a view and an event, and a browser is one visitor a day', async () => {
  const own = await openTestShop()
  const mug = await addMug(own)
  const count = async () => {
    const { views, visitors } = await getSummary(own)
    return [views, visitors]
  }
  // On its first load a browser has no cookie yet.
  await view(own, mug, {})
  for (let load = 0; load < 2; load += 1) await view(own, mug, buyerCookie(1))
  assert.deepEqual(await count(), [3, 1])
  assert.equal(await own.db.$count(analyticsEvents), 3)
  // The cookie alone tells: a phone changes its address on the way.
  await view(own, mug, { ...buyerCookie(1), ip: '192.0.2.1', userAgent: userAgents.mobile })
  await view(own, await addMug(own), buyerCookie(1))
  assert.deepEqual(await count(), [5, 1])
  const yesterday = Math.floor(Date.now() / 86_400_000) - 1
  for (const browser of [1, 2]) await view(own, mug, buyerCookie(browser, yesterday))
  assert.deepEqual(await count(), [7, 3])
})

test('each view without the cookie is another visitor', async () => {
  const forged = { cookie: `till_buyer=forged.x.${Math.floor(Date.now() / 86_400_000)}` }
  for (const visitor of [{}, {}, { cookie: 'theme=dark' }, forged])
    await view(shop, productId, visitor)
  await Promise.all(Array.from({ length: 6 }, () => view(shop, productId, {})))
  const stored = await events()
  assert.equal(stored.length, 10)
  assert.ok(stored.every(({ isNewVisitor }) => isNewVisitor))
})

test('opening a payment form makes a browser known for the day', async () => {
  const buyer = createBuyer(shop, undefined, { 'user-agent': userAgents.desktop })
  const look = () => buyer.call('POST', apiRoutes.track, { eventType: 'checkout_view', productId })
  await look()
  await buyer.open(productId)
  await look()
  const stored = await events()
  assert.deepEqual(
    stored.map(({ isNewVisitor }) => isNewVisitor),
    [true, false],
  )
})

test('an order is completed once, however often it is reported', async () => {
  const { orderId } = await buy(shop, productId)
  const complete = { eventType: 'checkout_complete', productId, orderId }
  for (const ip of ['203.0.113.7', '203.0.113.8', '203.0.113.8'])
    assert.equal((await track(shop, complete, { ip })).statusCode, 204)
  const types = (await events()).map(({ eventType }) => eventType)
  assert.deepEqual(types, ['checkout_complete'])
})

test('a view has no order, whatever the page says', async () => {
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

test('the thank-you page of an order counts once, even if its product is deleted', async () => {
  const sold = await addMug(shop)
  const { orderId } = await buy(shop, sold)
  await deleteProduct(shop.db, sold)
  const seen = { eventType: 'thank_you_view', productId: sold, orderId }
  await Promise.all([track(shop, seen), track(shop, seen), track(shop, seen)])
  const types = (await events()).map(({ eventType }) => eventType)
  assert.equal(types.filter((type) => type === 'thank_you_view').length, 1)
})

test('impossible events are refused and not stored', async () => {
  const { orderId } = await buy(shop, productId)
  const other = await addMug(shop)
  const before = (await events()).length
  const refused: [object, number][] = [
    [{ eventType: 'purchase', productId }, 400],
    [{ eventType: 'checkout_view' }, 400],
    [{ eventType: 'checkout_view', productId: 'x' }, 400],
    [{ eventType: 'checkout_view', productId: [productId] }, 400],
    [{ eventType: 'checkout_view', productId: unknown }, 404],
    [{ eventType: 'checkout_complete', productId: unknown, orderId: unknown }, 404],
    [{ eventType: 'thank_you_view', productId, orderId: 'x' }, 400],
    [{ eventType: 'thank_you_view', productId, orderId: 7 }, 400],
    [{ eventType: 'thank_you_view', productId: other, orderId }, 400],
    [{ eventType: 'thank_you_view', productId: unknown }, 404],
    [{ eventType: 'checkout_view', productId, more: 'x'.repeat(3_000) }, 413],
  ]
  for (const [event, status] of refused)
    assert.equal((await track(shop, event)).statusCode, status, JSON.stringify(event))
  assert.equal((await events()).length, before)
})

test('a completion that a program reports in test mode counts, each order once', async () => {
  const own = await openTestShop()
  const mug = await addMug(own)
  const complete = (orderId: string | null) =>
    track(own, { eventType: 'checkout_complete', productId: mug, orderId })
  for (let views = 0; views < 4; views += 1) await view(own, mug)
  for (let times = 0; times < 2; times += 1) await complete(unknown)
  const read = async () => {
    const { views, completed, orders } = await getSummary(own)
    return { views, completed, orders }
  }
  assert.deepEqual(await read(), { views: 4, completed: 1, orders: 0 })
  const { orderId } = await buy(own, mug)
  await complete(orderId)
  assert.deepEqual(await read(), { views: 4, completed: 2, orders: 1 }, 'an order is told once')
  await complete(null)
  assert.deepEqual(await read(), { views: 4, completed: 3, orders: 1 })
})

test('later events without an order of ours are listed but not counted in live mode', async () => {
  const own = await openTestShop({ isLive: true })
  const mug = await addMug(own)
  const figures = async () => {
    const { views, completed, thanked } = await getSummary(own)
    return { views, completed, thanked }
  }
  const before = await figures()
  const uncounted = (['checkout_complete', 'thank_you_view'] as const).flatMap((eventType) => [
    { eventType, productId: mug, orderId: null },
    { eventType, productId: mug, orderId: unknown },
  ])
  // One by one, and together with what counts.
  for (const event of uncounted) assert.equal((await track(own, event)).statusCode, 204)
  const { orderId } = await buy(own, mug)
  await Promise.all([
    view(own, mug),
    ...[...uncounted, { eventType: 'thank_you_view', productId: mug, orderId }].map((event) =>
      track(own, event),
    ),
  ])
  const headers = await own.signIn()
  const listed: ListedEvent[] = (
    await own.app.inject({ url: apiRoutes.analyticsEvents, headers })
  ).json()
  for (const event of uncounted)
    assert.ok(
      listed.some(
        ({ eventType, orderId: of }) => eventType === event.eventType && of === event.orderId,
      ),
      JSON.stringify(event),
    )
  assert.deepEqual(before, { views: 0, completed: 0, thanked: 0 })
  assert.deepEqual(await figures(), { views: 1, completed: 1, thanked: 1 })
})

test('an address may send 120 events a minute', async () => {
  const send = () => track(shop, { eventType: 'x' }, { ip: '192.0.2.99' })
  for (let sent = 0; sent < 120; sent += 1) assert.equal((await send()).statusCode, 400)
  const answer = await send()
  assert.equal(answer.statusCode, 429)
  assert.ok(Number(answer.headers['retry-after']) > 0)
})

test('the list has five fields of each event, newest first', async () => {
  await view(shop, productId, {})
  await view(shop, await addMug(shop), {})
  const headers = await shop.signIn()
  const answer = await shop.app.inject({ url: apiRoutes.analyticsEvents, headers })
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

test('the list contains every event once', async () => {
  await shop.db.execute(sql`
    insert into analytics_events (event_type, product_id)
    select 'checkout_view', gen_random_uuid() from generate_series(1, 4001)`)
  const headers = await shop.signIn()
  const answer = await shop.app.inject({ url: apiRoutes.analyticsEvents, headers })
  const listed: ListedEvent[] = answer.json()
  assert.equal(new Set(listed.map((event) => event.productId)).size, 4_001)
  assert.equal(listed.length, 4_001)
})
