import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import fastify from 'fastify'
import type { Notice } from '#contract/admin.ts'
import { apiRoutes } from '#contract/paths.ts'
import { rateLimits } from '#server/db/admin-schema.ts'
import { sql } from '#server/db/drizzle.ts'
import { products } from '#server/db/schema.ts'
import { createBuyer } from '#server/testing/buyer.ts'
import { startProxy } from '#server/testing/proxy.ts'
import { addCode, changeConfig } from '#server/testing/prices.ts'
import { openSaleShop } from '#server/testing/sale.ts'
import { openTestShop, testAdmin, type TestShop } from '#server/testing/test-shop.ts'
import { createAddressHash } from './client-address.ts'
import {
  createProxies,
  hasMoreHops,
  isCountedAsAll,
  registerClientAddress,
  type TrustSetting,
} from './proxies.ts'

/** An app that answers with what it knows of its client. */
function openApp(trusted: TrustSetting) {
  const proxies = createProxies(trusted)
  const app = fastify({ trustProxy: proxies.isTrusted })
  registerClientAddress(app, proxies)
  app.get('/', async (request) => {
    const { address, limitKey, host, protocol } = request
    const facts = { hasMoreHops: hasMoreHops(request), isCountedAsAll: isCountedAsAll(request) }
    return { address, limitKey, host, protocol, ...facts }
  })
  const ask = async (remoteAddress: string, forwardedFor?: string, own: object = {}) => {
    const headers = {
      host: 'inside',
      ...own,
      ...(forwardedFor && {
        'x-forwarded-for': forwardedFor,
        'x-forwarded-host': 'outside',
        'x-forwarded-proto': 'https',
      }),
    }
    return (await app.inject({ url: '/', remoteAddress, headers })).json()
  }
  return { ask, proxies }
}

test('without TRUST_PROXY a proxy on this machine is trusted, one hop', async () => {
  const { ask } = openApp(undefined)
  for (const loopback of ['127.0.0.1', '127.0.0.53', '::1', '::ffff:127.0.0.1']) {
    const seen = await ask(loopback, '192.0.2.66, 203.0.113.7')
    const { address, limitKey, host, protocol } = seen
    assert.deepEqual([address, limitKey], ['203.0.113.7', '203.0.113.7'])
    assert.deepEqual([host, protocol], ['outside', 'https'])
  }
  assert.equal((await ask('127.0.0.1', '203.0.113.7, 127.0.0.1')).address, '127.0.0.1')
})

test('forwarded headers of any other address are ignored', async () => {
  const { ask } = openApp(undefined)
  const seen = await ask('10.0.0.5', '203.0.113.7')
  assert.deepEqual(
    [seen.address, seen.host, seen.protocol],
    ['10.0.0.5', 'inside', 'http'],
    'believed',
  )
})

test('a client that hangs up before its request is handled is no error', async () => {
  const app = fastify()
  app.addHook('onRequest', async ({ socket }) => {
    Object.defineProperty(socket, 'remoteAddress', { value: undefined })
  })
  registerClientAddress(app)
  app.get('/', async ({ address }) => ({ address }))
  const answer = await app.inject('/')
  assert.deepEqual([answer.statusCode, answer.json()], [200, { address: '' }])
})

test('TRUST_PROXY takes a count, addresses and networks', async () => {
  assert.equal((await openApp(2).ask('10.0.0.5', '203.0.113.7, 10.9.9.9')).address, '203.0.113.7')
  const listed = openApp(['10.0.0.0/8', 'fd00::/8', '192.0.2.1'])
  for (const proxy of ['10.1.2.3', '::ffff:10.1.2.3', 'fd00::5', '192.0.2.1'])
    assert.equal((await listed.ask(proxy, '203.0.113.7')).address, '203.0.113.7', proxy)
  assert.equal((await listed.ask('192.0.2.2', '203.0.113.7')).address, '192.0.2.2')
  assert.equal((await listed.ask('127.0.0.1', '203.0.113.7')).address, '127.0.0.1')
})

test('a proxy in front of the trusted one is seen, and not trusted', async () => {
  for (const [trusted, address, isFurther] of [
    [undefined, '198.51.100.1', true],
    [2, '203.0.113.7', false],
  ] as const) {
    const seen = await openApp(trusted).ask('127.0.0.1', '203.0.113.7, 198.51.100.1')
    assert.deepEqual([seen.address, seen.hasMoreHops], [address, isFurther])
  }
  assert.equal((await openApp(undefined).ask('127.0.0.1', '203.0.113.7')).hasMoreHops, false)
  assert.equal((await openApp(undefined).ask('203.0.113.7')).hasMoreHops, false)
})

test('proxies, and what may be one in a private network, have no limit of one visitor on their connections', () => {
  const isProxy = (peer: string, trusted?: TrustSetting) => createProxies(trusted).isProxy(peer)
  assert.equal(isProxy('127.0.0.1'), true)
  assert.equal(isProxy('10.0.0.5', ['10.0.0.0/8']), true)
  assert.equal(isProxy('10.0.0.5'), true)
  assert.equal(isProxy('fd00::5', ['10.0.0.0/8']), true)
  assert.equal(isProxy('203.0.113.7', 1), true)
  assert.equal(isProxy('203.0.113.7', 0), false)
  assert.equal(isProxy('203.0.113.7'), false, 'anyone on the internet')
})

test('clients behind a proxy that is not trusted do not share one limit, and cannot multiply theirs', async () => {
  const { ask } = openApp(undefined)
  const hashAddress = createAddressHash('a secret of the shop')
  for (const proxy of ['10.0.0.5', 'fd00::5']) {
    const keys = new Set<string>()
    for (let client = 0; client < 1_000; client += 1)
      keys.add(hashAddress((await ask(proxy, `198.51.${client >> 8}.${client & 255}`)).limitKey))
    assert.equal(keys.size, 100, proxy)
  }
  const spoofed = new Set<string>()
  for (let claim = 0; claim < 20; claim += 1)
    spoofed.add((await ask('10.0.0.5', `192.0.2.${claim}, 203.0.113.7`)).limitKey)
  assert.equal(spoofed.size, 1, 'only what the proxy added counts')
  assert.equal((await ask('198.51.100.1', '203.0.113.7')).limitKey, '198.51.100.1')
})

test('behind a proxy that is not trusted people can buy, and a stranger does not lock the owner out', async () => {
  const shop = await openSaleShop({ isLive: true })
  const inject = shop.app.inject.bind(shop.app)
  const behindProxy = {
    ...shop,
    app: { inject: (call: object) => inject({ ...call, remoteAddress: '10.0.0.5' }) },
  } as unknown as typeof shop
  const open = async (client: string) =>
    (await createBuyer(behindProxy, client).open(shop.mug)).statusCode
  assert.equal(await open('203.0.113.66'), 200)
  // As if the stranger had gone on.
  await shop.db.update(rateLimits).set({ count: 600 })
  assert.deepEqual([await open('203.0.113.66'), await open('203.0.113.7')], [429, 200])

  const signIn = (client: string, password: string) =>
    behindProxy.app.inject({
      method: 'POST',
      url: apiRoutes.adminLogin,
      headers: { 'x-forwarded-for': client },
      payload: { username: testAdmin.username, password },
    })
  for (let guess = 0; guess < 10; guess += 1) await signIn('203.0.113.66', 'a guess')
  assert.equal((await signIn('203.0.113.66', testAdmin.password)).statusCode, 429)
  assert.equal((await signIn('203.0.113.7', testAdmin.password)).statusCode, 200)
})

test('where a proxy hides everybody, a stranger uses up the limits of nobody else', async () => {
  const live = await openSaleShop({ isLive: true })
  await addCode(live, 'HONEST')
  const hidden = () => createBuyer(live, null)
  const open = async (code: string) => {
    const answer = await hidden().open(live.mug, '44.10', 'EUR', { code })
    return answer.json().code ?? answer.statusCode
  }
  const state = async (orderNumber: string) => {
    const statement = { name: 'Anna', orderNumber, email: 'anna@example.com' }
    return (await hidden().call('POST', apiRoutes.withdrawals, statement)).statusCode
  }
  for (let guess = 0; guess < 31; guess += 1) {
    assert.equal(await open(`GUESS${guess}`), 'code-unknown')
    assert.equal(await state(`${guess}`), 202)
  }
  assert.deepEqual([await open('HONEST'), await state('1042')], [200, 202])
})

test('while a proxy in front of the trusted one hides buyers, they share no limit, and the owner is told', async () => {
  const live = await openSaleShop({ isLive: true })
  const { db, app, shop, mug } = live
  await db.update(products).set({ stock: 10, testStock: 10, stockCountedAt: sql`now()` })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const edge = '198.51.100.1'
  const { port } = app.server.address() as AddressInfo
  const publicUrl = await startProxy(port, { 'x-forwarded-for': `192.0.2.9, ${edge}` })
  changeConfig(live, { publicUrl })
  let buyers = 0
  const hold = async () => {
    const buyer = createBuyer(live, `203.0.113.${(buyers += 1)}, ${edge}`)
    const { checkoutId } = (await buyer.open(mug)).json()
    return (await buyer.saveDetails(checkoutId)).statusCode
  }
  const readNotices = async () =>
    (await app.inject({ url: apiRoutes.notices, headers: await live.signIn() })).body
  assert.deepEqual([await hold(), await hold(), await hold(), await hold()], [204, 204, 204, 429])
  assert.doesNotMatch(await readNotices(), /TRUST_PROXY/)
  await shop.selfChecks.run()
  assert.deepEqual([await hold(), await hold()], [204, 204])
  assert.match(await readNotices(), /another proxy in front of yours.*TRUST_PROXY=2/)
  changeConfig(live, { publicUrl: await startProxy(port, { 'x-forwarded-for': '192.0.2.9' }) })
  await shop.selfChecks.run()
  assert.equal(await hold(), 429)
  assert.doesNotMatch(await readNotices(), /TRUST_PROXY/)
})

test('everybody is counted as a proxy that hides them, and not as one that says for whom it asks', async () => {
  const listed = openApp(['10.0.0.0/8'])
  const countsAll = async (...call: Parameters<typeof listed.ask>) =>
    (await listed.ask(...call)).isCountedAsAll
  assert.equal(await countsAll('10.0.0.5'), true)
  assert.equal(await countsAll('10.0.0.5', '10.0.0.6'), true)
  assert.equal(await countsAll('127.0.0.1'), true)
  assert.equal(await countsAll('10.0.0.5', '203.0.113.7'), false)
  assert.equal(await countsAll('192.168.0.5', '203.0.113.7'), false, 'spread over counters')
  assert.equal(await countsAll('203.0.113.7'), false)
  const counted = openApp(1)
  assert.equal((await counted.ask('198.51.100.1')).isCountedAsAll, true)
  assert.equal((await counted.ask('198.51.100.1', '203.0.113.7')).isCountedAsAll, false)
})

/** What an admin is told who asks from `peer`. */
async function readProxyNotice(shop: TestShop, peer: string, headers: Record<string, string>) {
  const answer = await shop.app.inject({
    url: apiRoutes.notices,
    headers: { ...(await shop.signIn()), ...headers },
    remoteAddress: peer,
  })
  const notice = answer.json<Notice[]>().find(({ kind }) => kind === 'proxy')
  return notice && `${notice.title} ${notice.text} ${notice.howTo}`
}

test('an admin whose request comes through a proxy that is not trusted, or says nothing, is told', async () => {
  const environment = { PUBLIC_URL: 'https://shop.example.com' }
  const shop = await openTestShop({ environment })
  const host = 'shop.example.com'
  const forwarded = { host, 'x-forwarded-for': '203.0.113.7' }
  const tell = (peer: string, headers: Record<string, string>) =>
    readProxyNotice(shop, peer, headers)
  assert.match(
    (await tell('10.0.0.5', forwarded)) ?? '',
    /^All visitors look like one\. .*through a proxy at 10\.0\.0\.5.*TRUST_PROXY=10\.0\.0\.5$/,
  )
  assert.match((await tell('127.0.0.1', { host })) ?? '', /127\.0\.0\.1 does not say for whom/)
  assert.match(
    (await tell('127.0.0.1', { host, 'x-real-ip': '203.0.113.7' })) ?? '',
    /127\.0\.0\.1 does not say for whom/,
  )
  assert.equal(await tell('127.0.0.1', forwarded), undefined)
  assert.equal(await tell('127.0.0.1', { host: '127.0.0.1:3000' }), undefined, 'on this machine')
  assert.equal(await tell('203.0.113.7', { host }), undefined, 'no proxy at all')
  assert.equal(await tell('198.51.100.1', forwarded), undefined, 'the proxy of a company')
})

test('a shop without a proxy reports none', async () => {
  const shop = await openTestShop()
  const headers = { ...(await shop.signIn()), 'x-forwarded-for': '203.0.113.7' }
  const notices = await shop.app.inject({ url: apiRoutes.notices, headers })
  assert.doesNotMatch(notices.body, /TRUST_PROXY/)
})
