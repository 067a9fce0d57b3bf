import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCalls, cards, openReceiver, openSandbox } from './testing/sandbox.ts'

const sandbox = await openSandbox()
const { call, create, pay, read, controls, faults, ledger, apiKey, merchantCode } = sandbox
const historyPath = `/v2.1/merchants/${merchantCode}/transactions/history`
type Shown = { status: string; transactions: { id: string; status: string }[] }

/** A checkout whose payer is in front of the bank's page. */
async function atBank(fields: Record<string, unknown> = {}): Promise<string> {
  const { id } = await create(fields)
  await pay(id, cards.challenged)
  return id
}
const listStatuses = ({ status, transactions }: Shown) => [
  status,
  ...transactions.map((one) => one.status),
]

test('a checkout that expires keeps its payment at the bank, and an approval still pays it', async () => {
  const receiver = await openReceiver()
  const id = await atBank({ return_url: receiver.url, valid_until: '2035-01-01T00:00:00Z' })
  controls.expire({ checkout: id })
  const expired = await read(id)
  assert.deepEqual(listStatuses(expired), ['EXPIRED', 'PENDING'])
  assert.ok(Date.parse(expired.valid_until) < Date.now())
  assert.equal((await pay(id)).body.error_code, 'CHECKOUT_SESSION_IS_EXPIRED')
  await controls.answerBank({ checkout: id, outcome: 'approve' })
  const paid = await read(id)
  assert.deepEqual(listStatuses(paid), ['PAID', 'SUCCESSFUL'])
  assert.equal(paid.transaction_id, expired.transactions[0].id)
  assert.deepEqual(await receiver.waitFor(1), [{ event_type: 'CHECKOUT_STATUS_CHANGED', id }])
})

test('time itself expires a checkout without taking the payment from the bank', async () => {
  const id = await atBank()
  await call('PATCH', `/v0.1/checkouts/${id}`, { valid_until: '2020-01-01T00:00:00Z' })
  assert.deepEqual(listStatuses(await read(id)), ['EXPIRED', 'PENDING'])
})

test('a decline or a cancellation after the expiry leaves the checkout expired', async () => {
  for (const [outcome, status] of [
    ['decline', 'FAILED'],
    ['cancel', 'CANCELLED'],
  ] as const) {
    const id = await atBank()
    controls.expire({ checkout: id })
    assert.deepEqual(listStatuses(await controls.answerBank({ checkout: id, outcome })), [
      'EXPIRED',
      status,
    ])
    assert.deepEqual(listStatuses(await read(id)), ['EXPIRED', status])
  }
})

test('a checkout is not deactivated while its payment waits at the bank, if SumUp says so', async () => {
  const id = await atBank()
  const rule = { on: 'deactivate', kind: 'refuse-while-pending', checkout: id } as const
  faults.set({ rules: [rule] })
  const refused = await call('DELETE', `/v0.1/checkouts/${id}`)
  assert.deepEqual([refused.status, refused.body.error_code], [409, 'CHECKOUT_CANT_BE_DEACTIVATED'])
  assert.deepEqual(listStatuses(await read(id)), ['PENDING', 'PENDING'])
  await controls.answerBank({ checkout: id, outcome: 'decline' })
  assert.equal((await call('DELETE', `/v0.1/checkouts/${id}`)).body.status, 'EXPIRED')
  assert.equal(faults.report().rules[0]?.happened, 1, 'nothing waited the second time')
  faults.clear()
})

test('a deactivation claims success and changes nothing: the bank can still approve', async () => {
  const [id, other] = [await atBank(), await atBank()]
  faults.set({ rules: [{ on: 'deactivate', kind: 'claims-ended', checkout: id }] })
  const claimed = await call('DELETE', `/v0.1/checkouts/${id}`)
  assert.deepEqual([claimed.status, claimed.body], [200, {}])
  assert.equal((await call('DELETE', `/v0.1/checkouts/${other}`)).body.status, 'EXPIRED')
  assert.deepEqual(listStatuses(await read(id)), ['PENDING', 'PENDING'])
  await controls.answerBank({ checkout: id, outcome: 'approve' })
  assert.deepEqual(listStatuses(await read(id)), ['PAID', 'SUCCESSFUL'])
  assert.equal((await call('DELETE', `/v0.1/checkouts/${id}`)).status, 200, 'also when it is paid')
  faults.clear()
})

test('a payment that was cancelled with its checkout is paid by no late approval', async () => {
  const id = await atBank()
  await call('DELETE', `/v0.1/checkouts/${id}`)
  await controls.answerBank({ checkout: id, outcome: 'approve' })
  assert.deepEqual(listStatuses(await read(id)), ['EXPIRED', 'CANCELLED'])
})

test('a paid checkout is charged a second time, and shows both payments', async () => {
  const { id, checkout_reference: reference } = await create()
  await assert.rejects(controls.payAgain({ checkout: id }), /not paid/)
  const { transaction_id: first } = (await pay(id)).body
  await controls.payAgain({ checkout: reference })
  const doubled = await read(id)
  assert.deepEqual(listStatuses(doubled), ['PAID', 'SUCCESSFUL', 'SUCCESSFUL'])
  assert.equal(doubled.transaction_id, first)
  const [, second] = doubled.transactions
  const found = `/v2.1/merchants/${merchantCode}/transactions?id=${second.id}`
  assert.equal((await call('GET', found)).body.status, 'SUCCESSFUL')
})

test('a checkout vanishes, while its payments are still found', async () => {
  const own = await create()
  const { transaction_id: payment, transaction_code: code } = (await pay(own.id)).body
  controls.vanish({ checkout: own.checkout_reference })
  const at = `/v0.1/checkouts/${own.id}`
  for (const method of ['GET', 'PATCH', 'DELETE']) {
    const { status, body } = await call(method, at, method === 'PATCH' ? {} : undefined)
    assert.deepEqual([status, body.error_code], [404, 'NOT_FOUND'])
  }
  assert.equal((await pay(own.id)).status, 404)
  const list = `/v0.1/checkouts?checkout_reference=${own.checkout_reference}`
  assert.deepEqual((await call('GET', list)).body, [])
  const same = { checkout_reference: own.checkout_reference }
  assert.equal((await create(same)).error_code, 'DUPLICATED_CHECKOUT')
  const found = `/v2.1/merchants/${merchantCode}/transactions?id=${payment}`
  assert.equal((await call('GET', found)).body.status, 'SUCCESSFUL')
  const entries = await call('GET', `${historyPath}?transaction_code=${code}`)
  assert.equal(entries.body.items.length, 1)
  controls.refund({ payment, amount: 1 })
  assert.equal((await call('GET', found)).body.events.length, 1)
})

test('a payment is forgotten: it is unknown everywhere, and its checkout stays as it is', async () => {
  const { id } = await create()
  const { transaction_id: payment, transaction_code: code } = (await pay(id)).body
  await controls.payAgain({ checkout: id })
  controls.forget({ payment })
  const found = `/v2.1/merchants/${merchantCode}/transactions?id=${payment}`
  assert.equal((await call('GET', found)).status, 404)
  const refunds = `/v1.0/merchants/${merchantCode}/payments/${payment}/refunds`
  assert.equal((await call('POST', refunds)).status, 404)
  const entries = await call('GET', `${historyPath}?transaction_code=${code}`)
  assert.deepEqual(entries.body.items, [])
  const kept = await read(id)
  assert.deepEqual(listStatuses(kept), ['PAID', 'SUCCESSFUL'])
  assert.notEqual(kept.transaction_id, payment)
  controls.forget({ payment: id })
  assert.deepEqual(listStatuses(await read(id)), ['PAID'])
  assert.throws(() => controls.forget({ payment }), /404/)
})

test('reads lag behind by number: no payment yet, one at the bank, the card before', async () => {
  const fresh = await create()
  controls.lag({ checkout: fresh.id, reads: 2 })
  assert.deepEqual(
    listStatuses(await read(fresh.id)),
    ['PENDING'],
    'as it is: this read does not count',
  )
  const { transaction_id: payment } = (await pay(fresh.id)).body
  const found = `/v2.1/merchants/${merchantCode}/transactions?id=${payment}`
  assert.equal((await call('GET', found)).status, 404)
  assert.deepEqual(listStatuses(await read(fresh.id)), ['PENDING'])
  const list = `/v0.1/checkouts?checkout_reference=${fresh.checkout_reference}`
  assert.deepEqual(listStatuses((await call('GET', list)).body[0]), ['PENDING'])
  assert.deepEqual(listStatuses(await read(fresh.id)), ['PAID', 'SUCCESSFUL'])
  assert.equal((await call('GET', found)).status, 200)

  const asked = await atBank()
  controls.lag({ checkout: asked, reads: 1 })
  await controls.answerBank({ checkout: asked, outcome: 'approve' })
  assert.deepEqual(listStatuses(await read(asked)), ['PENDING', 'PENDING'])
  assert.deepEqual(listStatuses(await read(asked)), ['PAID', 'SUCCESSFUL'])

  const { id: tried } = await create()
  await pay(tried, cards.refused)
  controls.lag({ checkout: tried, reads: 1 })
  await pay(tried)
  assert.deepEqual(listStatuses(await read(tried)), ['FAILED', 'FAILED'])
  assert.deepEqual(listStatuses(await read(tried)), ['PAID', 'FAILED', 'SUCCESSFUL'])
})

test('reads are half behind: the parts of a checkout contradict each other until released', async () => {
  const halves = {
    'attempt-pending': ['PENDING', 'FAILED', 'PENDING'],
    'paid-without-transactions': ['PAID'],
    'successful-under-pending': ['PENDING', 'FAILED', 'SUCCESSFUL'],
  } as const
  for (const [shows, expected] of Object.entries(halves)) {
    const { id } = await create()
    await pay(id, cards.refused)
    controls.lag({ checkout: id, shows: shows as keyof typeof halves })
    assert.deepEqual(
      listStatuses(await read(id)),
      ['FAILED', 'FAILED'],
      'nothing to be behind of yet',
    )
    await pay(id)
    for (const _again of [1, 2, 3]) {
      const seen = await read(id)
      assert.deepEqual(listStatuses(seen), expected)
      assert.equal('transaction_id' in seen, false)
    }
    controls.release({ checkout: id })
    assert.deepEqual(listStatuses(await read(id)), ['PAID', 'FAILED', 'SUCCESSFUL'])
  }
})

test('a payment that a fault makes lag does so for a number of reads', async () => {
  const { id } = await create()
  const lag = { on: 'process', kind: 'lag', reads: 1, shows: 'attempt-pending', count: 1 } as const
  faults.set({ rules: [lag] })
  assert.equal((await pay(id)).body.status, 'PAID')
  assert.deepEqual(listStatuses(await read(id)), ['PENDING', 'PENDING'])
  assert.deepEqual(listStatuses(await read(id)), ['PAID', 'SUCCESSFUL'])
})

test('the account has payments that no checkout of the API explains', async () => {
  const from = Date.parse('2026-01-01T00:00:00Z')
  const to = from + 86_400_000
  const online = controls.addForeignPayments({ count: 3, from, to, description: 'Till 2' })
  controls.addForeignPayments({ count: 2, from, paymentType: 'POS', amount: 4.5 })
  controls.addForeignPayments({ from: '2026-01-01T12:00:01Z', status: 'FAILED' })
  const between = `oldest_time=2026-01-01T00:00:00Z&newest_time=2026-01-03T00:00:00Z&limit=100`
  const { items } = (await call('GET', `${historyPath}?${between}`)).body
  type Item = { payment_type: string; status: string; product_summary: string; timestamp: string }
  assert.deepEqual(
    items.map(({ payment_type: type, status, product_summary: summary }: Item) => [
      type,
      status,
      summary,
    ]),
    [
      ['ECOM', 'SUCCESSFUL', 'Till 2'],
      ['POS', 'SUCCESSFUL', 'Custom Amount'],
      ['POS', 'SUCCESSFUL', 'Custom Amount'],
      ['ECOM', 'SUCCESSFUL', 'Till 2'],
      ['ECOM', 'FAILED', 'Custom Amount'],
      ['ECOM', 'SUCCESSFUL', 'Till 2'],
    ],
  )
  const readers = await call('GET', `${historyPath}?${between}&payment_types[]=POS`)
  assert.equal(readers.body.items.length, 2)
  const [first] = online
  const found = `/v2.1/merchants/${merchantCode}/transactions?transaction_code=${first?.code}`
  assert.equal((await call('GET', found)).body.id, first?.id)
  assert.equal(JSON.stringify(ledger()).includes(first?.id ?? ''), false, 'they are not our sales')
  const known = (await call('GET', '/v0.1/checkouts')).body as { checkout_reference: string }[]
  assert.ok(known.every((one) => !one.checkout_reference.startsWith('foreign')))
})

test('ten thousand foreign payments are paged through, each once', async () => {
  const count = 10_000
  const from = Date.parse('2025-05-01T00:00:00Z')
  controls.addForeignPayments({ count, from, to: from + 3 * 86_400_000 })
  const seen = new Set<string>()
  let query: string | undefined =
    'limit=500&oldest_time=2025-05-01T00:00:00Z&newest_time=2025-05-05T00:00:00Z'
  while (query !== undefined) {
    const { body } = await call('GET', `${historyPath}?${query}`)
    for (const { id } of body.items) seen.add(id)
    query = body.links[0]?.href
  }
  assert.equal(seen.size, count)
})

test('what one account made is unknown to another, which may use the same reference', async () => {
  const merchant = { code: 'MSECOND', currency: 'GBP', country: 'GB' } as const
  controls.addAccount({ apiKey: 'sup_sk_second', merchant })
  const second = createCalls({ ...sandbox, apiKey: 'sup_sk_second', merchantCode: 'MSECOND' })
  const own = await create()
  const { body: paid } = await pay(own.id)
  const same = { checkout_reference: own.checkout_reference }
  const other = await second.create({ ...same, currency: 'GBP' })
  assert.equal(other.merchant_country, 'GB')
  assert.equal((await second.call('GET', `/v0.1/checkouts/${own.id}`)).status, 404)
  assert.equal((await second.call('DELETE', `/v0.1/checkouts/${own.id}`)).status, 404)
  assert.equal((await second.call('PATCH', `/v0.1/checkouts/${own.id}`, {})).status, 404)
  const list = `/v0.1/checkouts?checkout_reference=${own.checkout_reference}`
  const ids = async (calls: typeof second) =>
    (await calls.call('GET', list)).body.map(({ id }: { id: string }) => id)
  assert.deepEqual(await ids(second), [other.id])
  assert.deepEqual(await ids(sandbox), [own.id])
  const at = '/v2.1/merchants/MSECOND/transactions'
  assert.equal((await second.call('GET', `${at}?id=${paid.transaction_id}`)).status, 404)
  assert.deepEqual((await second.call('GET', `${at}/history`)).body.items, [])
  const refunds = `/v1.0/merchants/MSECOND/payments/${paid.transaction_id}/refunds`
  assert.equal((await second.call('POST', refunds)).status, 404)
  assert.equal((await second.call('GET', `/v1/merchants/${merchantCode}`)).status, 404)
})

test('after a switch of the account the old key is refused, and its buyers still pay', async () => {
  const own = await openSandbox()
  const { id } = await own.create()
  own.controls.switchAccount({ apiKey: 'sup_sk_new', merchant: { code: 'MNEW' } })
  assert.equal((await own.call('GET', `/v0.1/checkouts/${id}`)).status, 401)
  assert.equal((await own.create()).status, 401)
  const now = createCalls({ ...own, apiKey: 'sup_sk_new', merchantCode: 'MNEW' })
  assert.equal((await now.call('GET', `/v0.1/checkouts/${id}`)).status, 404)
  assert.equal((await now.create()).status, 'PENDING')
  assert.equal((await own.pay(id)).body.status, 'PAID')
  // The proof that holds the old key goes on controlling.
  const back = { apiKey: own.apiKey, merchant: { code: own.merchantCode } }
  assert.equal((await own.call('POST', '/sandbox/switch-account', back)).status, 204)
  assert.equal((await own.read(id)).status, 'PAID')
  assert.equal((await now.call('GET', `/v0.1/checkouts/${id}`)).status, 401)
})

test('every control works from another process of this machine, with the key', async () => {
  const control = (name: string, body: object, key?: string) =>
    call('POST', `/sandbox/${name}`, body, { key })
  const id = await atBank()
  assert.equal((await control('lag', { checkout: id, reads: 1 })).status, 204)
  assert.equal((await control('expire', { checkout: id })).body.status, 'EXPIRED')
  assert.equal((await read(id)).status, 'PENDING')
  assert.equal((await control('release', {})).status, 204)
  const approved = { checkout: id, outcome: 'approve' }
  assert.equal((await control('answer-bank', approved)).body.status, 'PAID')
  const paidTwice = (await control('pay-again', { checkout: id })).body
  assert.equal(paidTwice.transactions.length, 2)
  const [first, second] = paidTwice.transactions
  assert.equal((await control('refund', { payment: first.id, amount: 1 })).status, 200)
  assert.equal((await control('charge-back', { payment: second.code })).status, 200)
  const ended = { payment: first.id, outcome: 'done' }
  assert.equal((await control('end-refund', ended)).status, 404, 'none is pending')
  assert.equal((await control('forget', { payment: first.id })).status, 204)
  assert.equal((await control('refund', { payment: second.code })).status, 409)
  assert.equal((await control('add-foreign-payments', { count: 2 })).body.length, 2)
  const account = { apiKey: 'sup_sk_third', merchant: { code: 'MTHIRD' } }
  assert.equal((await control('add-account', account)).status, 204)
  assert.equal((await control('set-switches', { bareLinks: true })).body.bareLinks, true)
  assert.equal((await control('reset', {})).status, 204)
  assert.equal((await control('set-switches', {})).body.bareLinks, false)

  assert.equal((await control('vanish', { checkout: id })).status, 204)
  assert.equal((await call('GET', `/v0.1/checkouts/${id}`)).status, 404)
  assert.equal((await control('expire', { checkout: 'nobody' })).status, 404)
  assert.equal((await control('expire', { when: 'now' })).status, 400)
  assert.equal((await control('expire', { checkout: id }, 'sup_sk_wrong')).status, 401)
  const headers = { authorization: `Bearer ${apiKey}`, 'x-forwarded-for': '203.0.113.9' }
  const proxied = await fetch(`${sandbox.url}/sandbox/reset`, { method: 'POST', headers })
  assert.equal(proxied.status, 403)
})
