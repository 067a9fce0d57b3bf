import { deepEqual } from 'node:assert/strict'
import { test } from 'node:test'
import { historySchema, sumupCheckoutSchema, transactionSchema } from './answers.ts'

const refund = (status: string) => ({ event_type: 'REFUND', status, amount: 10 })

for (const [what, body, expected] of [
  ['a refund that is done', { events: [refund('REFUNDED')] }, ['10.00', '0.00', false, 0]],
  ['a refund that is not done yet', { events: [refund('PENDING')] }, ['0.00', '0.00', true, 0]],
  ['a refund that failed', { events: [refund('FAILED')] }, ['0.00', '0.00', false, 1]],
  ['a status without events', { status: 'REFUNDED' }, ['49.00', '0.00', false, 0]],
  [
    'a chargeback of a part',
    { events: [{ event_type: 'CHARGE_BACK', amount: 10 }] },
    ['0.00', '10.00', false, 0],
  ],
] as const) {
  test(`what went back of a transaction: ${what}`, () => {
    const { refunded, chargedBack, isRefundPending, failedRefunds } = transactionSchema.parse({
      id: 't1',
      amount: 49,
      status: 'SUCCESSFUL',
      ...body,
    })
    deepEqual([refunded, chargedBack, isRefundPending, failedRefunds], expected)
  })
}

const id = '2f0a4a5e-8f0b-4c9f-9a3f-0d5b2a6f6a11'

for (const [what, said, expected] of [
  ['a card', { entry_mode: 'CUSTOMER_ENTRY', payment_type: 'ECOM' }, undefined],
  ['nothing', {}, undefined],
  ['a wallet', { entry_mode: 'APPLE_PAY', payment_type: 'ECOM' }, 'apple_pay'],
  ['a bank’s page', { entry_mode: 'P24', payment_type: 'APM' }, 'p24'],
  ['a method that the shop does not know', { entry_mode: 'SATISPAY' }, 'sumup'],
  ['one that SumUp will add', { entry_mode: 'constructor', payment_type: 'APM' }, 'sumup'],
  ['no method, but that it is no card', { entry_mode: 'N/A', payment_type: 'APM' }, 'sumup'],
  ['what cannot be read', { entry_mode: 7, payment_type: { of: 'x' } }, undefined],
] as const) {
  test(`how was it paid, where SumUp names ${what}`, () => {
    const transaction = { id, status: 'SUCCESSFUL', amount: 49, ...said }
    const checkout = sumupCheckoutSchema.parse({ id, status: 'PAID', transactions: [transaction] })
    const { items } = historySchema.parse({ items: [transaction] })
    deepEqual(checkout.isReadable, true)
    deepEqual(
      [checkout.payments[0]?.method, transactionSchema.parse(transaction).method, items[0]?.method],
      [expected, expected, expected],
    )
  })
}
