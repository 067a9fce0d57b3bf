import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  formatCount,
  formatEvent,
  formatFullAddress,
  formatListAddress,
  formatPart,
  shortId,
} from './order-text.ts'
import { createOrder } from './testing/orders.ts'

const address = {
  country: 'Germany',
  firstName: 'Anna',
  lastName: 'Müller',
  address: 'Lange Straße 12',
  apartment: 'Hinterhaus',
  city: 'Berlin',
  postcode: '10115',
}

test('an order is known by the first eight characters of its number', () => {
  assert.equal(shortId('1f3c9a52-7b1e-4c58-9d0a-3f6d2b1c8e70'), '1f3c9a52…')
})

test('thousands are separated', () => {
  assert.equal(formatCount(1), '1')
  assert.equal(formatCount(1204), '1,204')
})

test('a list shows street, city and country; what is missing leaves no trace', () => {
  assert.deepEqual(formatListAddress(address), [
    'Lange Straße 12, Hinterhaus',
    'Berlin, 10115',
    'Germany',
  ])
  assert.deepEqual(formatListAddress({ ...address, apartment: '' }), [
    'Lange Straße 12',
    'Berlin, 10115',
    'Germany',
  ])
  const british = { country: 'United Kingdom', city: 'London', postcode: 'sw1a 1aa' }
  assert.equal(formatListAddress({ ...address, ...british })[1], 'London, SW1A 1AA')
})

test('a whole address follows its country and ends with the phone', () => {
  assert.deepEqual(formatFullAddress({ ...address, state: 'BE', phone: '+49 30 1' }), [
    'Anna Müller',
    'Lange Straße 12',
    'Hinterhaus',
    '10115 Berlin',
    'BE',
    'Germany',
    '+49 30 1',
  ])
  const american = { country: 'United States', city: 'Austin', state: 'TX', postcode: '73301' }
  assert.deepEqual(formatFullAddress({ ...address, ...american }).slice(-2), [
    'Austin, TX 73301',
    'United States',
  ])
})

test('what went back is shown as a part of what the order cost', () => {
  assert.equal(formatPart('10.00', createOrder('a')), '€10.00 of €49.00')
})

test('the history calls an order paid only if there is a payment', () => {
  const placed = { who: 'Shop', at: '', from: null, to: null, amount: null, event: 'placed' }
  const format = (sumupTransactionId: string | null) =>
    formatEvent(placed, { ...createOrder('a'), sumupTransactionId })
  assert.deepEqual([format('t-1'), format(null)], ['Paid and placed', 'Placed'])
})

test('the history shows refunds and chargebacks with their amount', () => {
  const event = { who: 'Shop', at: '2026-11-15T09:05:00.000Z', from: null, to: null }
  const format = (name: string, amount: string | null) =>
    formatEvent({ ...event, event: name, amount }, { ...createOrder('a'), currency: 'GBP' })
  assert.equal(format('refunded', '10.00'), 'Refunded £10.00')
  assert.equal(format('charged-back', '49.00'), 'Charged back £49.00')
  assert.equal(format('refunded', null), 'Refunded')
  assert.equal(format('erased', null), 'Customer data erased')
})
