import assert from 'node:assert/strict'
import { test } from 'node:test'
import { explainMoment, showMoment } from './moment-words.ts'
import { addressLines, maybeMoneyBack, placeLines, refundedPart, shortId } from './order-words.ts'
import { orderOf } from './test-orders.ts'
import { tellEvent } from './timeline-words.ts'

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

test('a date reads month, day, year, at hour and minute', () => {
  const utc = { timeZone: 'UTC' }
  assert.deepEqual(showMoment('2026-11-15T09:05:00Z', utc), {
    day: 'Nov 15, 2026',
    time: 'at 9:05 AM',
  })
  assert.deepEqual(showMoment('2026-01-02T00:00:00Z', utc), {
    day: 'Jan 2, 2026',
    time: 'at 12:00 AM',
  })
  assert.equal(showMoment('2026-01-01T23:30:00Z', { timeZone: 'Europe/Berlin' }).day, 'Jan 2, 2026')
})

test('a date is explained: how long ago, and by which clock', () => {
  const now = Date.parse('2026-11-15T12:00:00Z')
  const berlin = { timeZone: 'Europe/Berlin' }
  const explain = (iso: string) => explainMoment(iso, berlin, now)
  assert.equal(explain('2026-11-15T11:59:30Z'), 'just now, Europe/Berlin time')
  assert.equal(explain('2026-11-15T09:00:00Z'), '3 hours ago, Europe/Berlin time')
  assert.equal(explain('2026-11-13T09:00:00Z'), '2 days ago, Europe/Berlin time')
})

test('a place is street, city and country; what is missing leaves no trace', () => {
  assert.deepEqual(placeLines(address), ['Lange Straße 12, Hinterhaus', 'Berlin, 10115', 'Germany'])
  assert.deepEqual(placeLines({ ...address, apartment: '' }), [
    'Lange Straße 12',
    'Berlin, 10115',
    'Germany',
  ])
})

test('a whole address begins with the name and ends with the phone', () => {
  assert.deepEqual(addressLines({ ...address, state: 'BE', phone: '+49 30 1' }), [
    'Anna Müller',
    'Lange Straße 12',
    'Hinterhaus',
    'Berlin, BE 10115',
    'Germany',
    '+49 30 1',
  ])
})

test('an order says what became of its money after it was paid', () => {
  assert.equal(maybeMoneyBack(orderOf('a')), undefined)
  const partly = orderOf('b', { refundedAmount: '10.00' })
  assert.equal(maybeMoneyBack(partly), 'Partly refunded')
  assert.equal(refundedPart(partly), '€10.00 of €49.00')
  assert.equal(maybeMoneyBack(orderOf('c', { refundedAmount: '49.00' })), 'Refunded')
  const chargedBackAt = '2026-11-15T09:05:00.000Z'
  assert.equal(
    maybeMoneyBack(orderOf('d', { refundedAmount: '49.00', chargedBackAt })),
    'Charged back',
  )
})

test('the history tells of refunds and chargebacks with their amount', () => {
  const event = { who: 'Shop', at: '2026-11-15T09:05:00.000Z', from: null, to: null }
  const tell = (name: string, amount: string | null) =>
    tellEvent({ ...event, event: name, amount }, 'GBP')
  assert.equal(tell('refunded', '10.00'), 'Refunded £10.00')
  assert.equal(tell('charged-back', '49.00'), 'Charged back £49.00')
  assert.equal(tell('refunded', null), 'Refunded')
})
