import { deepEqual } from 'node:assert/strict'
import { test } from 'node:test'
import { transactionSchema } from './answers.ts'

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
