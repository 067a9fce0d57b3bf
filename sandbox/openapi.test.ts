import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { cards, openSandbox, type TestResponse } from './testing/sandbox.ts'

const document = JSON.parse(readFileSync(new URL('./openapi-subset.json', import.meta.url), 'utf8'))
const ajv = new Ajv({ strict: false, allErrors: true })
addFormats.default(ajv)
ajv.addFormat('decimal', true)
ajv.addSchema(document, 'sumup')

const checkouts = '/v0.1/checkouts'
const checkout = '/v0.1/checkouts/{checkout_id}'
const refunds = '/v1.0/merchants/{merchant_code}/payments/{transaction_id}/refunds'
const transactions = '/v2.1/merchants/{merchant_code}/transactions'
const history = '/v2.1/merchants/{merchant_code}/transactions/history'
const merchants = '/v1/merchants/{merchant_code}'
const methods = '/v0.1/merchants/{merchant_code}/payment-methods'

const sandbox = await openSandbox()
const { call, create, pay, payWith, checkoutFields, card, controls, faults, merchantCode } = sandbox
const unknown = '9f6f9dd8-4a43-4a57-a1ed-4e2a0a4b1f10'
const wrongKey = { key: 'sup_sk_wrong' }

/** The answer has this status, and the body and content type that SumUp documents for it. */
function assertDocumented(
  path: string,
  method: string,
  status: number,
  answer: TestResponse,
): void {
  assert.equal(answer.status, status)
  const [type = ''] = Object.keys(document.paths[path][method].responses[status].content)
  assert.equal(answer.type, type)
  const pointer = ['paths', path, method, 'responses', String(status), 'content', type, 'schema']
    .map((step) => encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1')))
    .join('/')
  const validate = ajv.compile({ $ref: `sumup#/${pointer}` })
  assert.ok(validate(answer.body), JSON.stringify(validate.errors, undefined, 1))
}

test('creating answers as documented', async () => {
  const body = checkoutFields({
    description: 'A mug',
    return_url: 'http://127.0.0.1:1/hook',
    redirect_url: 'http://127.0.0.1:1/back',
    valid_until: '2035-02-28T10:56:56+00:00',
    customer_id: 'ada',
  })
  assertDocumented(checkouts, 'post', 201, await call('POST', checkouts, body))
  assertDocumented(checkouts, 'post', 409, await call('POST', checkouts, body))
  const { merchant_code: _code, ...incomplete } = checkoutFields()
  assertDocumented(checkouts, 'post', 400, await call('POST', checkouts, incomplete))
  assertDocumented(
    checkouts,
    'post',
    401,
    await call('POST', checkouts, checkoutFields(), wrongKey),
  )
  const foreign = checkoutFields({ merchant_code: 'MOTHER00' })
  assertDocumented(checkouts, 'post', 403, await call('POST', checkouts, foreign))
})

test('listing and reading answer as documented, in every state', async () => {
  for (const number of [undefined, cards.good, cards.refused, cards.challenged]) {
    const { id, checkout_reference: reference } = await create()
    if (number) await pay(id, number)
    const list = `${checkouts}?checkout_reference=${reference}`
    assertDocumented(checkouts, 'get', 200, await call('GET', list))
    assertDocumented(checkout, 'get', 200, await call('GET', `${checkouts}/${id}`))
  }
  assertDocumented(checkouts, 'get', 401, await call('GET', checkouts, undefined, wrongKey))
  assertDocumented(checkout, 'get', 404, await call('GET', `${checkouts}/${unknown}`))
  const read = await call('GET', `${checkouts}/${unknown}`, undefined, wrongKey)
  assertDocumented(checkout, 'get', 401, read)
})

test('payments by other methods answer as documented', async () => {
  for (const method of ['apple_pay', 'ideal']) {
    const { id } = await create({ redirect_url: 'http://127.0.0.1:1/back' })
    await payWith(id, method, { apple_pay: { outcome: 'approved' } })
    const answer = await call('GET', `${checkouts}/${id}`)
    assertDocumented(checkout, 'get', 200, answer)
    const account = `/v2.1/merchants/${merchantCode}/transactions`
    const [{ id: payment }] = answer.body.transactions
    assertDocumented(transactions, 'get', 200, await call('GET', `${account}?id=${payment}`))
    assertDocumented(history, 'get', 200, await call('GET', `${account}/history`))
  }
})

test('changing and deactivating answer as documented', async () => {
  const { id } = await create()
  const at = `${checkouts}/${id}`
  assertDocumented(checkout, 'patch', 200, await call('PATCH', at, { amount: 12.5 }))
  const missing = await call('PATCH', `${checkouts}/${unknown}`, { amount: 1 })
  assertDocumented(checkout, 'patch', 404, missing)
  assertDocumented(checkout, 'patch', 401, await call('PATCH', at, {}, wrongKey))
  assertDocumented(checkout, 'delete', 200, await call('DELETE', at))
  assertDocumented(checkout, 'delete', 409, await call('DELETE', at))
  assertDocumented(checkout, 'delete', 404, await call('DELETE', `${checkouts}/${unknown}`))
  assertDocumented(checkout, 'delete', 401, await call('DELETE', at, undefined, wrongKey))
  const paid = await create()
  await pay(paid.id)
  const refused = await call('DELETE', `${checkouts}/${paid.id}`)
  assertDocumented(checkout, 'delete', 409, refused)
  assert.equal(refused.body.error_code, 'CHECKOUT_PROCESSED')
})

test('paying answers as documented', async () => {
  const put = async (number: string, fields = {}, id?: string) => {
    const at = `${checkouts}/${id ?? (await create()).id}`
    return call('PUT', at, card(number, fields), { key: '' })
  }
  assertDocumented(checkout, 'put', 200, await put(cards.good))
  assertDocumented(checkout, 'put', 200, await put(cards.refused))
  assertDocumented(checkout, 'put', 202, await put(cards.challenged))
  assertDocumented(checkout, 'put', 404, await put(cards.good, {}, unknown))
  const { id } = await create()
  await pay(id)
  assertDocumented(checkout, 'put', 409, await put(cards.good, {}, id))
  assertDocumented(checkout, 'put', 401, await call('PUT', `${checkouts}/${id}`, {}, wrongKey))
  const single = await put('4200000000000090')
  assertDocumented(checkout, 'put', 400, single)
  assert.equal(single.body.param, 'card.number')
  const several = await put('1', { cvv: '', expiry_year: '2020' })
  assertDocumented(checkout, 'put', 400, several)
  assert.deepEqual(
    several.body.map(({ param, error_code: code }: Record<string, string>) => [param, code]),
    [
      ['card.number', 'INVALID'],
      ['card.cvv', 'MISSING'],
      ['card.expiry_year', 'INVALID'],
    ],
  )
})

test('transactions, history, refunds and the account answer as documented', async () => {
  const { id } = await create({ description: 'A mug' })
  const { transaction_id: paid } = (await pay(id)).body
  const { transactions: failed } = (await pay((await create()).id, cards.refused)).body
  const account = `/v2.1/merchants/${merchantCode}/transactions`
  const refund = (of: string, body?: object) =>
    call('POST', `/v1.0/merchants/${merchantCode}/payments/${of}/refunds`, body)

  assertDocumented(refunds, 'post', 422, await refund(paid, { amount: 10.11 }))
  assertDocumented(refunds, 'post', 400, await refund(paid, { amount: 0 }))
  assertDocumented(refunds, 'post', 201, await refund(paid, { amount: 4 }))
  assertDocumented(refunds, 'post', 201, await refund(paid))
  assertDocumented(refunds, 'post', 409, await refund(paid))
  assertDocumented(refunds, 'post', 409, await refund(failed[0].id))
  assertDocumented(refunds, 'post', 404, await refund(unknown))

  assertDocumented(transactions, 'get', 200, await call('GET', `${account}?id=${paid}`))
  assertDocumented(transactions, 'get', 200, await call('GET', `${account}?id=${failed[0].id}`))
  assertDocumented(transactions, 'get', 404, await call('GET', `${account}?id=${unknown}`))
  const hidden = await call('GET', `${account}?id=${paid}`, undefined, wrongKey)
  assertDocumented(transactions, 'get', 401, hidden)

  assertDocumented(history, 'get', 200, await call('GET', `${account}/history?limit=2`))
  assertDocumented(history, 'get', 400, await call('GET', `${account}/history?limit=0`))
  const closed = await call('GET', `${account}/history`, undefined, wrongKey)
  assertDocumented(history, 'get', 401, closed)

  const own = await call('GET', `/v1/merchants/${merchantCode}`)
  assertDocumented(merchants, 'get', 200, own)
  assertDocumented(merchants, 'get', 404, await call('GET', '/v1/merchants/MOTHER00'))
  const ways = `/v0.1/merchants/${merchantCode}/payment-methods`
  assertDocumented(methods, 'get', 200, await call('GET', `${ways}?amount=5&currency=EUR`))
  assertDocumented(methods, 'get', 400, await call('GET', `${ways}?amount=5`))
})

test('what the controls make answers as documented too', async () => {
  const account = `/v2.1/merchants/${merchantCode}/transactions`
  const readAll = async (id: string) => {
    const answer = await call('GET', `${checkouts}/${id}`)
    assertDocumented(checkout, 'get', 200, answer)
    for (const payment of answer.body.transactions)
      assertDocumented(transactions, 'get', 200, await call('GET', `${account}?id=${payment.id}`))
  }
  const { id: late } = await create()
  await pay(late, cards.challenged)
  controls.expire({ checkout: late })
  await readAll(late)
  const { id: doubled } = await create({ description: 'A mug' })
  await pay(doubled)
  await controls.payAgain({ checkout: doubled })
  controls.setSwitches({ refundsMarkTransaction: true })
  controls.refund({ payment: doubled, amount: 1 })
  controls.chargeBack({ payment: doubled })
  await readAll(doubled)
  const { id: refunded } = await create()
  const { transaction_id: paid } = (await pay(refunded)).body
  for (const kind of ['refund-failed', 'refund-pending'] as const) {
    faults.set({ rules: [{ on: 'refund', kind }] })
    await call('POST', `/v1.0/merchants/${merchantCode}/payments/${paid}/refunds`, { amount: 1 })
  }
  faults.clear()
  await readAll(refunded)
  controls.addForeignPayments({ count: 2 })
  controls.addForeignPayments({ paymentType: 'POS', status: 'FAILED' })
  assertDocumented(history, 'get', 200, await call('GET', `${account}/history?limit=1000`))
  for (const shows of ['paid-without-transactions', 'successful-under-pending'] as const) {
    controls.lag({ checkout: doubled, shows })
    await readAll(doubled)
  }
})

test('a key that is refused on demand is refused as documented', async () => {
  faults.set({ rules: [{ on: '*', kind: 'unauthorized' }] })
  assertDocumented(checkouts, 'post', 401, await call('POST', checkouts, checkoutFields()))
  assertDocumented(checkout, 'delete', 401, await call('DELETE', `${checkouts}/${unknown}`))
  faults.set({ rules: [{ on: '*', kind: 'forbidden' }] })
  assertDocumented(checkouts, 'post', 403, await call('POST', checkouts, checkoutFields()))
  const refund = `/v1.0/merchants/${merchantCode}/payments/${unknown}/refunds`
  assertDocumented(refunds, 'post', 403, await call('POST', refund))
  faults.clear()
})
