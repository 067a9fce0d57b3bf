import assert from 'node:assert/strict'
import { test } from 'node:test'

import { parseOrder, parseProduct } from './answers.ts'

const times = { createdAt: '2026-11-15T09:05:00.000Z', updatedAt: '2026-11-15T09:05:00.000Z' }

test('an order with no more than it must have is completed', () => {
  const order = parseOrder({
    id: '1',
    productId: 'p',
    product: null,
    amount: 49.5,
    currency: 'EUR',
    shippingAddress: null,
    ...times,
  })
  assert.deepEqual([order.product.name, order.product.imageUrl], ['', null])
  assert.equal(order.amount, '49.50')
  assert.equal(order.shippingAddress.city, '')
  assert.deepEqual([order.status, order.quantity], ['pending', 1])
  assert.deepEqual([order.refundedAmount, order.isTest], ['0.00', false])
})

test('what an answer holds stays as it is, also a status that is none of ours', () => {
  const order = parseOrder({
    id: '1',
    product: { id: 'p', name: 'Mug' },
    amount: '49.00',
    status: 'on hold',
    shippingAddress: { city: 'Berlin' },
    refundedAmount: '10.00',
    ...times,
  })
  assert.deepEqual([order.product.name, order.product.imageUrl], ['Mug', null])
  assert.deepEqual([order.amount, order.refundedAmount], ['49.00', '10.00'])
  assert.deepEqual({ status: order.status }, { status: 'on hold' })
  assert.deepEqual([order.shippingAddress.city, order.shippingAddress.postcode], ['Berlin', ''])
})

test('a product needs no fields of our own', () => {
  const product = parseProduct({ id: '1', name: 'Mug', price: 24, currency: 'GBP', ...times })
  assert.deepEqual([product.name, product.price, product.currency], ['Mug', '24.00', 'GBP'])
  assert.deepEqual([product.isPaused, product.quantityTiers], [false, null])
})
