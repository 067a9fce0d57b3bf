import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cards, openSandbox } from './testing/sandbox.ts'

const { call, create, pay, read, controls, faults, ledger, merchantCode } = await openSandbox()
const historyPath = `/v2.1/merchants/${merchantCode}/transactions/history`
type Item = {
  id: string
  type: string
  status: string
  amount: number
  refunded_amount: number
  transaction_id: string
  transaction_code: string
  product_summary: string
}
type History = { items: Item[]; links: { rel: string; href: string }[] }

const readHistory = async (query: string): Promise<History> =>
  (await call('GET', `${historyPath}?${query}`)).body

const readFull = async (transactionId: string) =>
  (await call('GET', `/v2.1/merchants/${merchantCode}/transactions?id=${transactionId}`)).body

type Event = { event_type: string; status: string; amount: number }
const listEvents = ({ transaction_events: events }: { transaction_events: Event[] }) =>
  events.map(({ event_type, status, amount }) => [event_type, status, amount])

/** The history of one payment. */
const entriesOf = async (code: string) =>
  (await readHistory(`transaction_code=${code}`)).items.map(({ type, status, amount }) => [
    type,
    status,
    amount,
  ])

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

test('a refund by the owner shows in the full transaction and the history alone', async () => {
  const { id } = await create({ amount: 10 })
  const { transaction_id: paid, transaction_code: code } = (await pay(id)).body
  controls.refund({ payment: id, amount: 4 })
  controls.refund({ payment: code, amount: 1 })
  const checkout = await read(id)
  assert.equal(checkout.status, 'PAID')
  assert.equal(checkout.transaction_id, paid)
  assert.equal(checkout.transactions[0].status, 'SUCCESSFUL')
  const full = await readFull(paid)
  assert.deepEqual([full.status, full.simple_status], ['SUCCESSFUL', 'SUCCESSFUL'])
  assert.deepEqual(listEvents(full), [
    ['REFUND', 'REFUNDED', 4],
    ['REFUND', 'REFUNDED', 1],
  ])
  assert.deepEqual(await entriesOf(code), [
    ['PAYMENT', 'SUCCESSFUL', 10],
    ['REFUND', 'REFUNDED', 4],
    ['REFUND', 'REFUNDED', 1],
  ])
  assert.throws(() => controls.refund({ payment: id, amount: 6 }), /422/)
  controls.refund({ payment: id })
  assert.throws(() => controls.refund({ payment: id }), /409/)
})

test('on demand a refund marks the transaction itself, and the rest can still go back', async () => {
  const { id } = await create({ amount: 10 })
  const { transaction_id: paid, transaction_code: code } = (await pay(id)).body
  controls.setSwitches({ refundsMarkTransaction: true })
  controls.refund({ payment: id, amount: 4 })
  const checkout = await read(id)
  assert.deepEqual([checkout.status, checkout.transactions[0].status], ['PAID', 'REFUNDED'])
  assert.equal(checkout.transaction_id, paid)
  assert.equal((await readFull(paid)).simple_status, 'REFUNDED')
  const refunds = `/v1.0/merchants/${merchantCode}/payments/${paid}/refunds`
  assert.equal((await call('POST', refunds)).status, 201)
  assert.equal((await call('POST', refunds)).status, 409)
  assert.deepEqual(await entriesOf(code), [
    ['PAYMENT', 'REFUNDED', 10],
    ['REFUND', 'REFUNDED', 4],
    ['REFUND', 'REFUNDED', 6],
  ])
  controls.reset({})
})

test('a refund is rejected by the processor, or done although its answer is lost', async () => {
  const { transaction_id: paid } = (await pay((await create()).id)).body
  const refunds = `/v1.0/merchants/${merchantCode}/payments/${paid}/refunds`
  faults.set({ rules: [{ on: 'refund', kind: 'refund-rejected', count: 1 }] })
  const rejected = await call('POST', refunds, { amount: 1 })
  assert.deepEqual([rejected.status, rejected.type], [422, 'application/problem+json'])
  assert.deepEqual((await readFull(paid)).transaction_events, [])
  faults.set({ rules: [{ on: 'refund', kind: 'lost', count: 1 }] })
  await assert.rejects(call('POST', refunds, { amount: 1 }))
  assert.equal((await readFull(paid)).transaction_events.length, 1)
})

test('a refund fails although its answer is 200, and gives nothing back', async () => {
  const { id } = await create({ amount: 10 })
  const { transaction_id: paid, transaction_code: code } = (await pay(id)).body
  const calls = [`/v1.0/merchants/${merchantCode}/payments/${paid}/refunds`]
  calls.push(`/v0.1/me/refund/${paid}`)
  faults.set({ rules: [{ on: 'refund', kind: 'refund-failed', count: 2 }] })
  for (const path of calls) {
    const { status, body } = await call('POST', path, { amount: 4 })
    assert.deepEqual([status, body], [200, { status: 'failed', response_code: '51' }])
  }
  const failed = ['REFUND', 'FAILED', 4]
  const full = await readFull(paid)
  assert.deepEqual(listEvents(full), [failed, failed])
  assert.equal(full.events[0].status, 'FAILED')
  assert.deepEqual([full.status, full.links[0].max_amount], ['SUCCESSFUL', 10])
  assert.deepEqual(await entriesOf(code), [['PAYMENT', 'SUCCESSFUL', 10], failed, failed])
  assert.deepEqual(ledger().transactions.find((one) => one.id === paid)?.refunds, [])
  assert.equal((await call('POST', calls[0] ?? '', { amount: 10 })).status, 201)
})

test('a refund is pending until it is done or fails, and holds its amount meanwhile', async () => {
  const { id } = await create({ amount: 10 })
  const { transaction_id: paid, transaction_code: code } = (await pay(id)).body
  const refund = (amount: number) =>
    call('POST', `/v1.0/merchants/${merchantCode}/payments/${paid}/refunds`, { amount })
  const readRefunded = async () =>
    (await readHistory(`transaction_code=${code}`)).items[0]?.refunded_amount
  faults.set({ rules: [{ on: 'refund', kind: 'refund-pending', checkout: id }] })
  const answer = await refund(6)
  assert.deepEqual([answer.status, answer.body], [201, {}])
  assert.deepEqual(listEvents(await readFull(paid)), [['REFUND', 'PENDING', 6]])
  assert.deepEqual((await entriesOf(code))[1], ['REFUND', 'PENDING', 6])
  assert.equal(await readRefunded(), 0)
  const [, { id: item } = { id: '' }] = (await readHistory(`transaction_code=${code}`)).items
  assert.equal((await refund(5)).body.errors[0].max_refundable_amount, 4)

  controls.endRefund({ payment: id, outcome: 'failed' })
  assert.deepEqual(listEvents(await readFull(paid)), [['REFUND', 'FAILED', 6]])
  assert.deepEqual((await entriesOf(code))[1], ['REFUND', 'FAILED', 6])
  assert.throws(() => controls.endRefund({ payment: id, outcome: 'done' }), /404/)

  assert.equal((await refund(10)).status, 201)
  assert.equal((await refund(1)).status, 409)
  const since = new Date().toISOString()
  controls.endRefund({ payment: paid, outcome: 'done' })
  assert.deepEqual((await entriesOf(code))[2], ['REFUND', 'REFUNDED', 10])
  assert.equal(await readRefunded(), 10)
  const { items } = await readHistory(`transaction_code=${code}&changes_since=${since}`)
  assert.ok(items.some(({ type, status }) => type === 'REFUND' && status === 'REFUNDED'))
  const ids = (await readHistory(`transaction_code=${code}`)).items.map((one) => one.id)
  assert.equal(ids[1], item, 'an item keeps its id')
  faults.clear()
})

test('a chargeback is an event of its transaction and an entry of the history', async () => {
  const { id } = await create({ amount: 10 })
  const { transaction_id: paid, transaction_code: code } = (await pay(id)).body
  controls.refund({ payment: id, amount: 3 })
  controls.chargeBack({ payment: id })
  assert.equal((await read(id)).status, 'PAID')
  const full = await readFull(paid)
  assert.deepEqual([full.status, full.simple_status], ['SUCCESSFUL', 'CHARGEBACK'])
  const { event_type: type, status, amount } = full.transaction_events[1]
  assert.deepEqual([type, status, amount], ['CHARGE_BACK', 'SUCCESSFUL', 7])
  assert.deepEqual((await entriesOf(code))[2], ['CHARGE_BACK', 'SUCCESSFUL', 7])
  for (const query of ['types[]=CHARGE_BACK', 'statuses[]=CHARGE_BACK'])
    assert.deepEqual(
      (await readHistory(query)).items.map((item) => item.transaction_code),
      [code],
    )
  assert.throws(() => controls.refund({ payment: id }), /409/)
})

test('a chargeback of a part leaves the rest to be refunded', async () => {
  const { id } = await create({ amount: 49 })
  const { transaction_id: paid, transaction_code: code } = (await pay(id)).body
  controls.chargeBack({ payment: paid, amount: 10 })
  const full = await readFull(paid)
  assert.deepEqual(listEvents(full), [['CHARGE_BACK', 'SUCCESSFUL', 10]])
  assert.equal(full.links[0].max_amount, 39)
  assert.deepEqual((await entriesOf(code))[1], ['CHARGE_BACK', 'SUCCESSFUL', 10])
  assert.throws(() => controls.chargeBack({ payment: paid, amount: 40 }), /422/)
})

test('a transaction is shown without its events, as often as a fault says', async () => {
  const { id } = await create({ amount: 10 })
  const { transaction_id: paid } = (await pay(id)).body
  const { transaction_id: other } = (await pay((await create({ amount: 10 })).id)).body
  faults.set({ rules: [{ on: 'transaction', kind: 'without-events', checkout: id, count: 1 }] })
  await readFull(paid)
  assert.equal(faults.report().rules[0]?.happened, 0, 'there was nothing to hide')
  controls.setSwitches({ refundsMarkTransaction: true })
  for (const payment of [paid, other]) controls.refund({ payment, amount: 4 })
  controls.chargeBack({ payment: paid, amount: 1 })
  assert.equal((await readFull(other)).events.length, 1)
  const hidden = await readFull(paid)
  assert.deepEqual([hidden.events, hidden.transaction_events], [[], []])
  assert.deepEqual([hidden.status, hidden.simple_status], ['SUCCESSFUL', 'SUCCESSFUL'])
  assert.equal((await readFull(paid)).transaction_events.length, 2)
  controls.reset({})
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

test('the older call refunds with 204 and has older errors', async () => {
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

test('the history lists finished attempts and refunds, and nothing pending', async () => {
  const since = `oldest_time=${encodeURIComponent(new Date().toISOString())}&limit=100`
  const waiting = await create()
  await pay(waiting.id, cards.challenged)
  await pay((await create({ amount: 5 })).id, cards.refused)
  const { body: paid } = await pay((await create({ amount: 7 })).id)
  await call('POST', `/v1.0/merchants/${merchantCode}/payments/${paid.transaction_id}/refunds`, {
    amount: 2,
  })
  const listItems = async (query: string) =>
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
  assert.deepEqual(await listItems(''), all)
  assert.deepEqual(await listItems('order=descending'), all.toReversed())
  assert.deepEqual(await listItems('statuses[]=SUCCESSFUL'), [all[1]])
  assert.deepEqual(await listItems('statuses[]=SUCCESSFUL&statuses[]=FAILED'), all.slice(0, 2))
  assert.deepEqual(await listItems('types%5B%5D=REFUND'), [all[2]])
  assert.deepEqual(await listItems(`transaction_code=${paid.transaction_code}`), all.slice(1))
  assert.deepEqual(await listItems('newest_time=2020-01-01T00:00:00Z'), [])
  assert.deepEqual(await listItems('payment_types[]=POS'), [])
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

test('payments show the description of their checkout', async () => {
  const { body } = await pay((await create({ description: 'Mug, order 7' })).id)
  const [item] = (await readHistory(`transaction_code=${body.transaction_code}`)).items
  assert.equal(item?.product_summary, 'Mug, order 7')
  assert.equal((await readFull(body.transaction_id)).product_summary, 'Mug, order 7')
  const { body: bare } = await pay((await create()).id)
  assert.equal('product_summary' in (await readFull(bare.transaction_id)), false)
})

test('on demand the links of the history leave the filters out', async () => {
  controls.setSwitches({ bareLinks: true })
  const query = 'limit=1&statuses[]=SUCCESSFUL&types[]=PAYMENT&oldest_time=2020-01-01T00:00:00Z'
  const { items, links } = await readHistory(query)
  assert.equal(links[0]?.href, `limit=1&oldest_ref=${items[0]?.id}&order=ascending`)
  controls.setSwitches({ bareLinks: false })
  const whole = new URLSearchParams((await readHistory(query)).links[0]?.href)
  assert.equal(whole.get('types[]'), 'PAYMENT')
})

test('on demand items of the history lack fields, or have null in them', async () => {
  // prettier-ignore
  const fields = [
    'id', 'type', 'status', 'transaction_id', 'amount', 'currency', 'timestamp', 'product_summary',
  ]
  const query = 'limit=4&statuses[]=SUCCESSFUL'
  const { items: whole } = await readHistory(query)
  controls.setSwitches({ sparseHistory: { fields } })
  for (const item of (await readHistory(query)).items)
    assert.deepEqual(
      fields.filter((name) => name in item),
      [],
    )
  controls.setSwitches({ sparseHistory: { fields, as: 'null', every: 2 } })
  const { items: some, links } = await readHistory(query)
  const empty = Object.fromEntries(fields.map((name) => [name, null]))
  assert.deepEqual(
    some,
    whole.map((item, index) => (index % 2 === 0 ? { ...item, ...empty } : item)),
  )
  assert.equal(links.length, 1)
  controls.setSwitches({ sparseHistory: null })
  assert.deepEqual((await readHistory(query)).items, whole)
})

test('without a limit a page has ten, and an invalid query is refused', async () => {
  for (let index = 0; index < 11; index += 1) await pay((await create()).id)
  assert.equal((await readHistory('')).items.length, 10)
  for (const query of ['order=up', 'limit=ten', 'statuses[]=LOST', 'oldest_ref=x', 'newest_time=1'])
    assert.equal((await call('GET', `${historyPath}?${query}`)).status, 400, query)
})
