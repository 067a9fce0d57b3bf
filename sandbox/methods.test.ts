import assert from 'node:assert/strict'
import { test } from 'node:test'
import { methodIds } from './records.ts'
import { openReceiver, openSandbox } from './testing/sandbox.ts'

const { call, create, payWith, read, controls, merchantCode, url } = await openSandbox()
const redirect = { redirect_url: 'http://127.0.0.1:1/back?code=SUMMER' }
const wallet = { apple_pay: { outcome: 'approved' } }

/** A payer who left the shop for the method's page, and what they can press there. */
async function leaveFor(method: string, fields = {}) {
  const { id } = await create({ ...redirect, ...fields })
  const { status, body } = await payWith(id, method)
  assert.equal(status, 202)
  const { MD } = body.next_step.payload
  const press = async (outcome: string) => {
    const answer = await fetch(`${url}/v0.1/checkouts/${id}/complete_payment`, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ MD, outcome }),
    })
    return { status: answer.status, location: answer.headers.get('location') }
  }
  return { id, press }
}

const statuses = async (id: string) => {
  const { status, transactions } = await read(id)
  return [status, ...transactions.map((one: { status: string }) => one.status)]
}

test('an account has every method, or the named ones', async () => {
  const ways = async (key?: string, code = merchantCode) => {
    const path = `/v0.1/merchants/${code}/payment-methods`
    const { body } = await call('GET', path, undefined, key ? { key } : {})
    return body.available_payment_methods.map(({ id }: { id: string }) => id)
  }
  assert.deepEqual(await ways(), ['card', ...methodIds])
  controls.addAccount({ apiKey: 'sup_sk_dutch', merchant: { code: 'MNL', methods: ['ideal'] } })
  assert.deepEqual(await ways('sup_sk_dutch', 'MNL'), ['card', 'ideal'])
})

test('a wallet pays at once, and both calls name it', async () => {
  const { id } = await create()
  assert.equal((await payWith(id, 'apple_pay', wallet)).body.status, 'PAID')
  const { transactions, transaction_id: paid } = await read(id)
  assert.deepEqual(
    [transactions[0].payment_type, transactions[0].entry_mode],
    ['ECOM', 'APPLE_PAY'],
  )
  const path = `/v2.1/merchants/${merchantCode}/transactions?id=${paid}`
  const { body } = await call('GET', path)
  assert.deepEqual([body.entry_mode, body.card.last_4_digits], ['APPLE_PAY', '0091'])
})

test('a wallet can hold a card that is declined', async () => {
  const { id } = await create()
  await payWith(id, 'apple_pay', { apple_pay: { outcome: 'declined' } })
  assert.deepEqual(await statuses(id), ['FAILED', 'FAILED'])
})

test('a method that leads away is refused without a way back', async () => {
  const { id } = await create()
  const { status, body } = await payWith(id, 'paypal')
  assert.deepEqual([status, body.param], [400, 'payment_type'])
  assert.deepEqual((await read(id)).transactions, [])
})

test('a wallet that says nothing, and a method that nobody knows, are refused', async () => {
  const { id } = await create()
  assert.equal((await payWith(id, 'apple_pay')).status, 400)
  assert.equal((await payWith(id, 'cheque')).status, 400)
})

test('who pays on the method’s page comes back to the shop, and the payment names the method', async () => {
  const { id, press } = await leaveFor('ideal')
  assert.deepEqual(await statuses(id), ['PENDING', 'PENDING'])
  const { status, location } = await press('approve')
  assert.equal(status, 303)
  assert.equal(location, `${redirect.redirect_url}&checkout_id=${id}`)
  const { transactions, transaction_id: paid } = await read(id)
  assert.deepEqual([transactions[0].payment_type, transactions[0].entry_mode], ['APM', 'IDEAL'])
  const path = `/v2.1/merchants/${merchantCode}/transactions?id=${paid}`
  const { body } = await call('GET', path)
  assert.deepEqual(
    [body.simple_payment_type, body.entry_mode, body.card],
    ['APM', 'IDEAL', undefined],
  )
})

test('cancelled and failed payments charge nothing', async () => {
  const cancelled = await leaveFor('paypal')
  await cancelled.press('cancel')
  assert.deepEqual(await statuses(cancelled.id), ['PENDING', 'CANCELLED'])
  const failed = await leaveFor('paypal')
  await failed.press('decline')
  assert.deepEqual(await statuses(failed.id), ['FAILED', 'FAILED'])
})

for (const [outcome, ends] of [
  ['approve-later', 'PAID'],
  ['decline-later', 'FAILED'],
] as const)
  test(`${outcome}: pending after the return, cannot be ended meanwhile, then ${ends}`, async (context) => {
    const receiver = await openReceiver()
    const { id, press } = await leaveFor('ideal', { return_url: receiver.url })
    context.mock.timers.enable({ apis: ['setTimeout', 'Date'], now: Date.now() })
    assert.equal((await press(outcome)).status, 303)
    assert.deepEqual(await statuses(id), ['PENDING', 'PENDING'])
    assert.equal((await call('DELETE', `/v0.1/checkouts/${id}`)).status, 409)
    context.mock.timers.tick(2 * 60_000)
    context.mock.timers.reset()
    assert.deepEqual((await receiver.waitFor(1))[0]?.id, id)
    assert.equal((await read(id)).status, ends)
  })

test('who pays and does not go back has paid', async () => {
  const { id, press } = await leaveFor('paypal')
  assert.deepEqual(await press('approve-and-stay'), { status: 200, location: null })
  assert.deepEqual(await statuses(id), ['PAID', 'SUCCESSFUL'])
})

test('a payment that was ended meanwhile cannot be made on its page any more', async () => {
  const { id, press } = await leaveFor('paypal')
  assert.equal((await call('DELETE', `/v0.1/checkouts/${id}`)).status, 200)
  await press('approve')
  await press('approve-later')
  assert.deepEqual(await statuses(id), ['EXPIRED', 'CANCELLED'])
})
