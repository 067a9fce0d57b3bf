import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as sumup from '@sumup/sdk'
import { cards, openSandbox } from './testing/sandbox.ts'

// Its type declarations do not resolve under nodenext, so here is what we use of it.
// oxlint-disable-next-line typescript/no-explicit-any -- the answers of the client under test
type Calls<Names extends string> = Record<Names, (...sent: unknown[]) => Promise<any>>
type CheckoutCalls = 'create' | 'list' | 'get' | 'update' | 'process' | 'deactivate'
type Client = {
  checkouts: Calls<CheckoutCalls | 'listAvailablePaymentMethods'>
  transactions: Calls<'get' | 'list' | 'refund'>
  merchants: Calls<'get'>
}
type Failure = { status: number; error: { error_code?: string } }
const { SumUp, APIError } = sumup as unknown as {
  SumUp: new (options: { apiKey: string; host: string }) => Client
  APIError: new () => Failure
}

const sandbox = await openSandbox({ merchant: { methods: ['paypal'] } })
const { merchantCode, checkoutFields, card } = sandbox
const client = new SumUp({ apiKey: sandbox.apiKey, host: sandbox.url })

const is = (status: number, code?: string) => (error: unknown) =>
  error instanceof APIError &&
  error.status === status &&
  (code === undefined || error.error.error_code === code)

test('the official client creates, finds, reads, changes and deactivates a checkout', async () => {
  const body = checkoutFields({ description: 'A mug' })
  const created = await client.checkouts.create(body)
  assert.equal(created.status, 'PENDING')
  assert.deepEqual(created.transactions, [])
  await assert.rejects(client.checkouts.create(body), is(409, 'DUPLICATED_CHECKOUT'))

  const found = await client.checkouts.list({ checkout_reference: body.checkout_reference })
  assert.deepEqual(
    found.map(({ id }: { id?: string }) => id),
    [created.id],
  )
  assert.deepEqual(await client.checkouts.list({ checkout_reference: 'nobody' }), [])
  assert.equal((await client.checkouts.get(created.id)).amount, 10.1)
  assert.equal((await client.checkouts.update(created.id, { amount: 12.5 })).amount, 12.5)
  assert.equal((await client.checkouts.deactivate(created.id)).status, 'EXPIRED')
  assert.equal((await client.checkouts.get(created.id)).status, 'EXPIRED')
})

test('the official client pays, reads the transaction and refunds it', async () => {
  const { id } = await client.checkouts.create(checkoutFields())
  const paid = await client.checkouts.process(id, card(cards.good))
  assert.equal(paid.status, 'PAID')
  await assert.rejects(
    client.checkouts.process(id, card(cards.good)),
    is(409, 'CHECKOUT_PROCESSED'),
  )

  await client.transactions.refund(merchantCode, paid.transaction_id, { amount: 4 })
  await client.transactions.refund(merchantCode, paid.transaction_id)
  await assert.rejects(client.transactions.refund(merchantCode, paid.transaction_id), is(409))
  const full = await client.transactions.get(merchantCode, { id: paid.transaction_id })
  assert.equal(full.status, 'SUCCESSFUL')
  assert.deepEqual(
    full.transaction_events.map(({ amount }: { amount: number }) => amount),
    [4, 6.1],
  )
  assert.equal((await client.checkouts.get(id)).status, 'PAID')
})

test('the official client reads the history, the account and its payment methods', async () => {
  const { items } = await client.transactions.list(merchantCode, {
    statuses: ['SUCCESSFUL'],
    types: ['PAYMENT'],
  })
  assert.deepEqual(
    items.map(({ refunded_amount: amount }: { refunded_amount: number }) => amount),
    [10.1],
  )
  const merchant = await client.merchants.get(merchantCode)
  assert.equal(merchant.default_currency, 'EUR')
  assert.equal(merchant.sandbox, true)
  const methods = await client.checkouts.listAvailablePaymentMethods(merchantCode)
  assert.deepEqual(methods.available_payment_methods, [{ id: 'card' }, { id: 'paypal' }])
})

test('the official client is refused with a wrong key, a public key or none', async () => {
  for (const apiKey of ['sup_sk_wrong', 'sup_pk_public', '']) {
    const stranger = new SumUp({ apiKey, host: sandbox.url })
    await assert.rejects(stranger.merchants.get(merchantCode), is(401))
  }
  const token = new SumUp({ apiKey: 'an-oauth-token', host: sandbox.url })
  await assert.rejects(token.merchants.get(merchantCode), is(401, 'NOT_AUTHORIZED'))
})
