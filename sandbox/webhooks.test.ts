import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isLoopbackUrl } from './webhooks.ts'
import { cards, openReceiver, openSandbox } from './testing/sandbox.ts'

const settled = Promise.withResolvers<void>()
const dropped: string[] = []
const { create, pay, read, ledger, faults, call } = await openSandbox({
  log(event, fields) {
    if (event.startsWith('webhook URL is not local')) dropped.push(String(fields?.url))
    if (dropped.length === 2) settled.resolve()
  },
})

test('a webhook contains only the id of the paid checkout', async () => {
  const receiver = await openReceiver()
  const { id } = await create({ return_url: receiver.url })
  await pay(id)
  assert.deepEqual(await receiver.waitFor(1), [{ event_type: 'CHECKOUT_STATUS_CHANGED', id }])
})

test('every finished attempt sends a webhook, a pending one does not', async () => {
  const receiver = await openReceiver()
  const { id } = await create({ return_url: receiver.url })
  await pay(id, cards.challenged)
  await pay(id, cards.refused)
  await receiver.waitFor(1)
  await pay(id)
  assert.equal((await receiver.waitFor(2)).length, 2)
})

test('a webhook that is not accepted is sent again four times', async () => {
  const receiver = await openReceiver()
  receiver.answerWith(500, 302, 404, 503, 500)
  const { id } = await create({ return_url: receiver.url })
  await pay(id)
  await receiver.waitFor(5)
  // Another one, taken at once, shows that nothing more was on its way.
  const next = await create({ return_url: receiver.url })
  await pay(next.id)
  const ids = (await receiver.waitFor(6)).map((event) => event.id)
  assert.deepEqual(ids, [id, id, id, id, id, next.id])
})

test('a webhook that is accepted at the second attempt is not sent again', async () => {
  const receiver = await openReceiver()
  receiver.answerWith(503)
  const { id } = await create({ return_url: receiver.url })
  await pay(id)
  await receiver.waitFor(2)
  const next = await create({ return_url: receiver.url })
  await pay(next.id)
  assert.deepEqual(
    (await receiver.waitFor(3)).map((event) => event.id),
    [id, id, next.id],
  )
})

test('notifications get lost, doubled, or come for checkouts that nobody knows', async () => {
  const receiver = await openReceiver()
  const payUnder = async (kind: 'webhook-lost' | 'webhook-doubled' | 'webhook-unknown') => {
    faults.set({ rules: [{ on: 'webhook', kind, count: 1 }] })
    const { id } = await create({ return_url: receiver.url })
    await pay(id)
    return id
  }
  const lost = await payUnder('webhook-lost')
  assert.equal((await read(lost)).status, 'PAID')
  const doubled = await payUnder('webhook-doubled')
  assert.deepEqual(
    (await receiver.waitFor(2)).map((event) => event.id),
    [doubled, doubled],
  )
  const known = await payUnder('webhook-unknown')
  const ids = (await receiver.waitFor(4)).slice(2).map((event) => event.id)
  assert.ok(ids.includes(known))
  const stranger = ids.find((id) => id !== known) ?? ''
  assert.equal((await call('GET', `/v0.1/checkouts/${stranger}`)).status, 404)
})

test('an early notification is there before the widget has its answer', async () => {
  const receiver = await openReceiver()
  faults.set({ rules: [{ on: 'webhook', kind: 'webhook-early', count: 1 }] })
  const { id } = await create({ return_url: receiver.url })
  await pay(id)
  assert.equal(receiver.arrived.length, 1)
})

test('a late notification waits, and is kept meanwhile', async () => {
  const receiver = await openReceiver()
  faults.set({ rules: [{ on: 'webhook', kind: 'webhook-late', ms: 3_600_000, count: 1 }] })
  const { id } = await create({ return_url: receiver.url })
  await pay(id)
  const waiting = ledger().deliveries.find(({ checkoutId }) => checkoutId === id)
  assert.ok(waiting && waiting.dueAt > Date.now() + 3_000_000)
  assert.deepEqual(receiver.arrived, [])
})

test('a payment that the bank confirms late is announced when it is', async () => {
  const receiver = await openReceiver()
  faults.set({ rules: [{ on: 'process', kind: 'late-paid', ms: 1, count: 1 }] })
  const { id } = await create({ return_url: receiver.url })
  await pay(id)
  await receiver.waitFor(1)
  assert.equal((await read(id)).status, 'PAID')
})

test('webhooks are sent only to this machine', async () => {
  for (const host of ['shop.example.com', '192.0.2.1']) {
    const { id } = await create({ return_url: `http://${host}/hook` })
    await pay(id)
  }
  await settled.promise
  assert.deepEqual(dropped, ['http://shop.example.com/hook', 'http://192.0.2.1/hook'])
  const local = [
    'http://localhost/',
    'https://127.9.9.9:8443/a',
    'http://[::1]:80/',
    'http://2130706433/',
  ]
  const other = [
    'http://localhost.example.com/',
    'http://0.0.0.0/',
    'ftp://127.0.0.1/',
    'http://10.0.0.1/',
  ]
  assert.deepEqual(local.map(isLoopbackUrl), [true, true, true, true])
  assert.deepEqual(other.map(isLoopbackUrl), [false, false, false, false])
})
