import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { adminPages, apiRoutes, checkoutPath, pages, pathOf } from '#contract/paths.ts'
import { createApp } from '#server/app.ts'
import { openDatabase } from '#server/db/database.ts'
import { products } from '#server/db/schema.ts'
import { addMug } from '#server/testing/buyer.ts'
import { openTestShop } from '#server/testing/test-shop.ts'
import { readWebFiles } from './web-files.ts'

const web = await readWebFiles()
let rendered = 0
const shop = await openTestShop({
  web: {
    ...web,
    checkoutPage: (data) => {
      rendered += 1
      return web.checkoutPage(data)
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

test('a page is the same compressed and plain, each time with a nonce of its own', async () => {
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
    assert.equal(new Set([plain.nonce, one.nonce, other.nonce]).size, 3)
    for (const page of [plain, one, other]) {
      assert.equal(page.html.split(`nonce="${page.nonce}"`).length, 2, url)
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
  rendered = 0
  for (let visit = 0; visit < 5; visit += 1) await read(checkoutPath(mug), 'gzip')
  assert.equal(rendered, 1)
  await shop.db.update(products).set({ name: 'Elm mug', updatedAt: new Date() })
  shop.shop.productCache.delete(mug)
  assert.match((await read(checkoutPath(mug), 'gzip')).html, /Elm mug/)
  assert.equal(rendered, 2)
})

test('a product whose name looks like a nonce is only a name', async () => {
  const mug = await addMug(shop)
  await shop.db.update(products).set({ name: 'The __CSP_NONCE__ mug' })
  shop.shop.productCache.delete(mug)
  const { html, nonce } = await read(checkoutPath(mug), 'gzip')
  assert.match(html, /<title>The __CSP_NONCE__ mug/)
  assert.ok(html.endsWith(`nonce="${nonce}"></template></body></html>`))
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
