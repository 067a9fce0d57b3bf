import assert from 'node:assert/strict'
import { test } from 'node:test'
import { now, paymentOf } from '#server/testing/cases.ts'
import { isReturned, observe, remainingCents, type Payment, type PaymentFacts } from './payment.ts'

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
