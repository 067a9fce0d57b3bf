import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type AddressInfo } from 'node:net'
import { Writable } from 'node:stream'
import { after, test } from 'node:test'
import { fastify } from 'fastify'
import { apiRoutes, pathOf } from '#contract/paths.ts'
import { addMug, createBuyer, payByCard } from '#server/testing/buyer.ts'
import { waitFor } from '#server/testing/wait-for.ts'
import { openTestShop, type TestShop } from '#server/testing/test-shop.ts'
import { openLog } from '#server/log.ts'
import { logAbortedRequests, RequestLog } from './request-log.ts'

/** Everything that is somebody's own carries this word, so that one look finds it. */
const mark = 'zanzibar'

function collectingLog() {
  const lines: string[] = []
  const output = new Writable({
    write(bytes, _encoding, done) {
      lines.push(String(bytes))
      done()
    },
  })
  return { log: openLog('trace', Object.assign(output, { isTTY: false })), lines }
}

test('a whole sale, a refused sign-in and a broken database leave nobody’s data in the log', async () => {
  const { log, lines } = collectingLog()
  const shop = await openTestShop({ log, environment: { TRUST_PROXY: '1' } })
  const mug = await addMug(shop)
  const buyer = createBuyer(shop, '198.51.100.77')
  const { checkoutId } = (await buyer.open(mug)).json()
  await buyer.saveDetails(checkoutId, {
    customerEmail: `${mark}@example.com`,
    customerPhone: mark,
    shippingAddress: {
      country: 'Germany',
      firstName: mark,
      lastName: mark,
      address: mark,
      city: mark,
      postcode: mark,
    },
  })
  await payByCard(shop.sandbox, checkoutId)
  const { id } = (await buyer.look(checkoutId)).json()
  await buyer.call('GET', `${pathOf(apiRoutes.order, { id: id ?? checkoutId })}?key=${mark}`)
  const login = { username: mark, password: mark }
  const headers = {
    cookie: `till_session=${mark}`,
    'user-agent': mark,
    referer: `https://${mark}.example`,
    'x-request-id': `${mark}-0123456789`,
  }
  await shop.app.inject({ method: 'POST', url: apiRoutes.adminLogin, payload: login, headers })
  await shop.app.inject({ url: `/${mark}?${mark}=${mark}`, headers })
  await shop.shop.pool.query('alter table credentials rename to elsewhere')
  const broken = await shop.app.inject({
    method: 'POST',
    url: apiRoutes.adminLogin,
    payload: login,
    headers,
  })
  assert.equal(broken.statusCode, 500)

  const text = lines.join('')
  assert.ok(text.includes('credentials'), 'the fault itself was not logged')
  assert.ok(lines.length > 5)
  assert.equal(
    text.includes(mark),
    false,
    lines.find((line) => line.includes(mark)),
  )
  assert.doesNotMatch(text, /198\.51\.100|argon2/)
})

const requestId = '0123456789abcdef0123456789abcdef'

type RequestLine = { level: string; msg: string; route: string; status: number; reqId: string }

/** A line that should not be there may be written after the one that should: what is before this request's is all. */
async function logAnother({ app }: Pick<TestShop, 'app'>, lines: string[]): Promise<void> {
  const answer = await app.inject(apiRoutes.customDomain)
  const id = String(answer.headers['x-request-id'])
  await waitFor('the line of another request', async () =>
    lines.some((line) => line.includes(id)) ? true : undefined,
  )
}

function parseLines(lines: string[]): RequestLine[] {
  return lines.map((line): RequestLine => JSON.parse(line))
}

test('a request is one line: which call, how it ended, how long it took and its id', async () => {
  const { log, lines } = collectingLog()
  const shop = await openTestShop({ log, environment: { TRUST_PROXY: '10.0.0.5' } })
  lines.length = 0
  const url = `${pathOf(apiRoutes.product, { id: 'x' })}?secret=1`
  const answer = await shop.app.inject({ url, remoteAddress: '203.0.113.9' })
  const id = String(answer.headers['x-request-id'])
  await logAnother(shop, lines)
  const [line = '', ...others] = lines.filter((text) => text.includes(id))
  assert.deepEqual(others, [])
  const { time, ms, ...fields } = JSON.parse(line)
  assert.deepEqual(fields, {
    level: 'info',
    reqId: id,
    method: 'GET',
    route: apiRoutes.product,
    status: answer.statusCode,
    msg: 'request',
  })
  assert.equal(typeof ms, 'number')
  assert.ok(Date.parse(time) > 0)

  lines.length = 0
  await shop.app.inject({ url: '/nowhere/somebody@example.com', remoteAddress: '203.0.113.9' })
  assert.deepEqual(
    parseLines(lines).map(({ route, status }) => [route, status]),
    [['none', 404]],
  )
})

test('a trusted proxy names the request, others do not', async () => {
  const { log, lines } = collectingLog()
  const shop = await openTestShop({ log, environment: { TRUST_PROXY: '10.0.0.5' } })
  const ask = async (remoteAddress: string, id: string) => {
    lines.length = 0
    const answer = await shop.app.inject({
      url: apiRoutes.customDomain,
      remoteAddress,
      headers: { 'x-request-id': id },
    })
    const [line] = parseLines(lines)
    assert.equal(line?.reqId, answer.headers['x-request-id'])
    return line?.reqId
  }
  assert.equal(await ask('10.0.0.5', requestId), requestId)
  const uuid = crypto.randomUUID()
  assert.equal(await ask('10.0.0.5', uuid), uuid)
  assert.notEqual(await ask('203.0.113.9', requestId), requestId)
  for (const wrong of [
    'somebody@example.com',
    'x',
    'a'.repeat(65),
    `${requestId}\tx`,
    'z'.repeat(32),
  ])
    assert.notEqual(await ask('10.0.0.5', wrong), wrong)
})

test('a client that hangs up, whenever it does, is one line and no error', async () => {
  const { log, lines } = collectingLog()
  const shop = await openTestShop({ log })
  const mug = await addMug(shop)
  // Larger than what the sockets hold, so that it is still being sent when the client goes.
  shop.app.get('/large', { config: { access: 'public' } }, async (_request, reply) =>
    reply.type('application/octet-stream').send(Buffer.alloc(50_000_000)),
  )
  await shop.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = shop.app.server.address() as AddressInfo
  const head = (line: string, ...headers: string[]) =>
    [`${line} HTTP/1.1`, 'host: x', ...headers, '', ''].join('\r\n')
  const json = 'content-type: application/json'
  const stories: { sent: string; goesAt: 'once' | 'answer'; route: string }[] = [
    { sent: head('GET /checkout/x'), goesAt: 'once', route: 'none' },
    {
      sent: head(`GET ${pathOf(apiRoutes.product, { id: mug })}`),
      goesAt: 'once',
      route: apiRoutes.product,
    },
    {
      sent: head(`POST ${apiRoutes.createCheckout}`, json, 'content-length: 100') + '{"productId"',
      goesAt: 'once',
      route: apiRoutes.createCheckout,
    },
    {
      sent: head(`POST ${apiRoutes.track}`, json, 'transfer-encoding: chunked') + '5\r\n{"a":',
      goesAt: 'once',
      route: apiRoutes.track,
    },
    {
      sent: head(`POST ${apiRoutes.track}`, json, 'content-length: 100') + '{"eventType"',
      goesAt: 'once',
      route: apiRoutes.track,
    },
    { sent: head('GET /large'), goesAt: 'answer', route: '/large' },
  ]
  for (const { sent, goesAt, route } of stories) {
    lines.length = 0
    const socket = connect(port, '127.0.0.1')
    after(() => socket.destroy())
    await once(socket, 'connect')
    const seen = once(shop.app.server, 'request')
    socket.write(sent)
    await seen
    if (goesAt === 'answer') await once(socket, 'data')
    socket.resetAndDestroy()
    await waitFor('the line of the request', async () =>
      lines.some((line) => line.includes('"msg":"request"')) ? true : undefined,
    )
    await logAnother(shop, lines)
    const parsed = parseLines(lines).filter((line) => line.route !== apiRoutes.customDomain)
    assert.deepEqual(
      parsed.filter(({ level }) => level !== 'info' && level !== 'debug'),
      [],
      sent,
    )
    const own = parsed.filter(({ msg }) => msg === 'request')
    assert.deepEqual(
      own.map((line) => line.route),
      [route],
    )
    if (goesAt === 'answer') assert.equal(own[0]?.status, 499)
  }
})

test('what cannot be a request of the shop is answered, counted and one line each, without what was sent', async () => {
  const { log, lines } = collectingLog()
  const shop = await openTestShop({ log })
  await shop.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = shop.app.server.address() as AddressInfo
  const count = async () => {
    const { body } = await shop.app.inject(apiRoutes.metrics)
    const series =
      /^till_http_request_seconds_count\{method="any",route="none",status="4xx"\} (\d+)/m
    return Number(series.exec(body)?.[1] ?? 0)
  }
  const stories = [
    { sent: `GET /%ff${mark} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`, status: 404 },
    { sent: `${mark}\r\n\r\n`, status: 400 },
    { sent: `GET / HTTP/1.1\r\nhost: x\r\nx: ${mark.repeat(4_000)}\r\n\r\n`, status: 431 },
  ]
  for (const { sent, status } of stories) {
    const before = await count()
    lines.length = 0
    const socket = connect(port, '127.0.0.1')
    after(() => socket.destroy())
    socket.write(sent)
    const [answer] = await once(socket, 'data')
    assert.match(String(answer), new RegExp(`^HTTP/1.1 ${status} `))
    const own = await waitFor('the line of the request', async () => {
      const found = parseLines(lines).filter(({ msg }) => msg === 'request')
      return found.length > 0 ? found : undefined
    })
    assert.deepEqual(
      own.map((line) => [line.level, line.route, line.status]),
      [['info', 'none', status]],
    )
    assert.equal(lines.join('').includes(mark), false)
    assert.equal(await count(), before + 1)
  }
})

test('a shop that is not ready says so once, not with every probe', async () => {
  const { log, lines } = collectingLog()
  const shop = await openTestShop({ log })
  await shop.shop.pool.query('alter table nodes rename to elsewhere')
  lines.length = 0
  for (let probe = 0; probe < 3; probe += 1)
    assert.equal((await shop.app.inject(apiRoutes.healthReady)).statusCode, 503)
  await logAnother(shop, lines)
  const loud = parseLines(lines).filter(({ level }) => ['warn', 'error', 'fatal'].includes(level))
  assert.deepEqual(
    loud.filter(({ msg }) => msg === 'request'),
    [],
  )
  assert.equal(loud.filter(({ msg }) => msg === 'The shop is not ready to sell').length, 1)
})

test('an answered request is one line, also when its connection is closed before all is done', async () => {
  const { log, lines } = collectingLog()
  const app = fastify({ loggerInstance: log, logController: new RequestLog() })
  logAbortedRequests(app)
  app.addHook('onResponse', async (_request, { raw }) => {
    if (!raw.closed) await once(raw, 'close')
  })
  app.get('/', async () => 'hello')
  const origin = await app.listen({ port: 0, host: '127.0.0.1' })
  const headers = { connection: 'close' }
  assert.equal(await (await fetch(origin, { headers })).text(), 'hello')
  await app.close()
  const statuses = parseLines(lines).filter(({ msg }) => msg === 'request')
  assert.deepEqual(
    statuses.map(({ status }) => status),
    [200],
  )
})
