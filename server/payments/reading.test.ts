import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import type { HistoryItem } from '#server/sumup/answers.ts'
import { factsOfItem, returnsOfItems } from './reading.ts'

const paid: HistoryItem = {
  transaction_id: 't1',
  amount: '49.00',
  currency: 'EUR',
  status: 'SUCCESSFUL',
  type: 'PAYMENT',
}

for (const [what, items, refunded, chargedBack] of [
  ['a payment', [paid], '0.00', '0.00'],
  [
    'a payment that says itself what went back',
    [{ ...paid, refunded_amount: '9.00' }],
    '9.00',
    '0.00',
  ],
  ['a refund without an amount', [paid, { type: 'REFUND' }], '49.00', '0.00'],
  [
    'two refunds of a part without ids',
    [paid, { type: 'REFUND', amount: '10.00' }, { type: 'REFUND', amount: '10.00' }],
    '20.00',
    '0.00',
  ],
  [
    'a pending refund',
    [paid, { type: 'REFUND', amount: '10.00', status: 'PENDING' }],
    '0.00',
    '0.00',
  ],
  [
    'a failed refund',
    [paid, { type: 'REFUND', amount: '10.00', status: 'FAILED' }],
    '0.00',
    '0.00',
  ],
  ['a refund without its payment’s item', [{ type: 'REFUND' }], '49.00', '0.00'],
  ['a chargeback of a part', [paid, { type: 'CHARGE_BACK', amount: '10.00' }], '0.00', '10.00'],
] as [string, HistoryItem[], string, string][]) {
  test(`history: ${what}`, () => {
    deepEqual(returnsOfItems(items, { amount: '49.00' }), { refunded, chargedBack })
  })
}

test('history: an item without a type is a payment, without a status one of unknown status', () => {
  const { type: _type, status: _status, ...bare } = paid
  const facts = factsOfItem('t1', bare)
  equal(facts.amount, '49.00')
  equal(facts.status, undefined)
})
