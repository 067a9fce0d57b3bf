import assert from 'node:assert/strict'
import { request } from 'node:http'
import { test } from 'node:test'
import { setImmediate as immediate } from 'node:timers/promises'
import { openFaults, type FaultPlan } from './faults.ts'
import { openSandbox } from './testing/sandbox.ts'

const sandbox = await openSandbox()
const { call, create, pay, read, checkoutFields, faults, url, apiKey, merchantCode } = sandbox
type Rule = NonNullable<FaultPlan['rules']>[number]

/** One fault, once. */
const once = (rule: Rule) => faults.set({ rules: [{ count: 1, ...rule }] })
const isCut = (error: Error & { cause?: { code?: string } }) =>
  ['ECONNRESET', 'UND_ERR_SOCKET'].includes(error.cause?.code ?? '')

test('servers that fail, and a gateway that answers for them', async () => {
  const { id } = await create()
  for (const [kind, status, type] of [
    ['error-500', 500, 'application/problem+json'],
    ['error-503', 503, 'application/problem+json'],
    ['html-502', 502, 'text/html'],
  ] as const) {
    once({ on: 'get', kind })
    const answer = await call('GET', `/v0.1/checkouts/${id}`)
    assert.deepEqual([answer.status, answer.type], [status, type])
    assert.equal((await read(id)).status, 'PENDING')
  }
  once({ on: 'merchant', kind: 'too-many-requests', retryAfterSeconds: 7 })
  const slow = await call('GET', `/v1/merchants/${merchantCode}`)
  assert.deepEqual([slow.status, slow.headers.get('retry-after')], [429, '7'])
})

test('a fault before the work leaves nothing behind, a lost answer leaves the work done', async () => {
  for (const [kind, expected] of [
    ['reset', []],
    ['lost', ['PENDING']],
  ] as const) {
    once({ on: 'create', kind })
    const body = checkoutFields()
    await assert.rejects(call('POST', '/v0.1/checkouts', body), isCut)
    const list = `/v0.1/checkouts?checkout_reference=${body.checkout_reference}`
    const found: { status: string }[] = (await call('GET', list)).body
    assert.deepEqual(
      found.map(({ status }) => status),
      expected,
    )
  }
})

test('a card is charged although the answer is lost', async () => {
  const { id } = await create()
  once({ on: 'process', kind: 'lost' })
  await assert.rejects(pay(id), isCut)
  assert.equal((await read(id)).status, 'PAID')
})

test('an answer that never begins is hung up by the client, and nothing was done', async () => {
  once({ on: 'create', kind: 'hang' })
  const body = checkoutFields()
  const client = new AbortController()
  const asked = call('POST', '/v0.1/checkouts', body, { signal: client.signal })
  // Not before the call has arrived: otherwise the next one would hang.
  while (faults.report().rules[0]?.happened === 0) await immediate()
  client.abort()
  await assert.rejects(asked, { name: 'AbortError' })
  assert.equal((await call('POST', '/v0.1/checkouts', body)).status, 201)
})

test('an answer that stops in the middle has its headers and half its body', async () => {
  const { id } = await create()
  once({ on: 'get', kind: 'stall' })
  const stalled = Promise.withResolvers<{ length: number; text: string }>()
  const headers = { authorization: `Bearer ${apiKey}` }
  const asked = request(`${url}/v0.1/checkouts/${id}`, { headers }, (response) => {
    response.on('error', () => {})
    response.once('data', (chunk) => {
      stalled.resolve({
        length: Number(response.headers['content-length']),
        text: String(chunk),
      })
      asked.destroy()
    })
  })
  asked.on('error', () => {})
  asked.end()
  const { length, text } = await stalled.promise
  assert.equal(text.length, Math.ceil(length / 2))
})

test('broken, foreign and endless bodies', async () => {
  const { id } = await create()
  const raw = async () => {
    const headers = { authorization: `Bearer ${apiKey}` }
    const response = await fetch(`${url}/v0.1/checkouts/${id}`, { headers })
    return { status: response.status, text: await response.text() }
  }
  once({ on: 'get', kind: 'truncated' })
  const truncated = await raw()
  assert.equal(truncated.status, 200)
  assert.throws(() => JSON.parse(truncated.text), SyntaxError)
  once({ on: 'get', kind: 'html' })
  assert.match((await raw()).text, /^<!doctype html>/)
  once({ on: 'get', kind: 'huge' })
  const huge = await raw()
  assert.equal(huge.text.length, 10 * 1024 * 1024)
  assert.equal(JSON.parse(huge.text).id, id)
  once({ on: 'get', kind: 'delay', ms: 1 })
  assert.equal((await raw()).status, 200)
})

test('reads lag behind the payment until their time', async () => {
  const { id, checkout_reference: reference } = await create()
  once({ on: 'process', kind: 'lag', ms: 3_600_000 })
  const { body: paid } = await pay(id)
  assert.equal(paid.status, 'PAID')
  const transactions = `/v2.1/merchants/${merchantCode}/transactions`
  assert.equal((await call('GET', `${transactions}?id=${paid.transaction_id}`)).status, 404)
  const history = `${transactions}/history?transaction_code=${paid.transaction_code}`
  assert.deepEqual((await call('GET', history)).body.items, [])
  const seen = await read(id)
  assert.equal(seen.status, 'PENDING')
  assert.equal('transaction_id' in seen, false)
  const list = (await call('GET', `/v0.1/checkouts?checkout_reference=${reference}`)).body
  assert.equal(list[0].status, 'PENDING')
  assert.equal((await pay(id)).status, 409)

  const soon = await create()
  once({ on: 'process', kind: 'lag', ms: 0 })
  await pay(soon.id)
  assert.equal((await read(soon.id)).status, 'PAID')

  const tried = await create()
  once({ on: 'process', kind: 'declined' })
  await pay(tried.id)
  once({ on: 'process', kind: 'lag', ms: 3_600_000 })
  await pay(tried.id)
  assert.equal((await read(tried.id)).status, 'FAILED', 'a late read knows only the first card')
})

test('a late payment is PENDING at first, and holds its checkout even after it expired', async () => {
  const { id } = await create()
  once({ on: 'process', kind: 'late-paid', ms: 3_600_000 })
  assert.equal((await pay(id)).body.status, 'PENDING')
  const kept = await call('DELETE', `/v0.1/checkouts/${id}`)
  assert.equal(kept.body.error_code, 'CHECKOUT_CANT_BE_DEACTIVATED')
  const past = { valid_until: '2020-01-01T00:00:00Z' }
  assert.equal((await call('PATCH', `/v0.1/checkouts/${id}`, past)).status, 200)
  assert.equal((await read(id)).status, 'EXPIRED')

  const soon = await create()
  once({ on: 'process', kind: 'late-paid', ms: 0 })
  assert.equal((await pay(soon.id)).body.status, 'PENDING')
  assert.equal((await read(soon.id)).status, 'PAID')
})

test('a good card is declined on demand', async () => {
  const { id } = await create()
  once({ on: 'process', kind: 'declined' })
  assert.equal((await pay(id)).body.status, 'FAILED')
  assert.equal((await pay(id)).body.status, 'PAID')
})

test('answers that are well formed and untrue', async () => {
  const { id } = await create()
  const truth = (await pay(id)).body
  for (const [kind, field] of [
    ['wrong-amount', 'amount'],
    ['wrong-currency', 'currency'],
    ['wrong-reference', 'checkout_reference'],
    ['wrong-merchant', 'merchant_code'],
    ['without-transaction', 'transaction_id'],
  ] as const) {
    once({ on: 'get', kind })
    const lie = await read(id)
    assert.equal(lie.status, 'PAID')
    assert.notEqual(lie[field], truth[field])
    assert.equal((await read(id))[field], truth[field])
  }
})

test('answers whose payments nobody can read', async () => {
  const { id } = await create()
  const truth = (await pay(id)).body
  const [payment] = truth.transactions
  const answers: Partial<Record<Rule['kind'], Record<string, unknown>>> = {
    'null-transaction': { transactions: [null] },
    'transactions-object': { transactions: {} },
    'transactions-text': { transactions: 'x' },
    'transactions-missing': { transactions: undefined },
    'odd-transaction': {
      transactions: [
        { ...payment, id: undefined, amount: '10.1', status: 'ON_HOLD', timestamp: null },
      ],
    },
    'odd-status': { status: 'ON_HOLD' },
    'without-top-level': { transaction_id: undefined, transaction_code: undefined },
    'only-top-level': { transactions: [] },
  }
  for (const [kind, changed] of Object.entries(answers)) {
    once({ on: 'get', kind } as Rule)
    const expected = JSON.parse(JSON.stringify({ ...truth, ...changed }))
    assert.deepEqual(await read(id), expected, kind)
    assert.deepEqual(await read(id), truth)
  }
})

test('the key is refused, for one call or for all, and buyers pay on', async () => {
  const { id } = await create()
  once({ on: 'get', kind: 'unauthorized' })
  assert.equal((await call('GET', `/v0.1/checkouts/${id}`)).status, 401)
  assert.equal((await read(id)).status, 'PENDING')
  const refunds = `/v1.0/merchants/${merchantCode}/payments/${id}/refunds`
  for (const [kind, status] of [
    ['unauthorized', 401],
    ['forbidden', 403],
  ] as const) {
    faults.set({ rules: [{ on: '*', kind }] })
    const body = checkoutFields()
    for (const answer of [
      await call('POST', '/v0.1/checkouts', body),
      await call('GET', `/v0.1/checkouts/${id}`),
      await call('DELETE', `/v0.1/checkouts/${id}`),
      await call('GET', `/v1/merchants/${merchantCode}`),
      await call('GET', `/v2.1/merchants/${merchantCode}/transactions/history`),
      await call('POST', refunds),
    ])
      assert.equal(answer.status, status)
    const list = `/v0.1/checkouts?checkout_reference=${body.checkout_reference}`
    faults.clear()
    assert.deepEqual((await call('GET', list)).body, [], 'nothing was done')
  }
  faults.set({ rules: [{ on: '*', kind: 'unauthorized' }] })
  assert.equal((await pay(id)).body.status, 'PAID')
  faults.clear()
})

test('a fault can be aimed at one checkout, by id or reference', async () => {
  const [one, other] = [await create(), await create()]
  faults.set({ rules: [{ on: '*', kind: 'error-500', checkout: one.checkout_reference }] })
  assert.equal((await read(other.id)).status, 'PENDING')
  assert.equal((await call('GET', `/v0.1/checkouts/${one.id}`)).status, 500)
  assert.equal((await pay(one.id)).status, 500)
  faults.clear()
  assert.equal((await read(one.id)).status, 'PENDING')
})

test('a fault can be aimed at the payments of one checkout, or at one payment', async () => {
  const [one, other] = [await create(), await create()]
  const [paid, otherPaid] = [(await pay(one.id)).body, (await pay(other.id)).body]
  await sandbox.controls.payAgain({ checkout: one.id })
  const second = (await read(one.id)).transactions[1].id
  const at = `/v2.1/merchants/${merchantCode}/transactions`
  const readStatus = async (query: string) => (await call('GET', `${at}?${query}`)).status
  for (const checkout of [one.id, one.checkout_reference]) {
    const rule = { kind: 'error-500', checkout } as const
    faults.set({
      rules: [
        { ...rule, on: 'transaction' },
        { ...rule, on: 'refund' },
      ],
    })
    assert.equal(await readStatus(`id=${paid.transaction_id}`), 500)
    assert.equal(await readStatus(`transaction_code=${paid.transaction_code}`), 500)
    assert.equal(await readStatus(`id=${otherPaid.transaction_id}`), 200)
    for (const { transaction_id: payment, status } of [
      { ...paid, status: [500, 500] },
      { ...otherPaid, status: [201, 204] },
    ]) {
      const refunds = [
        `/v1.0/merchants/${merchantCode}/payments/${payment}/refunds`,
        `/v0.1/me/refund/${payment}`,
      ]
      const answers = refunds.map((path) => call('POST', path, { amount: 1 }))
      const statuses = (await Promise.all(answers)).map((answer) => answer.status)
      assert.deepEqual(statuses, status)
    }
  }
  faults.set({ rules: [{ on: 'transaction', kind: 'error-500', checkout: paid.transaction_id }] })
  assert.equal(await readStatus(`transaction_code=${paid.transaction_code}`), 500)
  assert.equal(await readStatus(`id=${second}`), 200)
  faults.clear()
})

test('the same seed brings the same faults', () => {
  const strike = (seed: number) => {
    const own = openFaults()
    own.set({ seed, rules: [{ on: 'get', kind: 'reset', probability: 0.3 }] })
    return Array.from({ length: 1000 }, () => own.trigger('get', ['reset'], []) !== undefined)
  }
  assert.deepEqual(strike(7), strike(7))
  assert.notDeepEqual(strike(7), strike(8))
  const share = strike(7).filter(Boolean).length
  assert.ok(share > 240 && share < 360, `${share} of 1000`)
})

test('faults are switched over HTTP with the key, from this machine alone', async () => {
  const set = (body: unknown, key?: string) => call('POST', '/sandbox/faults', body, { key })
  const plan = { seed: 1, rules: [{ on: 'get', kind: 'error-503', count: 1 }] }
  assert.equal((await set(plan)).body.rules[0].happened, 0)
  assert.equal((await call('GET', `/v0.1/checkouts/${(await create()).id}`)).status, 503)
  assert.equal((await call('GET', '/sandbox/faults')).body.rules[0].happened, 1)
  assert.equal((await call('DELETE', '/sandbox/faults')).status, 204)
  assert.deepEqual((await call('GET', '/sandbox/faults')).body.rules, [])
  assert.equal((await set(plan, 'sup_sk_wrong')).status, 401)
  assert.equal((await set({ rules: [{ on: 'get', kind: 'webhook-lost' }] })).status, 400)
  const headers = { authorization: `Bearer ${apiKey}`, 'x-forwarded-for': '203.0.113.9' }
  assert.equal((await fetch(`${url}/sandbox/ledger`, { headers })).status, 403)
  assert.equal(await statusFor('shop.example.com'), 403)
  assert.equal(await statusFor('localhost'), 200)
  assert.ok((await call('GET', '/sandbox/ledger')).body.checkouts.length > 0)
})

/** As a proxy in front would ask: with the host that its visitor asked for. */
async function statusFor(host: string): Promise<number | undefined> {
  const headers = { authorization: `Bearer ${apiKey}`, host }
  const answered = Promise.withResolvers<number | undefined>()
  request(`${url}/sandbox/faults`, { headers }, (response) => {
    response.resume()
    answered.resolve(response.statusCode)
  }).end()
  return answered.promise
}
