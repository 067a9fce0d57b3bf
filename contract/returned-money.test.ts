import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeReturned, findReturnedLabel, listReturned } from './returned-money.ts'

const order = (refundedAmount: string, chargedBackAmount: string) => ({
  amount: '49.00',
  refundedAmount,
  chargedBackAmount,
})

test('what went back of a payment is nothing, a part or all of it, refunded or charged back', () => {
  const cases = [
    ['0.00', '0.00', 'none', undefined, undefined],
    ['10.00', '0.00', 'part', '10.00', 'Partly refunded'],
    ['49.00', '0.00', 'all', '49.00', 'Refunded'],
    ['0.00', '10.00', 'part', '10.00', 'Partly charged back'],
    ['0.00', '49.00', 'all', '49.00', 'Charged back'],
    ['10.00', '10.00', 'part', '20.00', 'Partly refunded and charged back'],
    ['39.00', '10.00', 'all', '49.00', 'Refunded and charged back'],
    ['49.00', '49.00', 'all', '98.00', 'Refunded and charged back'],
    ['48.99', '0.00', 'part', '48.99', 'Partly refunded'],
  ] as const
  for (const [refunded, chargedBack, extent, total, label] of cases) {
    const given = order(refunded, chargedBack)
    const described = describeReturned(given)
    const name = `${refunded} and ${chargedBack}`
    assert.equal(described.extent, extent, name)
    assert.equal(described.extent === 'none' ? undefined : described.total, total, name)
    assert.equal(findReturnedLabel(given), label, name)
  }
})

test('refunds and chargebacks are listed apart, and only those there are', () => {
  assert.deepEqual(listReturned(order('0.00', '0.00')), [])
  assert.deepEqual(listReturned(order('39.00', '10.00')), [
    { label: 'Refunded', amount: '39.00' },
    { label: 'Charged back', amount: '10.00' },
  ])
})
