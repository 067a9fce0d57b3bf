import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cards, openSandbox } from './test-sandbox.ts'

const { call, create, pay, read, merchantCode } = await openSandbox()
const historyPath = `/v2.1/merchants/${merchantCode}/transactions/history`
type Item = { id: string; type: string; status: string; amount: number; transaction_id: string }
type History = { items: Item[]; links: { rel: string; href: string }[] }

const readHistory = async (query: string): Promise<History> =>
  (await call('GET', `${historyPath}?${query}`)).body

test('refunds never exceed what is left, and leave the checkout paid', async () => {
  const { id } = await create({ amount: 10 })
  const { transaction_id: paid } = (await pay(id)).body
  const refund = (body?: object) =>
    call('POST', `/v1.0/merchants/${merchantCode}/payments/${paid}/refunds`, body)
  assert.equal((await refund({ amount: 3.33 })).status, 201)
  const tooMuch = await refund({ amount: 6.68 })
  assert.equal(tooMuch.status, 422)
  assert.equal(tooMuch.body.errors[0].max_refundable_amount, 6.67)
  assert.equal((await refund({ amount: 'all' })).status, 400)
  assert.equal((await refund({ amount: 6.67 })).status, 201)
  assert.equal((await refund()).status, 409)
  const checkout = await read(id)
  assert.equal(checkout.status, 'PAID')
  assert.equal(checkout.transactions[0].status, 'SUCCESSFUL')
})

test('two full refunds at once pay back once', async () => {
  const { transaction_id: paid } = (await pay((await create()).id)).body
  const refund = () => call('POST', `/v1.0/merchants/${merchantCode}/payments/${paid}/refunds`, {})
  const answers = await Promise.all([refund(), refund()])
  assert.deepEqual(
    answers.map(({ status }) => status).toSorted((a, b) => a - b),
    [201, 409],
  )
})

test('the older call refunds with 204 and refuses in the older words', async () => {
  const { transaction_id: paid } = (await pay((await create()).id)).body
  const refund = (id: string, body?: object) => call('POST', `/v0.1/me/refund/${id}`, body)
  assert.equal((await refund(paid, { amount: 1 })).status, 204)
  assert.equal((await refund(paid)).status, 204)
  const again = await refund(paid)
  assert.deepEqual([again.status, again.body.error_code], [409, 'CONFLICT'])
  assert.equal((await refund('9f6f9dd8-4a43-4a57-a1ed-4e2a0a4b1f10')).status, 404)
})

test('a transaction is found by its id and by its code', async () => {
  const { body: paid } = await pay((await create()).id)
  const at = `/v2.1/merchants/${merchantCode}/transactions`
  const byCode = await call('GET', `${at}?transaction_code=${paid.transaction_code}`)
  assert.equal(byCode.body.id, paid.transaction_id)
  assert.deepEqual(byCode.body.card, { last_4_digits: '0091', type: 'VISA' })
  assert.equal((await call('GET', at)).status, 400)
})

test('the history tells attempts that ended and refunds, and nothing that waits', async () => {
  const since = `oldest_time=${encodeURIComponent(new Date().toISOString())}&limit=100`
  const waiting = await create()
  await pay(waiting.id, cards.challenged)
  await pay((await create({ amount: 5 })).id, cards.refused)
  const { body: paid } = await pay((await create({ amount: 7 })).id)
  await call('POST', `/v1.0/merchants/${merchantCode}/payments/${paid.transaction_id}/refunds`, {
    amount: 2,
  })
  const told = async (query: string) =>
    (await readHistory(`${since}&${query}`)).items.map(({ type, status, amount }) => [
      type,
      status,
      amount,
    ])
  const all = [
    ['PAYMENT', 'FAILED', 5],
    ['PAYMENT', 'SUCCESSFUL', 7],
    ['REFUND', 'REFUNDED', 2],
  ]
  assert.deepEqual(await told(''), all)
  assert.deepEqual(await told('order=descending'), all.toReversed())
  assert.deepEqual(await told('statuses[]=SUCCESSFUL'), [all[1]])
  assert.deepEqual(await told('statuses[]=SUCCESSFUL&statuses[]=FAILED'), all.slice(0, 2))
  assert.deepEqual(await told('types%5B%5D=REFUND'), [all[2]])
  assert.deepEqual(await told(`transaction_code=${paid.transaction_code}`), all.slice(1))
  assert.deepEqual(await told('newest_time=2020-01-01T00:00:00Z'), [])
  assert.deepEqual(await told('payment_types[]=POS'), [])
})

test('following the links leads through the whole history, each entry once, both ways', async () => {
  const whole = (await readHistory('limit=1000')).items.map(({ id }) => id)
  assert.ok(whole.length > 6)
  for (const order of ['ascending', 'descending']) {
    const seen: string[] = []
    let query: string | undefined = `limit=3&order=${order}`
    while (query !== undefined) {
      const { items, links }: History = await readHistory(query)
      seen.push(...items.map(({ id }) => id))
      query = links.find(({ rel }) => rel === 'next')?.href
    }
    assert.deepEqual(seen, order === 'ascending' ? whole : whole.toReversed())
  }
})

test('without a limit a page has ten, and a wrong question is refused', async () => {
  for (let index = 0; index < 11; index += 1) await pay((await create()).id)
  assert.equal((await readHistory('')).items.length, 10)
  for (const query of ['order=up', 'limit=ten', 'statuses[]=LOST', 'oldest_ref=x', 'newest_time=1'])
    assert.equal((await call('GET', `${historyPath}?${query}`)).status, 400, query)
})
