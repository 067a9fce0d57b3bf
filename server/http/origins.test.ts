import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Notice } from '#contract/admin.ts'
import { apiRoutes, checkoutPath, thankYouPath } from '#contract/paths.ts'
import { productSchema } from '#contract/products.ts'
import { createProduct } from '#server/catalog/products.ts'
import { addMug, createBuyer, payByCard } from '#server/testing/buyer.ts'
import { shownPicture } from '#contract/pictures.ts'
import { readConfig } from '#server/config.ts'
import { products } from '#server/db/schema.ts'
import { openPayments } from '#server/sumup/payments.ts'
import { temporaryFolder } from '#server/testing/temporary-folder.ts'
import { openTestShop, type TestShop } from '#server/testing/test-shop.ts'
import { readWebFiles } from './web-files.ts'

const web = await readWebFiles()
const domains = { PUBLIC_URL: 'https://shop.example.com', CUSTOM_DOMAIN: 'pay.example.com' }
const shop = await openTestShop({ web, environment: domains })
const mug = await addMug(shop)

const open = (url: string, headers: Record<string, string>, method: 'GET' | 'HEAD' = 'GET') =>
  shop.app.inject({ method, url, headers })

test('the back-office’s address sends buyers’ pages to the custom domain and serves none', async () => {
  const host = 'shop.example.com'
  for (const path of [checkoutPath(mug), thankYouPath(mug), '/checkout/nothing', '/thank-you/x']) {
    for (const method of ['GET', 'HEAD'] as const) {
      const answer = await open(`${path}?key=1.a&utm=x%20y`, { host }, method)
      assert.equal(answer.statusCode, 302, path)
      assert.equal(
        answer.headers.location,
        `https://pay.example.com${path}?key=1.a&utm=x%20y`,
        method,
      )
      assert.equal(answer.headers['cache-control'], 'no-store')
      assert.equal(answer.headers['set-cookie'], undefined)
      assert.equal(answer.body, '')
    }
  }
  const there = await open(checkoutPath(mug), { host: 'pay.example.com' })
  assert.equal(there.statusCode, 200)
  assert.match(there.body, /Mug/)
})

test('calls of the storefront work on both addresses', async () => {
  for (const host of ['shop.example.com', 'pay.example.com']) {
    const buyer = createBuyer(shop, '203.0.113.4', { host, origin: `https://${host}` })
    const checkoutId = await buyer.arrive(mug)
    await payByCard(shop.sandbox, checkoutId)
    assert.equal((await buyer.order(checkoutId)).statusCode, 201, host)
  }
})

test('where a proxy replaces the host, the owner is told that the two addresses are one', async () => {
  const apart = await openTestShop({ web, environment: domains })
  const product = await addMug(apart)
  const { cookie } = await apart.signIn()
  const ask = async (url: string, headers: Record<string, string>) =>
    (await apart.app.inject({ url, headers })).statusCode
  const proxied = { 'x-forwarded-for': '203.0.113.5', cookie }
  for (const url of [checkoutPath(product), apiRoutes.orders]) {
    for (const host of ['shop.example.com', 'pay.example.com']) await ask(url, { ...proxied, host })
  }
  await ask(checkoutPath(apart.shop.secret), { ...proxied, host: 'scanner.example' })
  await ask(apiRoutes.orders, { 'x-real-ip': '203.0.113.5', host: 'scanner.example' })
  assert.equal(await findNotice(apart, 'custom-domain'), undefined)
  // As nginx asks without settings: by the name of the shop's own port, and with no header of its own.
  assert.equal(await ask(checkoutPath(product), { host: '127.0.0.1:3000' }), 200)
  assert.match(
    (await findNotice(apart, 'custom-domain')) ?? '',
    /asked for as 127\.0\.0\.1:3000, .*proxy_set_header Host \$host;/,
  )
  await ask(apiRoutes.orders, { ...proxied, host: 'www.example.com' })
  assert.match((await findNotice(apart, 'custom-domain')) ?? '', /as www\.example\.com/)
})

test('a name that is neither of the two is served as it is, since a redirect could lead back', async () => {
  for (const host of ['localhost:3000', '127.0.0.1:3000', '[::1]:3000', 'till:3000'])
    assert.equal((await open(checkoutPath(mug), { host })).statusCode, 200, host)
  const unpublished = await openTestShop({ web, environment: { CUSTOM_DOMAIN: 'pay.example.com' } })
  const product = await addMug(unpublished)
  const ask = async (host: string) =>
    (await unpublished.app.inject({ url: checkoutPath(product), headers: { host } })).statusCode
  assert.deepEqual(
    [await ask('localhost:3000'), await ask('shop.example.org'), await ask('pay.example.com')],
    [200, 302, 200],
  )
})

test('either header that names the custom domain closes the back-office and opens the checkout', async () => {
  const { cookie } = await shop.signIn()
  for (const names of [
    { host: 'pay.example.com', 'x-forwarded-host': 'shop.example.com' },
    { host: 'shop.example.com', 'x-forwarded-host': 'pay.example.com' },
    { host: 'shop.example.com', 'x-forwarded-host': 'PAY.example.com.:443, shop.example.com' },
  ]) {
    for (const remoteAddress of ['127.0.0.1', '203.0.113.9']) {
      for (const url of ['/', '/login', apiRoutes.adminUser, apiRoutes.orders]) {
        const answer = await shop.app.inject({ url, headers: { ...names, cookie }, remoteAddress })
        assert.equal(answer.statusCode, 404, `${url} ${JSON.stringify(names)}`)
      }
      const page = await shop.app.inject({ url: checkoutPath(mug), headers: names, remoteAddress })
      assert.equal(page.statusCode, 200)
    }
  }
})

async function findNotice({ app, signIn }: TestShop, kind: string): Promise<string | undefined> {
  const notices: Notice[] = (
    await app.inject({ url: apiRoutes.notices, headers: await signIn() })
  ).json()
  const notice = notices.find((given) => given.kind === kind)
  return notice && `${notice.text} ${notice.howTo}`
}

test('the payment page allows what this product and SumUp need, and nothing else', async () => {
  const environment = {
    SUMUP_API_KEY: 'sup_sk_not_used',
    SUMUP_MERCHANT_CODE: 'MH4H92C7',
    DATA_DIR: temporaryFolder(),
  }
  const own = await openTestShop({ web })
  await using opened = new AsyncDisposableStack()
  const config = readConfig({ ...environment, SUMUP_API_URL: own.sandbox.url })
  const { cardFormOrigins } = await openPayments(config, own.shop.log, opened)
  own.shop.payments.cardFormOrigins = cardFormOrigins
  const sumup = 'https://gateway.sumup.com'
  const api = new URL(own.sandbox.url).origin
  const content = productSchema.parse({
    name: 'Mug',
    price: '5.00',
    imageUrl: 'http://pictures.example/mug.png',
    headerLogoUrl: '/api/objects/0123456789abcdef0123456789abcdef',
  })
  const { id } = await createProduct(own.db, content, 'admin')
  const page = await own.app.inject(checkoutPath(id))
  assert.match(page.body, /src="https:\/\/pictures\.example\/mug\.png"/, 'shown over TLS')
  assert.equal(page.headers['cross-origin-opener-policy'], 'same-origin')
  const policy = Object.fromEntries(
    String(page.headers['content-security-policy'])
      .split('; ')
      .map((directive) => [directive.split(' ')[0], directive.split(' ').slice(1)]),
  )
  assert.deepEqual(policy['script-src'], ["'self'", sumup])
  assert.deepEqual(policy['connect-src'], ["'self'", sumup, api])
  assert.deepEqual(policy['img-src'], [
    "'self'",
    'data:',
    sumup,
    api,
    'https://static.sumup.com',
    'https://pictures.example',
  ])
  // A bank's challenge may be anywhere, and the form that opens it is posted from this page.
  assert.deepEqual(policy['frame-src'], ["'self'", 'https:', sumup])
  assert.deepEqual(policy['form-action'], ["'self'", 'https:'])
  for (const closed of ['default-src', 'object-src', 'base-uri', 'frame-ancestors'])
    assert.deepEqual(policy[closed], ["'none'"])
})

test('neither the host of a picture nor a text that is none adds anything to the policy', async () => {
  const own = await openTestShop({ web })
  const id = await addMug(own)
  const policyOf = async (imageUrl: string) => {
    await own.db.update(products).set({ imageUrl })
    own.shop.productCache.outdate(id)
    const { headers } = await own.app.inject(checkoutPath(id))
    return String(headers['content-security-policy']).replace(/nonce-[^']+/, '')
  }
  const plain = await policyOf('mug.png')
  for (const host of ['x;sandbox', "x,default-src'self'", "x;script-src'unsafe-inline'"])
    assert.equal(await policyOf(`https://${host}/a.png`), plain)
  for (const text of [
    'data:image/png,x',
    'https://a:b@evil.example/',
    'blob:https://evil.example/x',
  ])
    assert.equal(await policyOf(text), plain)
  for (const host of ['my_shop.example', '192.0.2.7:8080', '[2001:db8::7]'])
    assert.ok(
      (await policyOf(`https://${host}/a.png`)).split(/;? /).includes(`https://${host}`),
      host,
    )
})

test('a picture’s http address is kept and shown over TLS, unless it has no public name', async () => {
  for (const [given, shown] of [
    ['http://example.com/a.png', 'https://example.com/a.png'],
    ['HTTP://Example.com/a.png', 'https://Example.com/a.png'],
    ['https://example.com/a.png', 'https://example.com/a.png'],
    ['http://localhost/a.png', 'http://localhost/a.png'],
    ['http://192.168.1.5/a.png', 'http://192.168.1.5/a.png'],
    ['http://example.com:8080/a.png', 'http://example.com:8080/a.png'],
  ] as const) {
    assert.equal(shownPicture(given, 'item'), shown)
    const content = productSchema.parse({ name: 'Mug', price: '5.00', headerLogoUrl: given })
    assert.equal(content.headerLogoUrl, given)
  }
})
