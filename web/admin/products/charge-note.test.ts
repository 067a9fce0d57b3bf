import assert from 'node:assert/strict'
import { test } from 'node:test'

import { maybeChargeNote } from './charge-note.ts'

test('a price in another currency than the payment is never silently charged otherwise', () => {
  assert.equal(
    maybeChargeNote({ price: '49', currency: 'GBP', paymentCurrency: 'EUR' }),
    'Buyers are charged in EUR: this product will cost €49.00 at checkout, not £49.00.',
  )
  assert.match(
    maybeChargeNote({ price: '', currency: 'GBP', paymentCurrency: 'EUR' }) ?? '',
    /charged in EUR/,
  )
})

test('there is nothing to say where price and payment agree', () => {
  const price = '49'
  assert.equal(maybeChargeNote({ price, currency: 'EUR', paymentCurrency: 'EUR' }), undefined)
  assert.equal(maybeChargeNote({ price, currency: 'GBP', paymentCurrency: 'product' }), undefined)
})
