import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { request as sendRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { buffer, text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { pino } from 'pino'
import { apiRoutes, checkoutPath, pathOf } from '#contract/paths.ts'
import { maxEventsPerMinute } from '#server/analytics/routes.ts'
import { createApp } from '#server/app.ts'
import { analyticsEvents } from '#server/db/analytics-schema.ts'
import { eq, sql } from '#server/db/drizzle.ts'
import { products } from '#server/db/schema.ts'
import { formatBuyerToken } from '#server/orders/buyer.ts'
import { addMug } from '#server/testing/buyer.ts'
import { openSaleShop } from '#server/testing/sale.ts'
import { waitFor } from '#server/testing/embedded-shop.ts'
import { testSecret } from '#server/testing/test-shop.ts'
import { userAgents } from '#server/testing/visitors.ts'
import { createProxies } from './client-address.ts'
import { createExpressLane } from './express-lane.ts'
import { createRequestLimits, maxRequestsPerMinute } from './rate-limits.ts'
import { createBodyDeadlines } from './request-body.ts'
import { readWebFiles } from './web-files.ts'

const lines: { msg: string; route?: string; status?: number; reqId?: string }[] = []
/** How many requests Fastify has handled: each has a logger of its own. */
let handled = 0
const log = pino(
  { level: 'info', onChild: () => (handled += 1) },
  { write: (line: string) => lines.push(JSON.parse(line)) },
)
const customDomain = 'https://pay.example.com'
const shop = await openSaleShop({
  web: await readWebFiles(),
  log,
  environment: { PUBLIC_URL: 'https://shop.example.com', CUSTOM_DOMAIN: customDomain },
})
await shop.app.listen({ port: 0, host: '127.0.0.1' })
const { port } = shop.app.server.address() as AddressInfo
const page = checkoutPath(shop.mug)
const json = pathOf(apiRoutes.product, { id: shop.mug })

type Headers = Record<string, string>
const atBuyers = { host: 'pay.example.com' }

async function ask(path: string, headers: Headers = {}, method = 'GET', body?: string | Buffer) {
  const before = handled
  const request = sendRequest({
    port,
    path,
    method,
    agent: false,
    headers: { ...atBuyers, ...headers },
  })
  request.end(body)
  const [answer] = (await once(request, 'response')) as [IncomingMessage]
  const bytes = await buffer(answer)
  const { statusCode: status = 0 } = answer
  return {
    status,
    headers: answer.headers,
    body: bytes,
    isFast: handled === before,
  }
}

const nonceOf = (headers: IncomingHttpHeaders) =>
  /'nonce-([^']+)'/.exec(String(headers['content-security-policy']))?.[1]

/** Without what differs from one answer to the next anyway, and the connection, which Fastify closes after a body that is no JSON. */
function comparable({ headers, body }: { headers: IncomingHttpHeaders; body: Buffer }) {
  const { date: _date, connection: _connection, 'x-request-id': id, ...others } = headers
  assert.match(String(id), /^[0-9a-f-]{36}$/)
  const nonce = nonceOf(headers) ?? 'no nonce'
  const policy = String(others['content-security-policy']).replace(nonce, '')
  const unpacked = headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body
  const content = String(unpacked).replace(nonce, '')
  assert.ok(content.includes('Häschen 🐇'))
  return { ...others, 'content-security-policy': policy, content }
}

test('what is ready is what Fastify would answer, header by header', async () => {
  await shop.db.update(products).set({ name: 'Häschen 🐇' }).where(eq(products.id, shop.mug))
  shop.shop.productCache.delete(shop.mug)
  const asked: [string, Headers][] = [
    [page, {}],
    [page, { 'accept-encoding': 'gzip, br' }],
    [`${page}?utm_source=mail&x=%zz`, {}],
    [json, {}],
    [json, { 'accept-encoding': 'gzip' }],
    [json, { origin: 'https://elsewhere.example', 'sec-fetch-site': 'cross-site' }],
  ]
  for (const [url, headers] of asked) {
    const slow = await shop.app.inject({ url, headers: { ...atBuyers, ...headers } })
    assert.equal(slow.statusCode, 200)
    const first = await ask(url, headers)
    // The cache is emptied once, when the shop begins to hear of changes.
    const fast = first.isFast ? first : await ask(url, headers)
    assert.ok(fast.isFast, url)
    assert.deepEqual(
      comparable(fast),
      comparable({ headers: slow.headers as IncomingHttpHeaders, body: slow.rawPayload }),
    )
  }
})

test('whatever is not plain is answered by Fastify', async () => {
  const { cookie } = await shop.signIn()
  const others: [string, Awaited<ReturnType<typeof ask>>, number][] = [
    ['a browser that was here before', await ask(page, { cookie: 'till_buyer=x' }), 200],
    ['an admin', await ask(json, { cookie, host: 'shop.example.com' }), 200],
    ['another method', await ask(page, {}, 'HEAD'), 200],
    ['a body', await ask(page, { 'content-length': '2' }, 'GET', '{}'), 200],
    ['a query that the call would check', await ask(`${json}?a=%00`), 400],
    ['an id in capitals', await ask(checkoutPath(shop.mug.toUpperCase())), 200],
    ['more than an id', await ask(`${page}/more`), 404],
    ['no product', await ask(checkoutPath('00000000-0000-4000-8000-000000000000')), 404],
    ['the address of the back-office', await ask(page, { host: 'shop.example.com' }), 302],
  ]
  for (const [what, { status, isFast }, expected] of others)
    assert.deepEqual([isFast, status], [false, expected], what)
})

test('requests sent at once are answered in their order, whichever way each takes', async () => {
  await ask(page)
  await ask(json)
  const before = handled
  const socket = connect(port, '127.0.0.1')
  const send = (path: string, more: string) =>
    socket.write(`GET ${path} HTTP/1.1\r\nhost: pay.example.com\r\n${more}\r\n`)
  socket.cork()
  send(page, 'cookie: till_buyer=x\r\n')
  send(json, '')
  send(page, 'x-request-id: 11111111-1111-4111-8111-111111111111\r\n')
  send(`http://pay.example.com${page}`, 'connection: close\r\n')
  socket.uncork()
  const answers = (await text(socket)).split(/(?=HTTP\/1\.1 )/)
  assert.deepEqual(
    answers.map((answer) => [
      answer.slice(9, 12),
      /content-type: (\S+?);/.exec(answer)?.[1],
      answer.includes('x-request-id: 11111111-1111-4111-8111-111111111111'),
    ]),
    [
      ['200', 'text/html', false],
      ['200', 'application/json', false],
      ['200', 'text/html', true],
      ['200', 'text/html', false],
    ],
  )
  for (const answer of answers) {
    const [head = '', ...body] = answer.split('\r\n\r\n')
    const length = Buffer.byteLength(body.join('\r\n\r\n'))
    assert.equal(/content-length: (\d+)/.exec(head)?.[1], String(length))
  }
  assert.equal(handled - before, 2)
})

test('every visitor gets a nonce of their own, and each request its line in the log', async () => {
  const [one, other] = [await ask(page), await ask(page)]
  assert.notEqual(nonceOf(one.headers), nonceOf(other.headers))
  for (const { headers, body } of [one, other]) {
    assert.ok(String(body).includes(nonceOf(headers) ?? 'none'))
    const ofRequest = lines.filter(({ reqId }) => reqId === headers['x-request-id'])
    assert.deepEqual(
      ofRequest.map(({ msg, route, status }) => [msg, route, status]),
      [['request', '/checkout/:id', 200]],
    )
  }
})

test('a product that changes, is paused or deleted is not shown as it was', async () => {
  const headers = { ...(await shop.signIn()), host: 'shop.example.com' }
  const before = JSON.parse(String((await ask(json)).body))
  const change = await shop.app.inject({
    method: 'PUT',
    url: json,
    headers,
    payload: { ...before, price: '51.00', name: 'A new name' },
  })
  assert.equal(change.statusCode, 200)
  assert.equal(JSON.parse(String((await ask(json)).body)).price, '51.00')
  assert.ok(String((await ask(page)).body).includes('A new name'))
  const pause = { method: 'POST', headers, url: pathOf(apiRoutes.productPause, { id: shop.mug }) }
  await shop.app.inject(pause as never)
  const paused = await ask(page)
  assert.ok(!paused.isFast && !String(paused.body).includes('51.00'))
  await shop.db.update(products).set({ pausedAt: null }).where(eq(products.id, shop.mug))
  await shop.app.inject({ method: 'DELETE', url: json, headers })
  assert.equal((await ask(page)).status, 404)
  assert.equal((await ask(json)).status, 404)
})

test('the limit of an address counts both ways together', async () => {
  const path = checkoutPath(await addMug(shop))
  const headers = { 'x-forwarded-for': '198.51.100.9' }
  const statuses: number[] = []
  for (let count = 0; count < maxRequestsPerMinute; count += 1)
    statuses.push((await ask(path, headers)).status)
  assert.ok(statuses.every((status) => status === 200))
  assert.equal((await ask(path, headers)).status, 429)
  assert.equal((await ask(path, { 'x-forwarded-for': '198.51.100.10' })).status, 200)
})

const asJson = { 'content-type': 'application/json' }
const visit = { eventType: 'checkout_view', productId: await addMug(shop) }

/** Reports a visit through the port, where the lane is, and to Fastify itself. */
async function reportTwice(body: string | Buffer, headers: Headers = {}) {
  const sent = { ...asJson, ...headers }
  const fast = await ask(apiRoutes.track, sent, 'POST', body)
  const { statusCode, ...slow } = await shop.app.inject({
    method: 'POST',
    url: apiRoutes.track,
    headers: { ...atBuyers, ...sent },
    payload: body,
  })
  return {
    fast,
    slow: { status: statusCode, headers: slow.headers as IncomingHttpHeaders, body: slow.body },
  }
}

/** Without what differs from one answer to the next anyway, and the connection, which Fastify closes after a body that is no JSON. */
function withoutIds(answer: { status: number; headers: IncomingHttpHeaders; body: unknown }) {
  const { date: _date, connection: _connection, 'x-request-id': id, ...headers } = answer.headers
  assert.match(String(id), /^[0-9a-f-]{36}$/)
  return { status: answer.status, headers, body: String(answer.body) }
}

test('a reported visit is answered and refused as Fastify does, header by header', async () => {
  const order = { ...visit, eventType: 'thank_you_view', orderId: randomUUID() }
  const bodies: [status: number, body: string | Buffer, Headers?][] = [
    [204, JSON.stringify(visit)],
    [204, JSON.stringify(order), { 'user-agent': 'Googlebot/2.1' }],
    [400, '{"eventType":'],
    [400, Buffer.from([0x22, 0xff, 0x22])],
    [400, '{"__proto__":{}}'],
    [400, '[]'],
    [400, JSON.stringify({ ...visit, eventType: 'sale' })],
    [400, JSON.stringify({ ...visit, orderId: 'Häschen' })],
    [404, JSON.stringify({ ...visit, productId: randomUUID() })],
  ]
  for (const [status, body, headers] of bodies) {
    const { fast, slow } = await reportTwice(body, headers)
    assert.deepEqual([fast.status, fast.isFast], [status, true], String(body))
    assert.deepEqual(withoutIds(fast), withoutIds(slow))
  }
})

test('a visit that cannot be stored is refused alike, and both reasons are logged', async () => {
  await shop.db.execute(sql`alter table analytics_events rename to away`)
  lines.length = 0
  const { fast, slow } = await reportTwice(JSON.stringify(visit))
  await shop.db.execute(sql`alter table away rename to analytics_events`)
  assert.deepEqual([fast.status, fast.isFast, fast.headers['retry-after']], [500, true, '2'])
  assert.deepEqual(withoutIds(fast), withoutIds(slow))
  const told = lines.map(({ msg, route, status }) => [msg, route, status])
  const story = [
    ['Events could not be written', undefined, undefined],
    ['request', apiRoutes.track, 500],
  ]
  assert.deepEqual(told, [...story, ...story])
})

test('a visit tells the same whichever way it is reported', async () => {
  const isSecure = { 'x-forwarded-proto': 'https' }
  const told: Headers[] = [
    { 'x-forwarded-for': '9.9.9.9', ...isSecure, referer: 'https://blog.example/post' },
    { 'x-forwarded-host': 'a.example, mirror.example', referer: 'https://mirror.example/' },
    { 'x-visitor-from': 'https://news.example', origin: customDomain },
  ]
  for (const headers of told) {
    await shop.db.execute(sql`truncate analytics_events`)
    const { fast } = await reportTwice(JSON.stringify(visit), {
      'user-agent': userAgents.mobile,
      ...headers,
    })
    assert.ok(fast.isFast)
    const rows = await shop.db.select().from(analyticsEvents)
    const [one, other] = rows.map(({ id: _id, createdAt: _createdAt, ...facts }) => facts)
    assert.equal(rows.length, 2)
    assert.deepEqual(one, other)
  }
  const token = `__Host-till_buyer=${formatBuyerToken('0'.repeat(22), testSecret)}`
  await shop.db.execute(sql`truncate analytics_events`)
  const known = await reportTwice(JSON.stringify(visit), { cookie: `a=b; ${token}` })
  assert.ok(known.fast.isFast)
  const isNew = (await shop.db.select().from(analyticsEvents)).map((event) => event.isNewVisitor)
  assert.deepEqual(isNew, [false, false])
})

test('a report that is not plain is answered by Fastify', async () => {
  const body = JSON.stringify(visit)
  const long = JSON.stringify({ ...visit, more: 'x'.repeat(3_000) })
  const report = (headers: Headers, sent = body, path: string = apiRoutes.track) =>
    ask(path, headers, 'POST', sent)
  const charset = { 'content-type': 'application/json; charset=utf-8' }
  const others: [string, Awaited<ReturnType<typeof ask>>, number][] = [
    ['another spelling of its type', await report(charset), 204],
    ['chunks', await report({ ...asJson, 'transfer-encoding': 'chunked' }), 204],
    ['a query', await report(asJson, body, `${apiRoutes.track}?a=b`), 204],
    ['another type', await report({ 'content-type': 'text/plain' }), 415],
    ['too long', await report(asJson, long), 413],
    ['another site', await report({ ...asJson, origin: 'https://elsewhere.example' }), 403],
    ['no body', await report(asJson, ''), 400],
  ]
  for (const [what, { status, isFast }, expected] of others)
    assert.deepEqual([isFast, status], [false, expected], what)
})

test('reports of an address are counted both ways together', async () => {
  const headers = { 'x-forwarded-for': '198.51.100.20' }
  const statuses: number[] = []
  for (let count = 0; count < maxEventsPerMinute / 2; count += 1) {
    const { fast, slow } = await reportTwice('{}', headers)
    statuses.push(fast.status, slow.status)
  }
  assert.deepEqual([...new Set(statuses)], [400])
  const { fast, slow } = await reportTwice('{}', headers)
  assert.deepEqual([fast.status, slow.status], [429, 429])
})

test('a report that arrives while the shop closes is answered, and its connection ends', async () => {
  let isClosing = false
  const closing = await createApp({ ...shop.shop, isClosing: () => isClosing })
  after(() => closing.close())
  await closing.listen({ port: 0, host: '127.0.0.1' })
  const socket = connect((closing.server.address() as AddressInfo).port, '127.0.0.1')
  const body = JSON.stringify(visit)
  const seen = once(closing.server, 'request')
  const type = 'content-type: application/json'
  socket.write(`POST ${apiRoutes.track} HTTP/1.1\r\nhost: pay.example.com\r\n${type}\r\n`)
  socket.write(`content-length: ${body.length}\r\n\r\n${body.slice(0, 9)}`)
  await seen
  isClosing = true
  socket.write(body.slice(9))
  assert.match(await text(socket), /^HTTP\/1\.1 204 [^]*\r\nconnection: close\r\n/i)
})

const laneOptions = {
  log,
  isClosing: () => false,
  createId: () => randomUUID(),
  proxies: createProxies(0),
  limits: createRequestLimits(),
  bodyDeadlines: createBodyDeadlines(20),
  listOwnUrls: () => [],
}

test('above the limit no page is built', async () => {
  const lane = createExpressLane({ ...laneOptions, limits: createRequestLimits(1) })
  let built = 0
  lane.add({
    url: '/page/:id',
    ignoresQuery: true,
    find: () => ({ headers: [], body: String((built += 1)) }),
  })
  const server = lane.createServer((_request, response) => void response.end('refused'), {})
  after(() => server.close())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port: own } = server.address() as AddressInfo
  const read = async () => (await fetch(`http://127.0.0.1:${own}/page/${randomUUID()}`)).text()
  assert.deepEqual([await read(), await read(), built], ['1', 'refused', 1])
})

test('a report whose body does not arrive loses its connection', async () => {
  const lane = createExpressLane(laneOptions)
  lane.addCall({ url: '/report', maxBytes: 100, run: async () => assert.fail('it never came') })
  const server = lane.createServer(() => assert.fail('it is plain'), {})
  after(() => server.close())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  lines.length = 0
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  socket.write('POST /report HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n')
  socket.write('content-length: 4\r\n\r\ntr')
  await once(socket, 'close')
  assert.equal(socket.bytesRead, 0)
  const line = await waitFor('the line of the request', async () => lines[0])
  assert.deepEqual([line.route, line.status], ['/report', 499])
})
