import assert from 'node:assert/strict'
import { test } from 'node:test'
import { judge } from './judge.ts'
import type { CheckoutRow } from './ledger.ts'
import type { SumupCheckout } from './sumup-answers.ts'

const merchant = 'MTEST'
const ours = {
  id: '6f1d7f3c-0000-4000-8000-000000000001',
  sumupCheckoutId: '6f1d7f3c-0000-4000-8000-000000000002',
  amount: '49.00',
  currency: 'EUR',
  details: { acceptsNews: false },
} as CheckoutRow

const payment = {
  id: 'tx-1',
  code: 'TAAAAAAAA1',
  amount: '49.00',
  currency: 'EUR',
  status: 'SUCCESSFUL',
}
const paid: SumupCheckout = {
  id: '6f1d7f3c-0000-4000-8000-000000000002',
  reference: ours.id,
  merchantCode: merchant,
  amount: '49.00',
  currency: 'EUR',
  status: 'PAID',
  transactions: [payment],
}

test('what is paid in full, to us, for this sale, is paid', () => {
  assert.deepEqual(judge(ours, paid, merchant), {
    is: 'paid',
    transactionId: 'tx-1',
    transactionCode: 'TAAAAAAAA1',
  })
  const afterDecline = {
    ...paid,
    transactions: [{ ...payment, id: 'tx-0', status: 'FAILED' }, payment],
  }
  assert.equal(judge(ours, afterDecline, merchant).is, 'paid')
})

const misfits: [string, CheckoutRow, SumupCheckout][] = [
  [
    'one euro for a sale of 49',
    ours,
    { ...paid, amount: '1.00', transactions: [{ ...payment, amount: '1.00' }] },
  ],
  [
    'a payment of less than the checkout says',
    ours,
    { ...paid, transactions: [{ ...payment, amount: '48.99' }] },
  ],
  [
    'another currency',
    ours,
    { ...paid, currency: 'HUF', transactions: [{ ...payment, currency: 'HUF' }] },
  ],
  ['another sale', ours, { ...paid, reference: 'other' }],
  ['another checkout', ours, { ...paid, id: '6f1d7f3c-0000-4000-8000-000000000009' }],
  ['another account', ours, { ...paid, merchantCode: 'THIEF' }],
  [
    'a sum that cannot be read',
    ours,
    { ...paid, transactions: [{ ...payment, amount: undefined }] },
  ],
  ['a payment without a number', ours, { ...paid, transactions: [{ ...payment, id: undefined }] }],
  ['a sum beyond all reason', ours, { ...paid, amount: '4900000000000.00' }],
  ['a payment under an expired checkout', ours, { ...paid, status: 'EXPIRED' }],
  ['paid before anyone said where to deliver', { ...ours, details: null }, paid],
]

for (const [what, row, seen] of misfits) {
  test(`${what} is looked at by a person, never an order and never forgotten`, () => {
    assert.equal(judge(row, seen, merchant).is, 'review')
  })
}

test('an answer that contradicts itself may only be early: it is no verdict yet', () => {
  for (const early of [
    { ...paid, status: 'PENDING' },
    { ...paid, status: 'FAILED' },
    { ...paid, transactions: [] },
    { ...paid, transactions: [{ ...payment, status: 'FAILED' }] },
  ]) {
    assert.equal(judge(ours, early, merchant).is, 'unclear')
  }
})

test('the newest card decides whether a sale is declined', () => {
  const failed = { ...payment, status: 'FAILED' }
  const atTheBank = { ...payment, status: 'PENDING' }
  const after = (transactions: SumupCheckout['transactions']) =>
    judge(ours, { ...paid, status: 'FAILED', transactions }, merchant)
  assert.deepEqual(after([failed, atTheBank]), { is: 'pending', failures: 1 })
  assert.deepEqual(after([atTheBank, failed, failed]), { is: 'declined', failures: 2 })
})

test('a failed card is an attempt, not an end', () => {
  const failed = { ...payment, status: 'FAILED' }
  const seen = { ...paid, status: 'FAILED', transactions: [failed, failed] }
  assert.deepEqual(judge(ours, seen, merchant), { is: 'declined', failures: 2 })
})

test('pending waits and expired ends', () => {
  assert.deepEqual(judge(ours, { ...paid, status: 'PENDING', transactions: [] }, merchant), {
    is: 'pending',
    failures: 0,
  })
  assert.deepEqual(judge(ours, { ...paid, status: 'EXPIRED', transactions: [] }, merchant), {
    is: 'expired',
  })
})
