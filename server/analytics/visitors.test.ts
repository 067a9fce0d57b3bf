import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { apiRoutes, checkoutPath } from '#contract/paths.ts'
import { analyticsEvents } from '#server/db/analytics-schema.ts'
import { desc } from '#server/db/drizzle.ts'
import { readWebFiles } from '#server/http/web-files.ts'
import { addMug } from '#server/testing/buyer.ts'
import { temporaryFolder } from '#server/testing/temporary-folder.ts'
import { openTestShop } from '#server/testing/test-shop.ts'
import { readDevice } from './devices.ts'
import { openPlaces } from './places.ts'
import { agents, someone, summary, view } from './test-visitor.ts'
import { writePlaces } from './test-places.ts'

const nowhere = { country: undefined, city: undefined }

test('devices are told apart, and nobody is taken for a device they are not', () => {
  const { bot, ...people } = agents
  for (const [deviceType, userAgent] of Object.entries(people))
    assert.equal(readDevice(userAgent).deviceType, deviceType)
  assert.equal(readDevice(bot).isBot, true)
  assert.equal(readDevice('Mozilla/5.0 (SMART-TV; Tizen 6.0) Version/6.0 TV').deviceType, undefined)
})

test('a bot that says so behind a long text is one, and no person who begins the same', () => {
  const long = `${agents.desktop} ${'Extra/1.0 '.repeat(60)}`
  assert.equal(readDevice(long).isBot, false)
  assert.equal(readDevice(`${long}Googlebot/2.1`).isBot, true)
  assert.equal(readDevice(long).deviceType, 'desktop')
})

test('where somebody came from is known from the page they opened, on every call it makes', async () => {
  const shop = await openTestShop({ web: await readWebFiles() })
  const productId = await addMug(shop)
  const newest = async () => {
    const [event] = await shop.db
      .select()
      .from(analyticsEvents)
      .orderBy(desc(analyticsEvents.createdAt))
    return event?.referrer
  }
  const page = (referer: string) =>
    shop.app.inject({ url: checkoutPath(productId), headers: { referer } })
  const own = { referer: `http://localhost${checkoutPath(productId)}` }

  const fromBlog = await page('https://blog.example/post?reader=7')
  const cookie = fromBlog.cookies.map(({ name, value }) => `${name}=${encodeURIComponent(value)}`)
  assert.ok(fromBlog.cookies.every((set) => set.httpOnly))
  await view(shop, productId, { ...own, cookie: cookie.join('; ') })
  assert.equal(await newest(), 'https://blog.example')

  const fromUs = await page(own.referer)
  assert.deepEqual(
    fromUs.cookies.map(({ name }) => name),
    ['till_buyer'],
  )
  for (const value of ['javascript:alert(1)', `https://${'x'.repeat(600)}.example`, 'nonsense']) {
    const forged = `till_from=${encodeURIComponent(value)}`
    await view(shop, productId, { ...own, ip: `192.0.2.${value.length % 250}`, cookie: forged })
    assert.equal(await newest(), null)
  }
})

test('a file with cities tells cities, in the way of either maker', async () => {
  const path = join(temporaryFolder(), 'places.mmdb')
  const maxmind = { country: { iso_code: 'NP' }, city: { names: { en: 'Patan' } } }
  for (const [record, place] of [
    [maxmind, { country: 'Nepal', city: 'Patan' }],
    [
      { country_code: 'DE', city: 'Berlin' },
      { country: 'Germany', city: 'Berlin' },
    ],
    [{ country_code: 'ZZ' }, {}],
    [{ country_code: 'not a code' }, {}],
  ] as const) {
    writeFileSync(path, writePlaces(record))
    const places = openPlaces(path)
    assert.deepEqual(
      { ...nowhere, ...(await places.find('203.0.113.9')) },
      { ...nowhere, ...place },
    )
    assert.deepEqual(await places.find('nowhere'), nowhere)
    assert.equal(await places.maybeTrouble(), undefined)
  }
})

test('a file of places that cannot be read is named to the owner and stops nothing', async () => {
  const shop = await openTestShop({ environment: { GEOIP_DB: '/nowhere/places.mmdb' } })
  const productId = await addMug(shop)
  assert.equal(await view(shop, productId, someone), 204)
  const figures = await summary(shop)
  assert.equal(figures.countries[0]?.country, 'Unknown')
  assert.equal(figures.attribution, null)
  const headers = await shop.signIn()
  const notices = (await shop.app.inject({ url: apiRoutes.notices, headers })).json()
  const notice = notices.find(({ kind }: { kind: string }) => kind === 'places')
  assert.match(notice.text, /GEOIP_DB.*\/nowhere\/places\.mmdb/)
})
