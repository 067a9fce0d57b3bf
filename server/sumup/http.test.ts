import assert from 'node:assert/strict'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { ProviderUnavailable } from './circuit-breaker.ts'
import { openSumup } from './client.ts'
import { SumupRefusal } from './http.ts'

const id = '6f1d7f3c-0000-4000-8000-000000000002'

/** A provider that answers as told, once. */
async function sumupThat(answers: (response: ServerResponse, url: string) => void) {
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
  return { sumup: openSumup({ apiUrl, apiKey: 'sup_sk_test', merchantCode: 'MTEST' }), asked }
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
  { timeout: 20_000 },
  async () => {
    const { sumup } = await sumupThat((response) => void response.writeHead(200).write('{'))
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
      sumup.merchant(),
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
    const sumup = openSumup({ apiUrl, apiKey: 'sup_sk_old', merchantCode: 'M', health })
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
    assert.equal(seen?.reading, 'unreadable')
    assert.equal(seen?.amount, '49.00')
  })
}

test('an answer that is something else entirely is an answer that nobody can read', async () => {
  for (const answer of [{ hello: 'world' }, { id, status: null }, [], 'text']) {
    const { sumup } = await sumupThat(json(200, answer))
    assert.partialDeepStrictEqual(await sumup.findCheckout(id), { id, reading: 'unreadable' })
  }
})

test('one entry of the history that lacks something does not discard the page', async () => {
  const items = [
    { transaction_code: 'T1', amount: 1 },
    null,
    { transaction_code: 'T2', currency: 'EUR', amount: 'x' },
  ]
  const { sumup } = await sumupThat(json(200, { items, links: 'none' }))
  const page = await sumup.history('')
  assert.deepEqual(
    page.items.map((item) => item.transaction_code),
    ['T1', 'T2'],
  )
  assert.deepEqual(page.links, [])
})
