import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { visitorFromHeader } from '#contract/analytics.ts'
import { apiRoutes, checkoutPath } from '#contract/paths.ts'
import { analyticsEvents } from '#server/db/analytics-schema.ts'
import { desc } from '#server/db/drizzle.ts'
import { readWebFiles } from '#server/http/web-files.ts'
import { addMug, createBuyer } from '#server/testing/buyer.ts'
import { temporaryFolder } from '#server/testing/temporary-folder.ts'
import { openTestShop } from '#server/testing/test-shop.ts'
import {
  buy,
  createGeoDatabase,
  getSummary,
  knownVisitor,
  newVisitor,
  track,
  userAgents,
  view,
} from '#server/testing/visitors.ts'
import { openGeoLocations } from './geo-locations.ts'
import { parseUserAgent } from './visitors.ts'

const unknownLocation = { country: undefined, city: undefined }

test('devices are recognized by their user agent, and unknown ones have no type', () => {
  const { bot, ...people } = userAgents
  for (const [deviceType, userAgent] of Object.entries(people))
    assert.equal(parseUserAgent(userAgent).deviceType, deviceType)
  assert.equal(parseUserAgent(bot).isBot, true)
  assert.equal(
    parseUserAgent('Mozilla/5.0 (SMART-TV; Tizen 6.0) Version/6.0 TV').deviceType,
    undefined,
  )
})

test('a bot that names itself at the end of a long user agent is recognized', () => {
  const long = `${userAgents.desktop} ${'Extra/1.0 '.repeat(60)}`
  assert.equal(parseUserAgent(long).isBot, false)
  assert.equal(parseUserAgent(`${long}Googlebot/2.1`).isBot, true)
  assert.equal(parseUserAgent(long).deviceType, 'desktop')
})

test('the checkout page reports the site its visitor came from in a header, for views and sales', async () => {
  const shop = await openTestShop()
  const productId = await addMug(shop)
  const own = { referer: `http://localhost${checkoutPath(productId)}` }
  const newest = async () => {
    const [event] = await shop.db
      .select()
      .from(analyticsEvents)
      .orderBy(desc(analyticsEvents.createdAt))
    return event?.referrer
  }
  const reportFrom = async (site: string) => {
    await view(shop, productId, { ...own, ...newVisitor(), [visitorFromHeader]: site })
    return newest()
  }
  assert.equal(await reportFrom('https://blog.example'), 'https://blog.example')
  assert.equal(await reportFrom('https://blog.example/post?reader=7'), 'https://blog.example')
  for (const forged of ['javascript:alert(1)', `https://${'x'.repeat(600)}.example`, 'nonsense'])
    assert.equal(await reportFrom(forged), null)

  const more = { ...own, [visitorFromHeader]: 'https://shop.example' }
  await buy(shop, productId, createBuyer(shop, '203.0.113.1', more))
  assert.equal(await newest(), 'https://shop.example')
})

test('opening the checkout page sets no cookie; creating the payment sets the one it needs', async () => {
  const shop = await openTestShop({ web: await readWebFiles() })
  const productId = await addMug(shop)
  const headers = { referer: 'https://blog.example/post?reader=7' }
  const page = await shop.app.inject({ url: checkoutPath(productId), headers })
  assert.equal(page.statusCode, 200)
  assert.deepEqual(page.cookies, [])
  const viewed = await track(shop, { eventType: 'checkout_view', productId })
  assert.deepEqual(viewed.cookies, [])
  const opened = await createBuyer(shop).open(productId)
  assert.deepEqual(
    opened.cookies.map(({ name, httpOnly }) => [name, httpOnly]),
    [['till_buyer', true]],
  )
})

test('country and city are read from databases of DB-IP and of MaxMind', async () => {
  const path = join(temporaryFolder(), 'geo.mmdb')
  const maxmind = { country: { iso_code: 'NP' }, city: { names: { en: 'Patan' } } }
  for (const [record, location] of [
    [maxmind, { country: 'Nepal', city: 'Patan' }],
    [
      { country_code: 'DE', city: 'Berlin' },
      { country: 'Germany', city: 'Berlin' },
    ],
    [{ country_code: 'ZZ' }, {}],
    [{ country_code: 'not a code' }, {}],
  ] as const) {
    writeFileSync(path, createGeoDatabase(record))
    const geoLocations = openGeoLocations(path)
    assert.deepEqual(
      { ...unknownLocation, ...(await geoLocations.locate('203.0.113.9')) },
      { ...unknownLocation, ...location },
    )
    assert.deepEqual(await geoLocations.locate('nowhere'), unknownLocation)
    assert.equal(await geoLocations.findProblem(), undefined)
  }
})

test('a geolocation database that cannot be read is shown to the owner and stops nothing', async () => {
  const shop = await openTestShop({ environment: { GEOIP_DB: '/nowhere/places.mmdb' } })
  const productId = await addMug(shop)
  assert.equal(await view(shop, productId, knownVisitor), 204)
  const figures = await getSummary(shop)
  assert.equal(figures.countries[0]?.country, 'Unknown')
  assert.equal(figures.attribution, null)
  const headers = await shop.signIn()
  const notices = (await shop.app.inject({ url: apiRoutes.notices, headers })).json()
  const notice = notices.find(({ kind }: { kind: string }) => kind === 'geo-locations')
  assert.match(`${notice.howTo} ${notice.text}`, /GEOIP_DB.*\/nowhere\/places\.mmdb/)
})

const environment = { PUBLIC_URL: 'http://till.example', CUSTOM_DOMAIN: 'http://pay.example' }
const shop = await openTestShop({ environment, web: await readWebFiles() })
const productId = await addMug(shop)

/** The referrer that is stored for a view. */
async function storeReferrer(referer: string): Promise<string | null | undefined> {
  await view(shop, productId, { ...newVisitor(), referer })
  const [event] = await shop.db
    .select()
    .from(analyticsEvents)
    .orderBy(desc(analyticsEvents.createdAt))
  return event?.referrer
}

test('the shop’s own domains are not referrers', async () => {
  for (const own of ['localhost', 'till.example', 'pay.example', 'PAY.example.'])
    assert.equal(await storeReferrer(`http://${own}/checkout`), null, own)
  assert.equal(await storeReferrer('https://shop.pay.example/x'), 'https://shop.pay.example')
})

test('a referrer with an impossible host name is ignored', async () => {
  const host = (length: number) => `${'x'.repeat(length - '.example'.length)}.example`
  assert.equal(await storeReferrer(`https://${host(253)}`), `https://${host(253)}`)
  assert.equal(await storeReferrer(`https://${host(254)}`), null)
})
