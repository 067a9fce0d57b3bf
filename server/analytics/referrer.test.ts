import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { checkoutPath } from '#contract/paths.ts'
import { analyticsEvents } from '#server/db/analytics-schema.ts'
import { desc, sql } from '#server/db/drizzle.ts'
import { readWebFiles } from '#server/http/web-files.ts'
import { addMug } from '#server/testing/buyer.ts'
import { openTestShop } from '#server/testing/test-shop.ts'
import { agents, differences, newcomer, summary, view } from './test-visitor.ts'

const environment = { PUBLIC_URL: 'http://till.example', CUSTOM_DOMAIN: 'http://pay.example' }
const shop = await openTestShop({ environment, web: await readWebFiles() })
const productId = await addMug(shop)

/** As which site a visitor's is kept. */
async function kept(referer: string): Promise<string | null | undefined> {
  await view(shop, productId, { ...newcomer(), referer })
  const [event] = await shop.db
    .select()
    .from(analyticsEvents)
    .orderBy(desc(analyticsEvents.createdAt))
  return event?.referrer
}

test('the shop is no site that visitors come from, on neither of its domains', async () => {
  for (const own of ['localhost', 'till.example', 'pay.example', 'PAY.example.'])
    assert.equal(await kept(`http://${own}/checkout`), null, own)
  assert.equal(await kept('https://shop.pay.example/x'), 'https://shop.pay.example')
})

test('a host that no name can have is none', async () => {
  const host = (length: number) => `${'x'.repeat(length - '.example'.length)}.example`
  assert.equal(await kept(`https://${host(253)}`), `https://${host(253)}`)
  assert.equal(await kept(`https://${host(254)}`), null)
})

test('where a visit began is forgotten when it ends', async () => {
  const headers = { referer: 'https://blog.example/post' }
  const { cookies } = await shop.app.inject({ url: checkoutPath(productId), headers })
  assert.equal(cookies.find(({ name }) => name.endsWith('till_from'))?.maxAge, 30 * 60)
})

test('a day knows three hundred sites; further ones are others, and bots bring none', async (story) => {
  const busy = await openTestShop()
  const mug = await addMug(busy)
  await summary(busy)
  const from = (referer: string, userAgent = agents.desktop) =>
    view(busy, mug, { ...newcomer(), userAgent, referer })
  const sites = Array.from({ length: 310 }, (_none, site) => `https://spam${site}.example`)
  await Promise.all(sites.map((_site, bot) => from(`https://bot${bot}.example`, agents.bot)))
  await Promise.all(sites.slice(0, 300).map((site) => from(site)))
  await Promise.all([...sites.slice(300), 'https://spam7.example'].map((site) => from(site)))
  const { referrers } = await summary(busy)
  assert.deepEqual(referrers.slice(0, 3), [
    { referrer: 'Other', views: 10 },
    { referrer: 'https://spam7.example', views: 2 },
    { referrer: 'https://spam0.example', views: 1 },
  ])
  const { rows } = await busy.db.execute(
    sql`select distinct key from analytics_days where kind = 'referrer' and zone = 'UTC'`,
  )
  assert.equal(rows.length, 301)
  assert.deepEqual(await differences(busy), [])

  story.after(() => mock.timers.reset())
  mock.timers.enable({ apis: ['Date'], now: Date.now() + 24 * 60 * 60 * 1000 })
  await from('https://tomorrow.example')
  const events = await busy.db.select().from(analyticsEvents)
  assert.ok(events.some(({ referrer }) => referrer === 'https://tomorrow.example'))
})
