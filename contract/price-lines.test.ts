import assert from 'node:assert/strict'
import { test } from 'node:test'
import { goodsPrice, listPriceLines } from './price-lines.ts'
import type { Terms } from './quotes.ts'

const words = {
  shipping: 'Shipping',
  free: 'Free',
  discount: 'Discount ({code})',
  pickup: 'Pickup',
}
const linesOf = (order: Parameters<typeof goodsPrice>[0]) =>
  listPriceLines(order, words, (amount) => `€${amount}`).map(
    ({ label, value }) => `${label} ${value}`,
  )

const terms: Terms = {
  subtotal: '49.00',
  shipping: '4.90',
  discount: '5.00',
  code: 'FIVE',
  country: 'Germany',
  isPickup: false,
}

test('an order at the price of its product was sent for free', () => {
  assert.deepEqual(linesOf({ amount: '49.00' }), ['Shipping Free'])
  assert.equal(goodsPrice({ amount: '49.00', terms: null }), '49.00')
})

test('a price with parts names each, and what is fetched has no shipping', () => {
  const order = { amount: '48.90', terms }
  assert.deepEqual(linesOf(order), ['Discount (FIVE) −€5.00', 'Shipping €4.90'])
  assert.equal(goodsPrice(order), '49.00')
  const fetched = { ...terms, shipping: '0.00', country: null, isPickup: true }
  assert.equal(linesOf({ amount: '44.00', terms: fetched }).at(-1), 'Shipping Pickup')
  const free = { ...terms, shipping: '0.00' }
  assert.equal(linesOf({ amount: '44.00', terms: free }).at(-1), 'Shipping Free')
})

test('a discount without its code is called only that', () => {
  assert.deepEqual(linesOf({ amount: '48.90', terms: { ...terms, code: null } }), [
    'Discount −€5.00',
    'Shipping €4.90',
  ])
})

test('of another amount than was agreed on no parts are told', () => {
  assert.deepEqual(linesOf({ amount: '50.00', terms }), [])
  assert.equal(goodsPrice({ amount: '50.00', terms }), '50.00')
})
