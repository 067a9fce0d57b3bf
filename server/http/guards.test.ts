import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { connect, type AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import fastify from 'fastify'
import { apiRoutes, checkoutPath, pathOf, thankYouPath } from '#contract/paths.ts'
import { objectUrl } from '#contract/pictures.ts'
import { dummyHash, hashPassword, isOutdatedHash, verifyPassword } from '#server/admin/passwords.ts'
import { credentials, rateLimits } from '#server/db/admin-schema.ts'
import { sql } from '#server/db/drizzle.ts'
import { orderCalls } from '#server/orders/calls.ts'
import { addMug } from '#server/testing/buyer.ts'
import { noise, openPictureClient } from '#server/testing/pictures.ts'
import { openTestShop, testAdmin } from '#server/testing/test-shop.ts'
import { uploadCalls } from '#server/uploads/calls.ts'
import { guardRoutes } from './access.ts'
import { mountCalls } from './calls.ts'
import { registerClientAddress } from './proxies.ts'
import { registerErrorHandler } from './errors.ts'
import {
  consumeLimit,
  createRateLimiter,
  createRequestLimits,
  deleteExpiredLimits,
  limitRequests,
} from './rate-limits.ts'
import { readWebFiles } from './web-files.ts'

const shop = await openTestShop({ web: await readWebFiles() })

test('pages run scripts of our own only, from files only', async () => {
  for (const url of ['/login', '/products', '/nowhere']) {
    const policy = String((await shop.app.inject(url)).headers['content-security-policy'])
    assert.match(policy, /script-src 'self';/)
    assert.match(policy, /default-src 'none';/)
    const isAdmin = url !== '/nowhere'
    assert.match(policy, isAdmin ? /; style-src 'self' 'nonce-[\w+/=]+'$/ : /; style-src 'self'$/)
    assert.doesNotMatch(policy, /unsafe/)
  }
})

test('each page of the back-office has a nonce of its own, and it is in the page', async () => {
  const [first, second] = await Promise.all([shop.app.inject('/login'), shop.app.inject('/login')])
  const nonceOf = (text: unknown) => /nonce-([\w+/=]+)/.exec(String(text))?.[1] ?? ''
  const nonce = nonceOf(first.headers['content-security-policy'])
  assert.ok(first.body.includes(`nonce="${nonce}"`))
  assert.notEqual(nonce, nonceOf(second.headers['content-security-policy']))
})

test('browsers are told to use TLS only, for a year', async () => {
  const { headers } = await shop.app.inject('/login')
  assert.equal(headers['strict-transport-security'], 'max-age=31536000')
  assert.equal(headers['x-frame-options'], 'DENY')
})

test('a thank-you page is read as seldom as an order, counted together', async () => {
  const id = randomUUID()
  const remoteAddress = '192.0.2.44'
  for (let read = 0; read < 30; read += 1) {
    const page = await shop.app.inject({ url: thankYouPath(id), remoteAddress })
    const call = await shop.app.inject({ url: pathOf(apiRoutes.order, { id }), remoteAddress })
    assert.deepEqual([page.statusCode, call.statusCode], [404, 404])
  }
  const refused = await shop.app.inject({ url: thankYouPath(id), remoteAddress })
  assert.equal(refused.statusCode, 429)
  assert.match(String(refused.headers['content-type']), /text\/html/)
  assert.match(refused.body, /Too many requests\. Please wait a moment/)
})

test('what cannot be read in the query of a page is ignored; calls refuse it', async () => {
  const mug = await addMug(shop)
  for (const query of ['utm=%00', '__proto__=x', 'constructor=x', 'key=%00&__proto__=%00']) {
    for (const [page, status] of [
      [checkoutPath(mug), 200],
      [thankYouPath(randomUUID()), 404],
      ['/login', 200],
      ['/nowhere', 404],
      ['/checkout/%00', 404],
    ] as const) {
      const answer = await shop.app.inject(`${page}?${query}`)
      assert.equal(answer.statusCode, status, `${page}?${query}`)
      assert.match(String(answer.headers['content-type']), /text\/html/)
    }
    const call = await shop.app.inject(`${apiRoutes.healthLive}?${query}`)
    assert.deepEqual([call.statusCode, call.json().code], [400, 'body-unreadable'])
  }
})

test('a request line with a whole URL is checked like one with a path', async () => {
  await shop.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = shop.app.server.address() as AddressInfo
  const ask = async (target: string) => {
    const socket = connect(port, '127.0.0.1')
    socket.end(`GET ${target} HTTP/1.1\r\nhost: shop.example\r\nconnection: close\r\n\r\n`)
    return (await text(socket)).slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length)
  }
  for (const origin of ['', 'http://shop.example', 'HTTPS://other.example:81', 'http://[::1]']) {
    assert.equal(await ask(`${origin}${apiRoutes.healthLive}?x=%00`), '400', origin)
    assert.equal(await ask(`${origin}${apiRoutes.healthLive}`), '200', origin)
    assert.equal(await ask(`${origin}/login?x=%00`), '200', origin)
  }
  assert.equal(await ask('http://shop.example'), await ask('/'))
})

test('pictures that do not exist are counted, those that do are not', async () => {
  const { key } = await (await openPictureClient(shop)).upload(await noise(9, 9).png().toBuffer())
  const app = fastify()
  registerErrorHandler(app)
  registerClientAddress(app)
  limitRequests(app, createRequestLimits(3))
  mountCalls(app, shop.shop, uploadCalls)
  const statuses = []
  for (const name of [key, key, key, key, randomUUID(), randomUUID(), key, randomUUID(), key])
    statuses.push((await app.inject(objectUrl(name))).statusCode)
  assert.deepEqual(statuses, [200, 200, 200, 200, 404, 404, 200, 404, 429])
})

test('nothing that an admin reads, and no page, is kept in a cache', async () => {
  const { cookie } = await shop.signIn()
  for (const [route, access] of shop.app.accessOfRoutes) {
    const [method = '', url = ''] = route.split(' ')
    if (!/^(GET|HEAD)$/.test(method) || access === 'public') continue
    for (const headers of [{ cookie }, {}]) {
      const answer = await shop.app.inject({ method: 'GET', url, headers })
      assert.equal(answer.headers['cache-control'], 'no-store', route)
    }
  }
  for (const url of ['/nowhere', '/api/nothing'])
    assert.equal((await shop.app.inject(url)).headers['cache-control'], 'no-store', url)
})

test('sockets, headers and requests are limited', () => {
  const { headersTimeout, requestTimeout, keepAliveTimeout, timeout } = shop.app.server
  assert.deepEqual(shop.shop.config.connections, {
    max: 1_000,
    maxPerAddress: 100,
    lateBodyMs: 15_000,
  })
  assert.equal(keepAliveTimeout, 72_000)
  assert.equal(headersTimeout, 10_000)
  assert.equal(requestTimeout, 900_000)
  assert.equal(timeout, 60_000)
})

test('requests of one address are counted, on known and unknown routes, allowed or not', async () => {
  const app = fastify()
  registerErrorHandler(app)
  registerClientAddress(app)
  limitRequests(app, createRequestLimits(3))
  guardRoutes(app, {
    addresses: { publicUrl: undefined, customDomain: undefined },
    findSession: async () => undefined,
  })
  app.get('/admin', { config: { access: 'admin' } }, async () => 'secret')
  for (const url of ['/nowhere', '/admin']) {
    const remoteAddress = `192.0.2.${url.length}`
    const statuses = []
    for (let call = 0; call < 4; call += 1) {
      statuses.push((await app.inject({ url, remoteAddress })).statusCode)
    }
    assert.equal(statuses.at(-1), 429, url)
    assert.equal(statuses.filter((status) => status === 429).length, 1)
  }
  assert.equal((await app.inject({ url: '/nowhere', remoteAddress: '192.0.2.99' })).statusCode, 404)
})

test('a bulk action of an admin is not limited like single requests, others are', async () => {
  const app = fastify()
  registerErrorHandler(app)
  registerClientAddress(app)
  limitRequests(app, createRequestLimits(3))
  const admin = { id: 'a', email: 'owner@example.com', username: 'owner' }
  guardRoutes(app, {
    addresses: { publicUrl: undefined, customDomain: undefined },
    findSession: async ({ headers }) =>
      headers.cookie === 'admin' ? { admin, checkedAt: new Date() } : undefined,
  })
  const unused = async () => {
    throw new Error('not called here')
  }
  mountCalls(app, { db: shop.db, findMode: () => 'test' as const, readOrder: unused }, orderCalls)
  const id = randomUUID()
  const url = pathOf(apiRoutes.orderStatus, { id })
  const timeline = pathOf(apiRoutes.orderTimeline, { id })
  const change = async (client: object) =>
    (await app.inject({ method: 'PATCH', url, payload: { status: 'shipped' }, ...client }))
      .statusCode
  const headers = { cookie: 'admin' }
  const read = async () => (await app.inject({ url: timeline, headers })).statusCode
  for (let call = 0; call < 20; call += 1) assert.equal(await change({ headers }), 404)
  assert.deepEqual([await read(), await read(), await read(), await read()], [404, 404, 404, 429])
  const stranger = () => change({ remoteAddress: '192.0.2.7' })
  assert.deepEqual(
    [await stranger(), await stranger(), await stranger(), await stranger()],
    [401, 401, 401, 429],
  )
})

test('with very many addresses only the oldest counters are forgotten', () => {
  const { consume } = createRateLimiter(2)
  const useUp = (key: string) => {
    consume(key)
    consume(key)
  }
  useUp('an early attacker')
  useUp('a late attacker')
  for (let address = 0; address < 49_999; address += 1) consume(`address ${address}`)
  assert.throws(() => consume('a late attacker'), /Too many requests/)
  consume('an early attacker')
})

test('HEAD needs the same access as GET', async () => {
  for (const url of [apiRoutes.adminUser, apiRoutes.products, apiRoutes.review]) {
    assert.equal((await shop.app.inject({ method: 'HEAD', url })).statusCode, 401, url)
  }
})

test('passwords and the dummy hash use the full cost settings', async () => {
  assert.match(await hashPassword('any password'), /^\$argon2id\$v=19\$m=65536,t=3,p=1\$/)
  assert.equal(isOutdatedHash(dummyHash), false)
})

test('a weaker hash is replaced when its owner signs in', async () => {
  const own = await openTestShop()
  const { username, password } = testAdmin
  const logIn = () =>
    own.app.inject({ method: 'POST', url: apiRoutes.adminLogin, payload: { username, password } })
  const isOutdated = async () => {
    const [row] = await own.db.select().from(credentials)
    return isOutdatedHash(row?.passwordHash ?? '')
  }
  assert.equal(await isOutdated(), true, 'test shops begin with a weak hash')
  assert.equal((await logIn()).statusCode, 200)
  assert.equal(await isOutdated(), false)
  assert.equal((await logIn()).statusCode, 200, 'with the renewed hash')
})

test('of many sign-ins at once some wait and the rest is refused', async () => {
  const tries = await Promise.allSettled(
    Array.from({ length: 40 }, (_, n) =>
      verifyPassword(undefined, 'guess', { key: `address ${n}` }),
    ),
  )
  const refused = tries.filter(({ status }) => status === 'rejected')
  assert.equal(refused.length, 40 - 22)
})

test('expired limits are deleted', async () => {
  await consumeLimit(shop.db, { name: 'test', max: 1, seconds: 60 }, 'somebody')
  await shop.db.update(rateLimits).set({ resetsAt: sql`now() - interval '1 second'` })
  await deleteExpiredLimits(shop.db)
  assert.deepEqual(await shop.db.select().from(rateLimits), [])
})

test('a URL that cannot be decoded gets a response of ours', async () => {
  for (const url of ['/%zz', '/api/products/%ff', '/%']) {
    const answer = await shop.app.inject(url)
    assert.equal(answer.statusCode, 404, url)
    assert.equal(answer.json().message, answer.json().error)
    assert.equal(answer.headers['x-content-type-options'], 'nosniff')
  }
})

test('the back-office is not on the custom domain, however its name is written', async () => {
  const own = await openTestShop({
    environment: { CUSTOM_DOMAIN: 'pay.example.com', PUBLIC_URL: 'https://shop.example.com' },
  })
  for (const host of [
    'pay.example.com',
    'PAY.example.com',
    'pay.example.com:443',
    'pay.example.com.',
    'pay.example.com:8443',
  ]) {
    assert.equal(
      (await own.app.inject({ url: apiRoutes.adminUser, headers: { host } })).statusCode,
      404,
      host,
    )
  }
  const fromPaymentPage = { origin: 'https://pay.example.com', host: 'shop.example.com' }
  const login = {
    method: 'POST',
    url: apiRoutes.adminLogin,
    payload: { username: 'a', password: 'b' },
  } as const
  assert.equal((await own.app.inject({ ...login, headers: fromPaymentPage })).statusCode, 403)
})
