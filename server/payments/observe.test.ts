import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { HistoryItem } from '#server/sumup/answers.ts'
import { now, paymentOf } from '#server/testing/records.ts'
import { isReturned, remainingCents, type Payment } from './record.ts'
import { factsOfItem, observe, returnsOfItems, type PaymentFacts } from './observe.ts'

/** Which of SumUp's words about one payment is believed. */

const pending = paymentOf('tx-1', { status: 'pending', amount: '1.00' })
const copied = paymentOf('tx-1', { amount: '1.00' })
const read = paymentOf('tx-1', { amount: '1.00', readAt: now })

const copy = (amount: string) => ({ amount, status: 'successful' }) as const
const full = (amount: string) => ({ ...copy(amount), isFull: true }) as const

const amounts: [string, Payment, Partial<PaymentFacts>, string, string | null][] = [
  ['of a pending payment the latest is believed', pending, copy('49.00'), '49.00', null],
  ['a copy says the same again', copied, copy('1.00'), '1.00', null],
  ['a copy against a copy', copied, copy('49.00'), '1.00', 'amount 1.00, later 49.00'],
  ['the transaction against a copy', copied, full('49.00'), '49.00', 'amount 1.00, later 49.00'],
  ['a copy against the transaction', read, copy('49.00'), '1.00', 'amount 1.00, later 49.00'],
  ['the transaction against itself', read, full('49.00'), '1.00', 'amount 1.00, later 49.00'],
]
for (const [what, known, said, amount, conflict] of amounts)
  test(`amount: ${what}`, () => {
    const after = observe(known, { transactionId: 'tx-1', ...said }, known, now)
    assert.deepEqual({ amount: after.amount, conflict: after.conflict }, { amount, conflict })
  })

test('what a copy changes of a pending payment is read again: the transaction still counts over it', () => {
  const known = { ...pending, amount: '49.00', readAt: now }
  const copied = observe(known, { transactionId: 'tx-1', ...copy('1.00') }, known, now)
  assert.equal(copied.readAt, null)
  const after = observe(copied, { transactionId: 'tx-1', ...full('49.00') }, known, now)
  assert.equal(after.amount, '49.00')
})

test('a payment of which SumUp named two amounts never counts as given back', () => {
  const known = observe(copied, { transactionId: 'tx-1', ...full('49.00') }, copied, now)
  const after = observe(known, { transactionId: 'tx-1', refunded: '49.00' }, known, now)
  assert.equal(remainingCents(after), 0)
  assert.equal(isReturned(after), false)
})

for (const status of ['pending', 'failed'])
  test(`a ${status} payment was not given back: it was never taken`, () => {
    assert.equal(isReturned(paymentOf('tx-1', { status })), false)
  })

const paidItem: HistoryItem = {
  transaction_id: 't1',
  amount: '49.00',
  currency: 'EUR',
  status: 'SUCCESSFUL',
  type: 'PAYMENT',
}

for (const [what, items, refunded, chargedBack] of [
  ['a payment', [paidItem], '0.00', '0.00'],
  [
    'a payment that says itself what went back',
    [{ ...paidItem, refunded_amount: '9.00' }],
    '9.00',
    '0.00',
  ],
  ['a refund without an amount', [paidItem, { type: 'REFUND' }], '49.00', '0.00'],
  [
    'two refunds of a part without ids',
    [paidItem, { type: 'REFUND', amount: '10.00' }, { type: 'REFUND', amount: '10.00' }],
    '20.00',
    '0.00',
  ],
  [
    'a pending refund',
    [paidItem, { type: 'REFUND', amount: '10.00', status: 'PENDING' }],
    '0.00',
    '0.00',
  ],
  [
    'a failed refund',
    [paidItem, { type: 'REFUND', amount: '10.00', status: 'FAILED' }],
    '0.00',
    '0.00',
  ],
  ['a refund without its payment’s item', [{ type: 'REFUND' }], '49.00', '0.00'],
  ['a chargeback of a part', [paidItem, { type: 'CHARGE_BACK', amount: '10.00' }], '0.00', '10.00'],
] as [string, HistoryItem[], string, string][]) {
  test(`history: ${what}`, () => {
    assert.deepEqual(returnsOfItems(items, { amount: '49.00' }), { refunded, chargedBack })
  })
}

test('history: an item without a type is a payment, without a status one of unknown status', () => {
  const { type: _type, status: _status, ...bare } = paidItem
  const facts = factsOfItem('t1', bare)
  assert.equal(facts.amount, '49.00')
  assert.equal(facts.status, undefined)
})
