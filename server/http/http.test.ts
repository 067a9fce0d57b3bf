import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connect, type AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { pino } from 'pino'
import { apiRoutes } from '#contract/paths.ts'
import { createApp } from '#server/app.ts'
import { openDatabase } from '#server/db/database.ts'
import { openTestShop } from '#server/testing/test-shop.ts'

const shop = await openTestShop()

const json = { 'content-type': 'application/json' }
const login = { method: 'POST', url: apiRoutes.adminLogin } as const

test('an unknown API route is answered with JSON, with the message under both names', async () => {
  for (const url of [
    '/api/nothing',
    '/api',
    '/api/admin',
    '/api/%2e%2e/etc',
    '/api/products/%252f',
  ]) {
    const answer = await shop.app.inject(url)
    assert.equal(answer.statusCode, 404, url)
    assert.equal(answer.json().message, answer.json().error)
  }
})

test('a body that cannot be stored is a client error, never a server error', async () => {
  const nested = `${'['.repeat(10_000)}${']'.repeat(10_000)}`
  const bodies: (string | Buffer)[] = [
    '{"username":"a\\u0000b","password":"x"}',
    '{"username":"\\ud800","password":"x"}',
    Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]),
    '{"__proto__":{"admin":true},"username":"a","password":"x"}',
    '{"constructor":{"prototype":{}},"username":"a","password":"x"}',
    '{"username":["a"],"password":{}}',
    '{"username":1,"password":null}',
    '{"username":"   ","password":"x"}',
    '{"username":',
    'null',
    '"text"',
    '[]',
    '',
    nested,
  ]
  for (const payload of bodies) {
    const answer = await shop.app.inject({ ...login, headers: json, payload })
    assert.equal(answer.statusCode, 400, String(payload).slice(0, 60))
    assert.equal(typeof answer.json().message, 'string')
  }
})

test('only JSON is accepted, and only a limited size', async () => {
  const text = await shop.app.inject({
    ...login,
    headers: { 'content-type': 'text/plain' },
    payload: '{}',
  })
  assert.equal(text.statusCode, 415)
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  assert.equal(
    (await shop.app.inject({ ...login, headers: form, payload: 'username=a' })).statusCode,
    415,
  )
  const large = JSON.stringify({ username: 'a', password: 'x'.repeat(70_000) })
  assert.equal((await shop.app.inject({ ...login, headers: json, payload: large })).statusCode, 413)
})

test('what is refused before it reaches a route has a code as well', async () => {
  const { code } = (
    await shop.app.inject({ ...login, headers: json, payload: '{"username":' })
  ).json()
  assert.equal(code, 'body-unreadable')
  assert.equal((await shop.app.inject('/api/%zz')).json().code, 'call-missing')
  const app = await createApp(shop.shop)
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const send = async (head: string) => {
    const socket = connect(port, '127.0.0.1')
    socket.write(head)
    return text(socket)
  }
  assert.match(await send('GET \\ HTTP/1.1\r\n\r\n'), /^HTTP\/1.1 400 .*"code":"bad-request"/s)
  assert.match(await send('nonsense\r\n\r\n'), /^HTTP\/1.1 400 .*"code":"bad-request"/s)
  const long = `GET / HTTP/1.1\r\nhost: x\r\ncookie: ${'x'.repeat(20_000)}\r\n\r\n`
  assert.match(await send(long), /^HTTP\/1.1 431 .*"code":"headers-too-large"/s)
  await app.close()
})

test('a body of the wrong shape is refused in our words', async () => {
  const headers = await shop.signIn()
  for (const [url, payload, field] of [
    [apiRoutes.upload, { kind: 'film' }, 'kind'],
    [`${apiRoutes.multipart}/x/complete?key=y`, { parts: [{ PartNumber: 'one' }] }, 'PartNumber'],
    [apiRoutes.track, { eventType: 'sale', productId: randomUUID() }, 'eventType'],
    [apiRoutes.track, [], ''],
    [apiRoutes.paymentWebhook, { event_type: 5, id: 'x' }, 'event_type'],
  ] as const) {
    const answer = await shop.app.inject({ method: 'POST', url, headers, payload })
    assert.deepEqual([answer.statusCode, answer.json().code], [400, 'bad-request'])
    assert.match(answer.json().message, /^The request is not valid\./)
    assert.ok(answer.json().message.includes(field), answer.body)
    assert.doesNotMatch(answer.body, /Invalid|expected|received/)
  }
})

test('a NUL in a URL is refused', async () => {
  assert.equal((await shop.app.inject('/api/health/live?x=%00')).statusCode, 400)
  assert.ok((await shop.app.inject('/%00')).statusCode < 500)
  assert.ok((await shop.app.inject('/%ff%fe')).statusCode < 500)
})

test('a page of another site cannot act with our visitors’ cookies', async () => {
  const { cookie } = await shop.signIn()
  const foreign = [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
  ]
  for (const headers of foreign) {
    for (const [method, url] of [
      ['POST', apiRoutes.adminLogout],
      ['GET', apiRoutes.adminUser],
    ] as const) {
      const answer = await shop.app.inject({ method, url, headers: { ...headers, cookie } })
      assert.equal(answer.statusCode, 403, JSON.stringify(headers))
    }
  }
  const still = await shop.app.inject({
    url: apiRoutes.adminUser,
    headers: { cookie, 'sec-fetch-site': 'same-origin' },
  })
  assert.equal(still.statusCode, 200)
  const own = { cookie, origin: 'http://localhost:3000', host: 'localhost:3000' }
  assert.equal(
    (await shop.app.inject({ method: 'POST', url: apiRoutes.adminLogout, headers: own }))
      .statusCode,
    204,
  )
})

test('every response has the security headers and an id', async () => {
  for (const url of ['/api/health/live', '/api/nothing', apiRoutes.adminUser]) {
    const { headers } = await shop.app.inject(url)
    assert.match(String(headers['content-security-policy']), /default-src 'none'/)
    assert.equal(headers['x-content-type-options'], 'nosniff')
    assert.equal(headers['x-powered-by'], undefined)
    assert.match(String(headers['x-request-id']), /^[0-9a-f-]{36}$/)
  }
  const silent = await shop.app.inject({ method: 'POST', url: apiRoutes.adminLogout })
  assert.equal(silent.statusCode, 204)
  assert.ok(silent.headers['strict-transport-security'])
  assert.match(String(silent.headers['x-request-id']), /^[0-9a-f-]{36}$/)
})

test('an unexpected error is hidden from the client and logged', async () => {
  const lines: string[] = []
  const log = pino({}, { write: (line: string) => void lines.push(line) })
  const broken = await openTestShop({ log })
  await broken.shop.pool.query('alter table sessions rename to elsewhere')
  const headers = { cookie: 'till_session=x' }
  const answer = await broken.app.inject({ url: apiRoutes.adminUser, headers })
  assert.equal(answer.statusCode, 500)
  assert.equal(answer.json().message, 'Something went wrong on our side. Please try again.')
  assert.doesNotMatch(answer.body, /sessions|relation|select/)
  const fault = lines.find((line) => line.includes('relation \\"sessions\\" does not exist'))
  assert.ok(
    fault?.includes(String(answer.headers['x-request-id'])),
    'the log does not name the request',
  )
})

test('without a database the shop answers 503, not 401', async () => {
  const away = openDatabase({ host: '/nowhere', user: 'till', database: 'till' }, () => {})
  const app = await createApp({ ...shop.shop, db: away.db, pool: away.pool })
  const answer = await app.inject({
    url: apiRoutes.adminUser,
    headers: { cookie: 'till_session=x' },
  })
  assert.equal(answer.statusCode, 503)
  assert.equal((await app.inject(apiRoutes.healthReady)).statusCode, 503)
  assert.equal((await app.inject(apiRoutes.healthLive)).statusCode, 200)
  await away.close()
})

test('while the shop closes, answers ask for a new connection', async () => {
  const closing = await createApp({ ...shop.shop, isClosing: () => true })
  assert.equal((await closing.inject('/api/health/live')).headers.connection, 'close')
  assert.notEqual((await shop.app.inject('/api/health/live')).headers.connection, 'close')
})

test('a call whose body arrives while the shop closes is answered, and its connection ends', async () => {
  let isClosing = false
  const closing = await createApp({ ...shop.shop, isClosing: () => isClosing })
  after(() => closing.close())
  await closing.listen({ port: 0, host: '127.0.0.1' })
  const socket = connect((closing.server.address() as AddressInfo).port, '127.0.0.1')
  const seen = once(closing.server, 'request')
  socket.write(`POST ${apiRoutes.track} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n`)
  socket.write('content-length: 2\r\n\r\n{')
  await seen
  isClosing = true
  socket.write('}')
  assert.match(await text(socket), /^HTTP\/1\.1 400 [^]*\r\nconnection: close\r\n/i)
})
