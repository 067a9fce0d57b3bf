import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { patienceMs } from '#server/testing/wait-for.ts'
import { openSumup } from './client.ts'
import { createCircuitBreaker, ProviderUnavailable, SumupRefusal } from './http.ts'

const id = '6f1d7f3c-0000-4000-8000-000000000002'

/** A provider that answers as told, once. */
async function sumupThat(
  answers: (response: ServerResponse, url: string) => void,
  timeoutMs = patienceMs,
) {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url} ${request.headers.authorization}`)
    answers(response, request.url ?? '')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  const apiUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const account = { apiUrl, apiKey: 'sup_sk_test', merchantCode: 'MTEST' }
  return { sumup: openSumup({ ...account, timeoutMs }), asked }
}

const json = (status: number, body: unknown) => (response: ServerResponse) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))

const unknownOutcomes: [string, (response: ServerResponse) => void][] = [
  ['a fault of theirs', json(500, {})],
  [
    'a page of a proxy',
    (response) => response.writeHead(502, { 'content-type': 'text/html' }).end('<html>'),
  ],
  ['too many requests', json(429, {})],
  [
    'half a body',
    (response) =>
      response.writeHead(200, { 'content-length': '900' }).write('{"id":') && response.destroy(),
  ],
  ['broken JSON', (response) => response.writeHead(200).end('{"id":')],
  ['a hung up connection', (response) => response.destroy()],
  ['ten megabytes', (response) => response.writeHead(200).end('x'.repeat(10_000_000))],
]

for (const [what, answer] of unknownOutcomes) {
  test(`${what} leaves the outcome open and is never taken for a no`, async () => {
    const { sumup } = await sumupThat(answer)
    await assert.rejects(sumup.findCheckout(id), ProviderUnavailable)
  })
}

test('a redirect is not followed: our key goes nowhere else, and no other answer is believed', async () => {
  const { sumup, asked } = await sumupThat((response, url) =>
    url.startsWith('/elsewhere')
      ? json(200, { id, status: 'PAID' })(response)
      : response.writeHead(302, { location: '/elsewhere' }).end(),
  )
  await assert.rejects(sumup.findCheckout(id), ProviderUnavailable)
  assert.equal(asked.length, 1)
})

test(
  'a body that stalls is given up by the same deadline as the headers',
  { timeout: 60_000 },
  async () => {
    const stall = (response: ServerResponse) => void response.writeHead(200).write('{')
    const { sumup } = await sumupThat(stall, 1_000)
    await assert.rejects(sumup.findCheckout(id), ProviderUnavailable)
  },
)

const refusals: [string, unknown, string][] = [
  [
    'one object',
    { error_code: 'INVALID', message: 'Validation error', param: 'currency' },
    'INVALID',
  ],
  ['a list', [{ error_code: 'MISSING', message: 'Validation error' }], 'MISSING'],
  [
    'a problem',
    { type: 'https://developer.sumup.com/problem/unauthorized', detail: 'Unauthorized.' },
    'unauthorized',
  ],
  [
    'the old way',
    { error_message: 'checkout_payments_not_allowed', error_code: 'FORBIDDEN' },
    'FORBIDDEN',
  ],
]

for (const [how, body, code] of refusals) {
  test(`a no in the form of ${how} is understood`, async () => {
    const { sumup } = await sumupThat(json(400, body))
    await assert.rejects(
      sumup.getMerchant(),
      (error) => error instanceof SumupRefusal && error.code === code,
    )
  })
}

test('an id that is none is never sent to SumUp', async () => {
  const { sumup, asked } = await sumupThat(json(200, {}))
  assert.equal(await sumup.findCheckout('../me?x=1'), undefined)
  assert.equal(await sumup.findCheckout(''), undefined)
  assert.deepEqual(asked, [])
})

test('an amount with more than two decimals is not rounded into a price', async () => {
  const checkout = {
    id,
    checkout_reference: 'r',
    merchant_code: 'M',
    amount: 10.005,
    currency: 'EUR',
    status: 'PAID',
  }
  const { sumup } = await sumupThat(json(200, checkout))
  assert.equal((await sumup.findCheckout(id))?.amount, undefined)
  const { sumup: exact } = await sumupThat(json(200, { ...checkout, amount: 10.1 }))
  assert.equal((await exact.findCheckout(id))?.amount, '10.10')
})

for (const status of [401, 403]) {
  test(`a key that is refused (${status}) leaves the outcome open, and is known until it works again`, async () => {
    let answer = status
    const server = createServer((_request, response) =>
      json(answer, { id, status: 'PENDING' })(response),
    )
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    after(() => server.close())
    const health = { isKeyRefused: false }
    const apiUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const account = { apiUrl, apiKey: 'sup_sk_old', merchantCode: 'M' }
    const sumup = openSumup({ ...account, health, timeoutMs: patienceMs })
    await assert.rejects(
      sumup.findCheckout(id),
      (error) => error instanceof ProviderUnavailable && error.isKeyRefused,
    )
    assert.equal(health.isKeyRefused, true)
    answer = 200
    await sumup.findCheckout(id)
    assert.equal(health.isKeyRefused, false)
  })
}

const oddPayments: [string, unknown][] = [
  ['nothing in place of a payment', [null]],
  ['an object', {}],
  ['a text', 'none'],
  ['a payment without a status', [{ id: 'x', amount: 49 }]],
  ['a status that nobody knows', [{ id: 'x', amount: 49, status: 'MAYBE' }]],
]

for (const [what, transactions] of oddPayments) {
  test(`a list of payments that cannot be read (${what}) is known as such, the rest still counts`, async () => {
    const { sumup } = await sumupThat(
      json(200, { id, status: 'PENDING', amount: 49, transactions }),
    )
    const seen = await sumup.findCheckout(id)
    assert.equal(seen?.isReadable, false)
    assert.equal(seen?.amount, '49.00')
  })
}

test('an answer that is something else entirely is an answer that nobody can read', async () => {
  for (const answer of [{ hello: 'world' }, { id, status: null }, [], 'text']) {
    const { sumup } = await sumupThat(json(200, answer))
    assert.partialDeepStrictEqual(await sumup.findCheckout(id), { id, isReadable: false })
  }
})

test('one entry of the history that lacks something does not discard the page', async () => {
  const items = [
    { transaction_code: 'T1', amount: 1 },
    null,
    { transaction_code: 'T2', currency: 'EUR', amount: 'x' },
  ]
  const { sumup } = await sumupThat(json(200, { items, links: 'none' }))
  const page = await sumup.listHistory('')
  assert.deepEqual(
    page.items.map((item) => item.transaction_code),
    ['T1', 'T2'],
  )
  assert.deepEqual(page.links, [])
})

const fail = async () => Promise.reject(new ProviderUnavailable('no answer'))

test('after five failures in a row the provider is not called for ten seconds, then tried once', async () => {
  let time = 0
  let asked = 0
  const { call } = createCircuitBreaker(() => time)
  const failing = () => {
    asked += 1
    return fail()
  }
  for (let failure = 0; failure < 5; failure += 1) await assert.rejects(call(failing))
  await assert.rejects(call(failing), ProviderUnavailable)
  assert.equal(asked, 5, 'an unavailable provider was called again')
  time = 10_001
  await assert.rejects(call(failing))
  await assert.rejects(call(failing))
  assert.equal(asked, 6, 'more than one trial was let through')
  time = 20_002
  assert.equal(await call(async () => 'back'), 'back')
  assert.equal(await call(async () => 'still'), 'still')
})

test('a definite no is an answer, not an outage', async () => {
  const { call } = createCircuitBreaker()
  for (let time = 0; time < 10; time += 1) {
    await assert.rejects(
      call(async () => Promise.reject(new Error('refused'))),
      /refused/,
    )
  }
})

test('a provider that asks for a pause gets it, and is asked again right after', async () => {
  let time = 0
  const { call, isOpen, isOnTrial } = createCircuitBreaker(() => time)
  const busy = new ProviderUnavailable('too many requests', { retryAfterSeconds: 3 })
  await assert.rejects(
    call(async () => Promise.reject(busy)),
    /too many requests/,
  )
  assert.deepEqual([isOpen(), isOnTrial()], [true, false])
  time = 2_999
  await assert.rejects(
    call(async () => 'too early'),
    ProviderUnavailable,
  )
  time = 3_000
  assert.equal(await call(async () => 'in time'), 'in time')
})

test('a provider that hangs blocks a bounded number of calls', async () => {
  const { call } = createCircuitBreaker()
  const { promise: never, resolve } = Promise.withResolvers<void>()
  const hanging = Array.from({ length: 64 }, () => call(() => never))
  await assert.rejects(
    call(async () => 'late'),
    /too many calls/,
  )
  resolve()
  await Promise.all(hanging)
})

test('where Node is told to use a proxy, SumUp is asked through it', async () => {
  const asked: (string | undefined)[] = []
  const proxy = createServer()
  proxy.on('connect', ({ url }, socket) => {
    asked.push(url)
    socket.destroy()
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  after(() => proxy.close())
  const account = { apiUrl: 'https://sumup.invalid', apiKey: 'sup_sk_test', merchantCode: 'MTEST' }
  const program = `
    import { openSumup } from '#server/sumup/client.ts'
    await openSumup(${JSON.stringify(account)}).findCheckout('${id}').catch(() => {})`
  const { port } = proxy.address() as AddressInfo
  const env = { NODE_USE_ENV_PROXY: '1', HTTPS_PROXY: `http://127.0.0.1:${port}` }
  await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], { env })
  assert.deepEqual(asked, ['sumup.invalid:443'])
})
