import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DiscountCode } from '#contract/discounts.ts'
import {
  codesFor,
  describeDiscount,
  describeUses,
  formatLastDay,
  withCode,
} from './discount-codes.ts'

const none = { orders: 0, takenOff: [] }
const ten: DiscountCode = {
  id: '1',
  code: 'TEN',
  percent: 10,
  amount: null,
  productId: null,
  maxUses: null,
  lastDay: null,
  state: 'active',
  uses: none,
  testUses: none,
  createdAt: '2026-01-01T00:00:00.000Z',
}

test('a code says what it takes off, in a currency where there is one for all', () => {
  assert.equal(describeDiscount(ten, 'EUR'), '10 % off')
  const five = { percent: null, amount: '5.00' }
  assert.equal(describeDiscount(five, 'EUR'), '€5.00 off')
  assert.equal(describeDiscount(five, undefined), '5.00 off')
})

test('a code says how often it was used, of how many times, and what that cost the shop', () => {
  assert.equal(describeUses(ten), 'Not used yet')
  assert.equal(describeUses({ ...ten, maxUses: 1 }), 'Used 0 of 1 time')
  const uses = {
    orders: 3,
    takenOff: [
      { amount: '14.70', currency: 'EUR' },
      { amount: '2.00', currency: 'GBP' },
    ],
  }
  const testUses = { orders: 1, takenOff: [{ amount: '4.90', currency: 'EUR' }] }
  assert.equal(
    describeUses({ ...ten, maxUses: 1000, uses, testUses }),
    'Used 3 of 1,000 times, €14.70 and £2.00 taken off, 1 test',
  )
})

test('a link is offered with the codes that count for its product now', () => {
  const other = { ...ten, productId: 'lamp' }
  const ended: DiscountCode = { ...ten, state: 'ended' }
  const fifty: DiscountCode = { ...ten, percent: null, amount: '50.00' }
  const all = [ten, other, ended, fifty]
  assert.deepEqual(codesFor(all, { id: 'mug', price: '50.00' }), [ten])
  assert.deepEqual(codesFor(all, { id: 'lamp', price: '50.01' }), [ten, other, fifty])
  assert.equal(
    withCode('https://mugs.example/checkout/1', 'TEN-1'),
    'https://mugs.example/checkout/1?code=TEN-1',
  )
})

test('the last day is the day that was chosen, in every time zone', () => {
  assert.equal(formatLastDay('2027-01-31'), 'Jan 31, 2027')
})
