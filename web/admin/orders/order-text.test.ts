import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OrderEvent } from '#contract/orders.ts'
import {
  formatCount,
  formatEvent,
  formatFullAddress,
  formatListAddress,
  formatPart,
  labelOf,
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

const nothing: OrderEvent = {
  who: 'Shop',
  at: '2026-11-15T09:05:00.000Z',
  event: '',
  from: null,
  to: null,
  amount: null,
  corrections: null,
  mail: null,
}

test('the history calls an order paid only if there is a payment', () => {
  const placed = { ...nothing, event: 'placed' }
  const format = (sumupTransactionId: string | null) =>
    formatEvent(placed, { ...createOrder('a'), sumupTransactionId })
  assert.deepEqual([format('t-1'), format(null)], ['Paid and placed', 'Placed'])
})

test('the history shows refunds and chargebacks with their amount', () => {
  const format = (name: string, amount: string | null) =>
    formatEvent({ ...nothing, event: name, amount }, { ...createOrder('a'), currency: 'GBP' })
  assert.equal(format('refunded', '10.00'), 'Refunded £10.00')
  assert.equal(format('charged-back', '49.00'), 'Charged back £49.00')
  assert.equal(format('refunded', null), 'Refunded')
  assert.equal(format('erased', null), 'Customer data erased')
})

test('what is picked up is ready for pickup, and never shipped', () => {
  const order = { ...createOrder('a'), isPickup: true as const }
  assert.deepEqual([labelOf('shipped', order), labelOf('shipped')], ['Ready for pickup', 'Shipped'])
  const moved = { ...nothing, event: 'status', from: 'pending', to: 'shipped' } as const
  assert.equal(formatEvent(moved, order), 'Pending → Ready for pickup')
  const mail = { kind: 'shipped', state: 'sent', attempts: 1, reason: null } as const
  assert.equal(formatEvent({ ...nothing, event: 'mail', mail }, order), 'Pickup mail sent')
})

test('the history says what became of each mail', () => {
  const format = (mail: OrderEvent['mail']) =>
    formatEvent({ ...nothing, event: 'mail', mail }, createOrder('a'))
  const mail = { kind: 'confirmation', attempts: 1, reason: null }
  assert.equal(format({ ...mail, state: 'sent' }), 'Confirmation mail sent')
  assert.equal(format({ ...mail, state: 'waiting' }), 'Confirmation mail waits to be sent')
  const failed = { ...mail, attempts: 3, reason: 'EENVELOPE, RCPT TO, 450' }
  assert.equal(
    format({ ...failed, state: 'retrying' }),
    'Confirmation mail not sent yet, after 3 tries: the mail server does not accept the recipient (EENVELOPE, RCPT TO, 450)',
  )
  assert.equal(
    format({ ...failed, attempts: 1, state: 'given-up' }),
    'Confirmation mail given up after 1 try: the mail server does not accept the recipient (EENVELOPE, RCPT TO, 450)',
  )
  const skipped = { ...mail, kind: 'new-sale', reason: 'no recipient' }
  assert.equal(
    format({ ...skipped, state: 'skipped' }),
    'Mail about the sale not sent: no recipient',
  )
  assert.equal(
    format({ ...mail, state: 'skipped', reason: 'kept as a file' }),
    'Confirmation mail not sent: kept as a file',
  )
  assert.equal(format({ ...mail, kind: 'newer', state: 'sent' }), 'Mail (newer) sent')
})
