import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { adminPages, apiRoutes, checkoutPath, pages, pathOf } from '#contract/paths.ts'
import { createApp } from '#server/app.ts'
import { openDatabase } from '#server/db/database.ts'
import { sql } from '#server/db/drizzle.ts'
import { products } from '#server/db/schema.ts'
import { orderLink } from '#server/orders/order-link.ts'
import { addMug } from '#server/testing/buyer.ts'
import { addOrder } from '#server/testing/mails.ts'
import { addCode, changeConfig } from '#server/testing/prices.ts'
import { openTestShop, testSecret } from '#server/testing/test-shop.ts'
import { readWebFiles } from './web-files.ts'

const web = await readWebFiles()
let rendered = 0
const shop = await openTestShop({
  web: {
    ...web,
    checkoutPage: (data, nonce) => {
      rendered += 1
      return web.checkoutPage(data, nonce)
    },
  },
})

async function read(url: string, accepted?: string) {
  const headers = accepted === undefined ? {} : { 'accept-encoding': accepted }
  const { headers: answered, rawPayload } = await shop.app.inject({ url, headers })
  const isCompressed = answered['content-encoding'] === 'gzip'
  const nonce = /nonce-([\w+/=]+)/.exec(String(answered['content-security-policy']))?.[1] ?? '-'
  return {
    isCompressed,
    bytes: rawPayload.length,
    nonce,
    html: (isCompressed ? gunzipSync(rawPayload) : rawPayload).toString(),
    vary: answered.vary,
  }
}

test('a page is the same compressed and plain', async () => {
  const mug = await addMug(shop)
  for (const url of ['/login', '/nowhere', checkoutPath(mug)]) {
    const plain = await read(url)
    const [one, other] = [
      await read(url, 'gzip, deflate, br'),
      await read(url, 'br;q=1, gzip;q=.5'),
    ]
    assert.deepEqual(
      [plain.isCompressed, one.isCompressed, other.isCompressed],
      [false, true, true],
    )
    for (const page of [plain, one, other]) {
      assert.equal(page.html.replace(page.nonce, ''), plain.html.replace(plain.nonce, ''))
      assert.equal(page.vary, 'accept-encoding')
    }
    assert.ok(one.bytes < plain.bytes)
  }
})

test('only who takes gzip gets it', async () => {
  const long = `gzip${' '.repeat(12_000)}x`
  for (const accepted of ['', 'identity', 'br', 'gzip;q=0', 'gzip; q=0.0', 'x-gzippy', long])
    assert.equal((await read('/login', accepted)).isCompressed, false, accepted)
  for (const accepted of ['gzip', 'GZIP', 'deflate,gzip;q=0.1', 'gzip ; q=1 , br'])
    assert.equal((await read('/login', accepted)).isCompressed, true, accepted)
})

test('a checkout page is rendered once, and again when its product changes', async () => {
  const mug = await addMug(shop)
  const readAgain = async () => {
    shop.shop.productCache.outdate(mug)
    return (await read(checkoutPath(mug), 'gzip')).html
  }
  rendered = 0
  for (let visit = 0; visit < 5; visit += 1) await readAgain()
  assert.equal(rendered, 1)
  await shop.db.update(products).set({ name: 'Elm mug', updatedAt: new Date() })
  assert.match(await readAgain(), /Elm mug/)
  // By somebody at the database, who says nothing of when.
  await shop.db.update(products).set({ name: 'Oak mug' })
  assert.match(await readAgain(), /Oak mug/)
  assert.equal(rendered, 3)
})

test('visitors who are shown something else get another page, and each of these is rendered once', async () => {
  const { payments, productCache } = shop.shop
  const { buyersLanguage } = shop.shop.config
  const mug = await addMug(shop)
  const url = checkoutPath(mug)
  const { account } = payments
  const counted = { stock: 3, testStock: 3, stockCountedAt: sql`now()`, showsLeft: true }
  await shop.db.update(products).set(counted)
  productCache.outdate(mug)
  const shown = new Set<string>()
  const assertRendered = async (why: string, query = '', headers: Record<string, string> = {}) => {
    rendered = 0
    for (const _ of [1, 2])
      shown.add((await shop.app.inject({ url: `${url}${query}`, headers })).body)
    assert.equal(rendered, 1, why)
  }
  await assertRendered('first')
  changeConfig(shop, { buyersLanguage: 'browser' })
  await assertRendered('settings')
  await assertRendered('language', '?lang=de')
  await assertRendered('address', '', { host: 'mugs.example' })
  await assertRendered('a code that does not count', '?code=none')
  payments.account = () => ({ ...account(), country: 'US' })
  await assertRendered('account')
  payments.account = () => ({ ...account(), mode: 'live' })
  await assertRendered('mode')
  payments.account = account
  await addOrder(shop.db, { productId: mug, isTest: true })
  await assertRendered('pieces left')
  assert.equal(shown.size, 8)
  changeConfig(shop, { buyersLanguage })
})

test('a page with a discount is nobody else’s', async () => {
  await addCode(shop, 'TEN')
  const url = `${checkoutPath(await addMug(shop))}?code=TEN`
  rendered = 0
  for (const _ of [1, 2]) await read(url)
  assert.equal(rendered, 2)
})

test('a checkout page is the same for all visitors, and the nonce of its policy is in it', async () => {
  const url = checkoutPath(await addMug(shop))
  const [one, other] = [await read(url), await read(url)]
  assert.deepEqual(one, other)
  assert.equal(one.html.split(`nonce="${one.nonce}"`).length, 2)
})

test('who has what everybody reads alike is told so, until it changes', async () => {
  const id = await addMug(shop)
  for (const url of [checkoutPath(id), pathOf(apiRoutes.product, { id })]) {
    const ask = (etag: string) => shop.app.inject({ url, headers: { 'if-none-match': etag } })
    const { headers } = await shop.app.inject(url)
    const etag = String(headers.etag)
    for (const known of [etag, `W/"other", ${etag}`]) {
      const same = await ask(known)
      assert.deepEqual([same.statusCode, same.body], [304, ''])
      assert.equal(same.headers.etag, etag)
      assert.equal(same.headers['content-security-policy'], headers['content-security-policy'])
    }
    await shop.db.update(products).set({ name: `Elm mug of ${url}`, updatedAt: new Date() })
    shop.shop.productCache.outdate(id)
    const changed = await ask(etag)
    assert.equal(changed.statusCode, 200)
    assert.match(changed.body, /Elm mug of/)
  }
})

test('a missing page is missing, whatever the browser has', async () => {
  const { headers } = await shop.app.inject('/nowhere')
  const again = { 'if-none-match': String(headers.etag) }
  assert.equal((await shop.app.inject({ url: '/nowhere', headers: again })).statusCode, 404)
})

test('buyers of a shop without a mail server, or of test orders, are promised no mails', async () => {
  const { mail } = shop.shop.config
  const customerEmail = 'anna@example.com'
  const order = await addOrder(shop.db, { customerEmail })
  const testOrder = await addOrder(shop.db, { customerEmail, isTest: true })
  const links = [order, testOrder].map((one) => orderLink('', one, testSecret))
  const urls = [checkoutPath(await addMug(shop)), ...links]
  const promises =
    /you receive an email that says so|email is on its way to|acknowledge it by email to [^,]+, with its|then confirm by email/g
  const find = async () => (await Promise.all(urls.map((url) => read(url)))).map(({ html }) => html)
  for (const html of await find()) assert.doesNotMatch(html, promises)
  assert.match((await find())[1] ?? '', /This shop sends no emails/)
  changeConfig(shop, { mail: { ...mail, smtpUrl: 'smtp://127.0.0.1:1' } })
  const [checkout = '', thanks = '', thanksOfTest = ''] = await find()
  assert.equal(thanks.match(promises)?.length, 4, 'confirmation, terms, a withdrawal, its policy')
  // What is about a test is acknowledged to the owner alone.
  for (const html of [checkout, thanksOfTest]) {
    assert.doesNotMatch(html, promises)
    assert.match(html, /only if order number and email belong to an order that was no test/)
  }
  changeConfig(shop, { mail })
})

test('a long policy is in a checkout page once', async () => {
  const mug = await addMug(shop)
  const headers = await shop.signIn()
  const saved = await shop.app.inject({
    method: 'PUT',
    url: pathOf(apiRoutes.settingsSection, { section: 'policies' }),
    headers,
    payload: {
      version: 0,
      values: { refund: 'Thirty days, no questions.', shipping: null, privacy: null, terms: null },
    },
  })
  assert.equal(saved.statusCode, 200, saved.body)
  const { html } = await read(checkoutPath(mug))
  assert.equal(html.split('Thirty days, no questions.').length, 2)
})

test('a page of the back-office names its scripts and, for a session, what it reads first', async () => {
  const admin = await shop.signIn()
  const ended = { cookie: 'till_session=ended' }
  const links = async (url: string, headers = {}) => {
    const { body } = await shop.app.inject({ url, headers })
    return {
      scripts: [...body.matchAll(/<link rel="modulepreload" crossorigin href="([^"]+)">/g)].length,
      reads: [...body.matchAll(/<link rel="preload" as="fetch"[^>]* href="([^"]+)">/g)].map(
        ([, read]) => read,
      ),
    }
  }
  for (const url of adminPages) {
    const { scripts, reads } = await links(url, admin)
    assert.ok(scripts > 0, url)
    assert.deepEqual(reads.slice(0, 2), [apiRoutes.adminUser, apiRoutes.notices], url)
    assert.deepEqual((await links(url)).reads, [], 'nobody is signed in')
    assert.deepEqual((await links(url, ended)).reads, [], 'nobody is signed in any more')
  }
  assert.deepEqual((await links(`${pages.orders}?status=shipped`, admin)).reads, [])
  assert.deepEqual(await links(pages.login, admin), { scripts: 0, reads: [] })
})

test('without a database the back-office is still shown, to say so', async () => {
  const away = openDatabase({ host: '/nowhere', user: 'till', database: 'till' }, () => {})
  const app = await createApp({ ...shop.shop, web, db: away.db, pool: away.pool })
  const { statusCode, body } = await app.inject({
    url: pages.orders,
    headers: { cookie: 'till_session=x' },
  })
  assert.equal(statusCode, 200)
  assert.doesNotMatch(body, /as="fetch"/)
  await away.close()
})
