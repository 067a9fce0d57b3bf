import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import fastify from 'fastify'
import { apiRoutes } from '#contract/paths.ts'
import { rateLimits } from '#server/db/admin-schema.ts'
import { sql } from '#server/db/drizzle.ts'
import { products } from '#server/db/schema.ts'
import { createBuyer } from '#server/testing/buyer.ts'
import { startProxy } from '#server/testing/proxy.ts'
import { addCode, changeConfig } from '#server/testing/prices.ts'
import { openSaleShop } from '#server/testing/sale.ts'
import { openTestShop, testAdmin } from '#server/testing/test-shop.ts'
import {
  createAddressHash,
  createProxies,
  registerClientAddress,
  type TrustSetting,
} from './client-address.ts'

/** An app that answers with what it knows of its client. */
function openApp(trusted: TrustSetting, now?: () => number) {
  const listOwnUrls = () => ['https://shop.example.com', 'https://pay.example.com']
  const proxies = createProxies(trusted, { listOwnUrls, ...(now && { now }) })
  const app = fastify({ trustProxy: proxies.isTrusted })
  registerClientAddress(app, proxies)
  app.get('/', async ({ address, limitKey, host, protocol }) => ({
    address,
    limitKey,
    host,
    protocol,
  }))
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
  const { ask, proxies } = openApp(undefined)
  for (const loopback of ['127.0.0.1', '127.0.0.53', '::1', '::ffff:127.0.0.1']) {
    const seen = await ask(loopback, '192.0.2.66, 203.0.113.7')
    assert.deepEqual(seen, {
      address: '203.0.113.7',
      limitKey: '203.0.113.7',
      host: 'outside',
      protocol: 'https',
    })
  }
  assert.equal((await ask('127.0.0.1', '203.0.113.7, 127.0.0.1')).address, '127.0.0.1')
  assert.equal(proxies.findProblem(), undefined)
})

test('forwarded headers of any other address are ignored, counted and reported', async () => {
  const { ask, proxies } = openApp(undefined)
  const seen = await ask('10.0.0.5', '203.0.113.7')
  assert.deepEqual(
    [seen.address, seen.host, seen.protocol],
    ['10.0.0.5', 'inside', 'http'],
    'believed',
  )
  assert.match(proxies.findProblem()?.howTo ?? '', /TRUST_PROXY=10\.0\.0\.5$/)
  await ask('198.51.100.1', '203.0.113.7')
  assert.match(
    proxies.findProblem()?.howTo ?? '',
    /TRUST_PROXY=10\.0\.0\.5$/,
    'a stranger can trick the owner',
  )
})

test('TRUST_PROXY takes a count, addresses and networks', async () => {
  assert.equal((await openApp(2).ask('10.0.0.5', '203.0.113.7, 10.9.9.9')).address, '203.0.113.7')
  const listed = openApp(['10.0.0.0/8', 'fd00::/8', '192.0.2.1'])
  for (const proxy of ['10.1.2.3', '::ffff:10.1.2.3', 'fd00::5', '192.0.2.1'])
    assert.equal((await listed.ask(proxy, '203.0.113.7')).address, '203.0.113.7', proxy)
  assert.equal((await listed.ask('192.0.2.2', '203.0.113.7')).address, '192.0.2.2')
  assert.equal((await listed.ask('127.0.0.1', '203.0.113.7')).address, '127.0.0.1')
})

test('a reported proxy is forgotten an hour after its last request, and the list is bounded', async () => {
  let now = 0
  const { ask, proxies } = openApp(undefined, () => now)
  for (let host = 0; host < 250; host += 1) await ask(`10.0.0.${host}`, '203.0.113.7')
  assert.match(
    proxies.findProblem()?.howTo ?? '',
    /TRUST_PROXY=10\.0\.0\.247,10\.0\.0\.248,10\.0\.0\.249$/,
  )
  assert.deepEqual(
    ['10.0.0.149', '10.0.0.150'].map((peer) => proxies.isProxy(peer)),
    [false, true],
  )
  now = 60 * 60 * 1000
  assert.equal(proxies.findProblem(), undefined)
  assert.equal(proxies.isProxy('10.0.0.249'), false)
})

test('a trusted proxy that does not say for whom it asks is reported', async () => {
  const askOnce = async (own: object, forwardedFor?: string) => {
    const { ask, proxies } = openApp(undefined)
    await ask('127.0.0.1', forwardedFor, own)
    return proxies.findProblem()
  }
  for (const own of [
    { host: 'shop.example.com' },
    { host: 'pay.example.com' },
    { host: '127.0.0.1:3000', origin: 'https://shop.example.com' },
    { host: 'shop.example.com', 'x-real-ip': '203.0.113.7' },
  ])
    assert.match((await askOnce(own))?.text ?? '', /127\.0\.0\.1 does not say for whom/)
  assert.equal(await askOnce({ host: 'shop.example.com' }, '203.0.113.7'), undefined)
  assert.equal(await askOnce({ host: '127.0.0.1:3000' }), undefined, 'a local process')
  const direct = openApp(undefined)
  await direct.ask('203.0.113.7', undefined, { host: 'shop.example.com' })
  assert.equal(direct.proxies.findProblem(), undefined, 'no proxy at all')
})

test('a proxy in front of the trusted one is seen, and not trusted', async () => {
  const chain = '203.0.113.7, 198.51.100.1'
  for (const [trusted, address, hasMoreHops] of [
    [undefined, '198.51.100.1', true],
    [2, '203.0.113.7', false],
  ] as const) {
    const { ask, proxies } = openApp(trusted)
    assert.equal((await ask('127.0.0.1', chain)).address, address)
    const request = {
      headers: { 'x-forwarded-for': chain },
      socket: { remoteAddress: '127.0.0.1' },
    }
    assert.equal(proxies.hasMoreHops(request as unknown as IncomingMessage), hasMoreHops)
  }
})

test('a proxy that is not trusted yet has no limit of one visitor on its connections', async () => {
  const isProxy = async (peer: string, trusted?: TrustSetting) => {
    const { ask, proxies } = openApp(trusted)
    const before = proxies.isProxy(peer)
    await ask(peer, '198.51.100.1')
    return [before, proxies.isProxy(peer)]
  }
  assert.deepEqual(await isProxy('127.0.0.1'), [true, true])
  assert.deepEqual(await isProxy('10.0.0.5', ['10.0.0.0/8']), [true, true])
  assert.deepEqual(await isProxy('10.0.0.5'), [false, true])
  assert.deepEqual(await isProxy('fd00::5', ['10.0.0.0/8']), [false, true])
  assert.deepEqual(await isProxy('203.0.113.7', 1), [false, true])
  assert.deepEqual(await isProxy('203.0.113.7'), [false, false], 'anyone on the internet')
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

  const notices = await shop.app.inject({ url: apiRoutes.notices, headers: await shop.signIn() })
  assert.match(notices.body, /through a proxy at 10\.0\.0\.5.*TRUST_PROXY=10\.0\.0\.5/)
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
  const isCountedAsAll = async (...call: Parameters<typeof listed.ask>) =>
    listed.proxies.isCountedAsAll(await listed.ask(...call))
  assert.equal(await isCountedAsAll('10.0.0.5'), true)
  assert.equal(await isCountedAsAll('127.0.0.1'), true)
  assert.equal(await isCountedAsAll('10.0.0.5', '203.0.113.7'), false)
  assert.equal(await isCountedAsAll('192.168.0.5', '203.0.113.7'), false, 'spread over counters')
  assert.equal(await isCountedAsAll('203.0.113.7'), false)
})

test('a shop without a proxy reports none', async () => {
  const shop = await openTestShop()
  const headers = { ...(await shop.signIn()), 'x-forwarded-for': '203.0.113.7' }
  const notices = await shop.app.inject({ url: apiRoutes.notices, headers })
  assert.doesNotMatch(notices.body, /TRUST_PROXY/)
})
