import assert from 'node:assert/strict'
import { subscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { request as sendRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { buffer, text } from 'node:stream/consumers'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { pino } from 'pino'
import { apiRoutes, checkoutPath, pathOf } from '#contract/paths.ts'
import { eq } from '#server/db/drizzle.ts'
import { products } from '#server/db/schema.ts'
import { addMug } from '#server/testing/buyer.ts'
import { openSaleShop } from '#server/testing/sale.ts'
import { maxRequestsPerMinute } from './rate-limits.ts'
import { readWebFiles } from './web-files.ts'

const lines: { msg: string; route?: string; status?: number; reqId?: string }[] = []
const log = pino({ level: 'info' }, { write: (line: string) => lines.push(JSON.parse(line)) })
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

/** How many requests Fastify has handled. */
let handled = 0
subscribe('tracing:fastify.request.handler:start', () => (handled += 1))

type Headers = Record<string, string>
const atBuyers = { host: 'pay.example.com' }

async function ask(path: string, headers: Headers = {}, method = 'GET', body?: string) {
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
    isFast: handled === before && status === 200,
  }
}

const nonceOf = (headers: IncomingHttpHeaders) =>
  /'nonce-([^']+)'/.exec(String(headers['content-security-policy']))?.[1]

/** Without what differs from one answer to the next anyway. */
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
