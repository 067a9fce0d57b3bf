import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isListed, getCardOutcome } from './cards.ts'
import { toMajor, toMinor } from './records.ts'
import { cards, openSandbox } from './testing/sandbox.ts'

const { call, create, pay, checkoutFields, card, url, merchantCode } = await openSandbox()
const post = (fields: Record<string, unknown>) =>
  call('POST', '/v0.1/checkouts', checkoutFields(fields))

test('one wrong field is an object, several are an array', async () => {
  const one = await post({ amount: -1 })
  assert.equal(one.status, 400)
  assert.deepEqual(one.body, {
    message: 'Validation error',
    error_code: 'INVALID',
    param: 'amount',
  })
  const several = await post({ amount: undefined, currency: 'XYZ', checkout_reference: '' })
  assert.deepEqual(several.body, [
    { message: 'Validation error', error_code: 'MISSING', param: 'checkout_reference' },
    { message: 'Validation error', error_code: 'MISSING', param: 'amount' },
    { message: 'Validation error', error_code: 'INVALID', param: 'currency' },
  ])
})

test('wrong values of a new checkout are refused by name', async () => {
  const wrong: [string, unknown][] = [
    ['checkout_reference', 'x'.repeat(91)],
    ['checkout_reference', 7],
    ['amount', 0],
    ['amount', 10.111],
    ['amount', null],
    ['amount', '1e3'],
    ['amount', 1e12],
    ['currency', 'eur'],
    ['merchant_code', ''],
    ['return_url', 'ftp://127.0.0.1/'],
    ['redirect_url', 'nowhere'],
    ['valid_until', 'tomorrow'],
    ['purpose', 'SETUP_RECURRING_PAYMENT'],
    ['description', 7],
  ]
  for (const [param, value] of wrong) {
    const { status, body } = await post({ [param]: value })
    assert.deepEqual([status, body.param], [400, param], `${param} ${String(value)}`)
  }
  assert.equal((await post({ checkout_reference: 'x'.repeat(90) })).status, 201)
})

test('the currency has to be the one of the account', async () => {
  const { status, body } = await post({ currency: 'GBP' })
  assert.equal(status, 400)
  assert.equal(body.message, "Given currency differs from merchant's country currency")
})

test('a merchant has a smallest amount, for new and for changed checkouts', async () => {
  const own = await openSandbox({ merchant: { minimumAmount: 1 } })
  const small = await own.call('POST', '/v0.1/checkouts', own.checkoutFields({ amount: 0.99 }))
  assert.deepEqual([small.status, small.body.param], [400, 'amount'])
  assert.match(small.body.message, /below the minimum/)
  const { id, amount } = await own.create({ amount: 1 })
  assert.equal(amount, 1)
  assert.equal((await own.call('PATCH', `/v0.1/checkouts/${id}`, { amount: 0.5 })).status, 400)
})

test('an amount is a number, or text as SumUp has been seen to take it', async () => {
  for (const [sent, shown] of [
    [10.1, 10.1],
    ['1.00', 1],
    [0.1 + 0.2, 0.3],
    [99_999_999.99, 99_999_999.99],
  ])
    assert.equal((await post({ amount: sent })).body.amount, shown)
})

test('every cent up to a thousand comes out as it went in', () => {
  for (let minor = 1; minor <= 100_000; minor += 1)
    assert.equal(toMinor(toMajor(minor, 'EUR'), 'EUR'), minor)
  assert.equal(toMinor(500.5, 'CLP'), undefined)
  assert.equal(toMinor(500, 'CLP'), 500)
})

test('a body that is no JSON object, a wrong id and a trailing slash are refused', async () => {
  for (const body of ['{', '[]', '"text"', '']) {
    const answer = await fetch(`${url}/v0.1/checkouts`, {
      method: 'POST',
      headers: { authorization: 'Bearer sup_sk_sandbox', 'content-type': 'application/json' },
      body,
    })
    assert.equal(answer.status, 400, body)
  }
  const wrongId = await call('GET', '/v0.1/checkouts/not_a_valid_id')
  assert.equal(wrongId.status, 400)
  assert.equal(wrongId.body.failed_constraints[0].reference, 'checkoutId')
  for (const path of ['/v0.1/checkouts/', `/v1/merchants/${merchantCode}/`, '/v0.1/checkouts/?a=b'])
    assert.equal((await call('GET', path)).status, 404, path)
})

test('a card that cannot be one is refused, and nothing is kept of it', async () => {
  const wrong: [string, Record<string, unknown>][] = [
    ['card.number', { number: '4200000000000092' }],
    ['card.expiry_year', { expiry_year: '2020' }],
    ['card.expiry_month', { expiry_month: '13' }],
    ['card.cvv', { cvv: '12' }],
    ['card.name', { name: '' }],
    ['card.type', { type: 'GOLD' }],
  ]
  const { id } = await create()
  for (const [param, fields] of wrong) {
    const body = card(cards.good, fields)
    const answer = await call('PUT', `/v0.2/checkouts/${id}`, body, { key: '' })
    assert.deepEqual([answer.status, answer.body.param], [400, param])
  }
  const other = { ...card(cards.good), payment_type: 'ideal' }
  assert.equal((await call('PUT', `/v0.2/checkouts/${id}`, other)).body.param, 'payment_type')
  assert.deepEqual((await call('GET', `/v0.1/checkouts/${id}`)).body.transactions, [])
})

test('two-digit years are years of this century', async () => {
  const { id } = await create()
  const body = card(cards.good, { expiry_year: '35' })
  assert.equal((await call('PUT', `/v0.2/checkouts/${id}`, body)).body.status, 'PAID')
})

test('the amounts that always fail do so with any card', async () => {
  for (const amount of [11, 42.01, 42.76, 42.91])
    for (const number of [cards.good, cards.challenged])
      assert.equal((await pay((await create({ amount })).id, number)).body.status, 'FAILED')
  assert.equal((await pay((await create({ amount: 42 })).id)).body.status, 'PAID')
})

test('the documented cards do what is documented, others are declined', () => {
  const expected = {
    approved: ['4200000000000091', '5200000000000106', '374500262001008', '6761301000993772'],
    challenged: ['4200000000000042', '4200000000000075', '5200000000000015', '5200000000000072'],
    declined: ['4012001037461114', '5457350076543210', '5497260847316287'],
  }
  for (const [outcome, numbers] of Object.entries(expected))
    for (const number of numbers) {
      assert.equal(getCardOutcome(number, 1000), outcome)
      assert.ok(isListed(number))
    }
  assert.equal(getCardOutcome(cards.foreign, 1000), 'declined')
})
