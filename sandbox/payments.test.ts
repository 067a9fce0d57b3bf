import assert from 'node:assert/strict'
import { test } from 'node:test'
import { settlePayment } from './payments.ts'
import { cards, openSandbox } from './testing/sandbox.ts'

const { call, create, pay, read, card, ledger, controls, url } = await openSandbox()
const statuses = (checkout: { transactions: { status: string }[] }) =>
  checkout.transactions.map(({ status }) => status)
const past = '2020-01-01T00:00:00Z'

test('a fresh checkout is pending, without transactions', async () => {
  const checkout = await read((await create()).id)
  assert.equal(checkout.status, 'PENDING')
  assert.deepEqual(checkout.transactions, [])
  assert.equal('transaction_id' in checkout, false)
  assert.match(checkout.date, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/)
})

test('a paid checkout names its transaction, and can be paid only once', async () => {
  const { id } = await create()
  const paid = await pay(id)
  assert.equal(paid.status, 200)
  const checkout = await read(id)
  assert.equal(checkout.status, 'PAID')
  const [transaction] = checkout.transactions
  assert.equal(checkout.transaction_id, transaction.id)
  assert.match(checkout.transaction_code, /^T[A-Z\d]{9}$/)
  assert.equal(transaction.status, 'SUCCESSFUL')
  assert.equal(transaction.amount, 10.1)
  assert.equal((await pay(id)).body.error_code, 'CHECKOUT_PROCESSED')
  assert.equal((await call('PATCH', `/v0.1/checkouts/${id}`, { amount: 1 })).status, 409)
  assert.deepEqual(statuses(await read(id)), ['SUCCESSFUL'])
})

test('a decline is an answer, not an error, and the same checkout can be paid afterwards', async () => {
  const { id } = await create()
  const declined = await pay(id, cards.refused)
  assert.equal(declined.status, 200)
  assert.equal(declined.body.status, 'FAILED')
  assert.equal('transaction_id' in (await read(id)), false)
  await pay(id, cards.foreign)
  assert.equal((await pay(id)).body.status, 'PAID')
  assert.deepEqual(statuses(await read(id)), ['FAILED', 'FAILED', 'SUCCESSFUL'])
})

test('two payments at once charge once', async () => {
  const { id } = await create()
  const answers = await Promise.all([pay(id), pay(id), pay(id)])
  assert.deepEqual(
    answers.map(({ status }) => status).toSorted((a, b) => a - b),
    [200, 409, 409],
  )
  assert.deepEqual(statuses(await read(id)), ['SUCCESSFUL'])
})

test('paid stays paid, whatever the bank says afterwards', async () => {
  const { id } = await create()
  await pay(id)
  const [paid] = ledger().checkouts.filter((one) => one.id === id)
  assert.ok(paid)
  for (const outcome of ['declined', 'cancelled', 'approved'] as const)
    assert.equal(settlePayment(paid, paid.transactions[0]?.id ?? '', outcome, 0), paid)
})

test('after valid_until a checkout is expired and takes no card', async () => {
  const { id } = await create({ valid_until: past })
  const late = await pay(id)
  assert.equal(late.status, 409)
  assert.equal(late.body.error_code, 'CHECKOUT_SESSION_IS_EXPIRED')
  assert.equal((await read(id)).status, 'EXPIRED')
  const [listed] = (
    await call('GET', `/v0.1/checkouts?checkout_reference=${(await read(id)).checkout_reference}`)
  ).body
  assert.equal(listed.status, 'EXPIRED')
})

test('a paid checkout stays paid after its valid_until', async () => {
  const { id } = await create({ valid_until: '2035-01-01T00:00:00Z' })
  await pay(id)
  controls.expire({ checkout: id })
  const expired = await read(id)
  assert.ok(Date.parse(expired.valid_until) < Date.now())
  assert.equal(expired.status, 'PAID')
})

test('deactivating ends a checkout and cancels what waits for the bank', async () => {
  const { id } = await create()
  const { next_step: step } = (await pay(id, cards.challenged)).body
  const deactivated = await call('DELETE', `/v0.1/checkouts/${id}`)
  assert.equal(deactivated.body.status, 'EXPIRED')
  assert.deepEqual(statuses(deactivated.body), ['CANCELLED'])
  await answerChallenge(step, 'approve')
  assert.equal((await read(id)).status, 'EXPIRED')
})

test('a reference is taken for ever: after an end, and after a change', async () => {
  const again = async (reference: string) =>
    (await create({ checkout_reference: reference })).error_code
  const ended = await create()
  await call('DELETE', `/v0.1/checkouts/${ended.id}`)
  assert.equal(await again(ended.checkout_reference), 'DUPLICATED_CHECKOUT')
  const moved = await create()
  await call('PATCH', `/v0.1/checkouts/${moved.id}`, { checkout_reference: `${moved.id}-2` })
  assert.equal(await again(moved.checkout_reference), 'DUPLICATED_CHECKOUT')
  assert.equal(await again(`${moved.id}-2`), 'DUPLICATED_CHECKOUT')
})

test('the bank asks: approved is paid, declined is failed, cancelled stays open', async () => {
  const expected = [
    ['approve', 'PAID', 'SUCCESSFUL'],
    ['decline', 'FAILED', 'FAILED'],
    ['cancel', 'PENDING', 'CANCELLED'],
    ['nonsense', 'PENDING', 'PENDING'],
  ]
  for (const [choice = '', status, transaction] of expected) {
    const { id } = await create()
    const asked = await pay(id, cards.challenged)
    assert.equal(asked.status, 202)
    assert.deepEqual(asked.body.next_step.mechanism, ['iframe', 'browser'])
    assert.equal((await read(id)).status, 'PENDING')
    assert.equal((await answerChallenge(asked.body.next_step, choice)).status, 200)
    assert.equal((await read(id)).status, status)
    assert.deepEqual(statuses(await read(id)), [transaction])
  }
})

test('of two challenges that are both approved, one is charged', async () => {
  const { id } = await create()
  const first = (await pay(id, cards.challenged)).body.next_step
  const second = (await pay(id, cards.challenged)).body.next_step
  assert.deepEqual(statuses(await read(id)), ['PENDING', 'PENDING'])
  await answerChallenge(second, 'approve')
  await answerChallenge(first, 'approve')
  assert.deepEqual(statuses(await read(id)), ['CANCELLED', 'SUCCESSFUL'])
})

test('a new price cancels what the payer was about to confirm', async () => {
  const { id } = await create()
  const { next_step: step } = (await pay(id, cards.challenged)).body
  await call('PATCH', `/v0.1/checkouts/${id}`, { amount: 99 })
  await answerChallenge(step, 'approve')
  assert.equal((await read(id)).status, 'PENDING')
})

test('with a redirect_url the payer goes back to the shop with the checkout in the address', async () => {
  const { id } = await create({ redirect_url: 'http://127.0.0.1:9/back?from=bank' })
  const { next_step: step } = (await pay(id, cards.challenged)).body
  assert.equal(step.redirect_url, 'http://127.0.0.1:9/back?from=bank')
  const back = await answerChallenge(step, 'approve')
  assert.equal(back.status, 303)
  const expected = `http://127.0.0.1:9/back?from=bank&checkout_id=${id}`
  assert.equal(back.headers.get('location'), expected)
})

test('a stranger without the secret of the challenge answers nothing', async () => {
  const { id } = await create()
  await pay(id, cards.challenged)
  const TermUrl = `${url}/v0.1/checkouts/${id}/complete_payment`
  const answer = await answerChallenge({ payload: { TermUrl, MD: '' } }, 'approve')
  assert.equal(answer.status, 404)
  assert.equal((await read(id)).status, 'PENDING')
})

test('both versions of the call take a payment', async () => {
  for (const version of ['v0.1', 'v0.2']) {
    const { id } = await create()
    const at = `/${version}/checkouts/${id}`
    const answer = await call('PUT', at, card(cards.good), { key: '' })
    assert.equal(answer.body.status, 'PAID')
    assert.equal(answer.headers.get('access-control-allow-origin'), '*')
    assert.equal((await fetch(`${url}${at}`, { method: 'OPTIONS' })).status, 204)
  }
})

test('the demo checkout is paid without leaving a trace', async () => {
  const before = ledger().checkouts.length
  assert.equal((await pay('demo')).body.status, 'PAID')
  assert.equal(ledger().checkouts.length, before)
})

/** As the bank's page does: a form with what next_step asked to be sent. */
function answerChallenge(
  { payload }: { payload: { TermUrl: string; MD: string } },
  outcome: string,
): Promise<Response> {
  return fetch(payload.TermUrl, {
    method: 'POST',
    body: new URLSearchParams({ MD: payload.MD, outcome }),
    redirect: 'manual',
  })
}
