import assert from 'node:assert/strict'
import { test } from 'node:test'

import { productSchema } from '#contract/products.ts'

import { newTier, parseQuantity, startValues, whatCounts } from './product-values.ts'

const filled = {
  ...startValues(undefined),
  name: 'Chair',
  price: '49',
  headerLogoUrl: `/api/objects/${'0a'.repeat(16)}`,
}

test('a new product starts empty, in EUR, without quantity pricing', () => {
  const { currency, quantityPricingEnabled, quantityTiers, ...texts } = startValues(undefined)
  assert.deepEqual(
    { currency, quantityPricingEnabled, quantityTiers },
    {
      currency: 'EUR',
      quantityPricingEnabled: false,
      quantityTiers: [],
    },
  )
  assert.ok(Object.values(texts).every((text) => text === ''))
})

test('an empty form misses name, price and logo, in the words of the contract', () => {
  const { error } = productSchema.safeParse(startValues(undefined))
  const texts = error?.issues.map(({ message }) => message) ?? []
  for (const text of [
    'Product name is required',
    'Invalid price format',
    'Header logo is required',
  ])
    assert.ok(texts.includes(text), text)
})

test('a tier without a price stops a product only while quantity pricing is on', () => {
  const values = { ...filled, quantityTiers: [newTier] }
  const on = whatCounts({ ...values, quantityPricingEnabled: true }, undefined)
  const off = whatCounts(values, undefined)
  assert.equal(productSchema.safeParse(on).success, false)
  assert.deepEqual(productSchema.parse(off).quantityTiers, null)
})

test('switching quantity pricing off keeps the tiers that are saved', () => {
  const saved = [{ quantity: 5, price: '40.00' }]
  const product = {
    ...productSchema.parse({ ...filled, quantityPricingEnabled: true, quantityTiers: saved }),
    id: '1',
    createdBy: 'admin',
    createdByEmail: null,
    createdAt: '',
    updatedAt: '',
  }
  const changed = {
    ...startValues(product),
    quantityPricingEnabled: false,
    quantityTiers: [newTier],
  }
  assert.deepEqual(whatCounts(changed, product).quantityTiers, saved)
})

test('a quantity is a whole number, and one where none was typed', () => {
  assert.deepEqual(['12', '3.9', '', 'x', '0', 7].map(parseQuantity), [12, 3, 1, 1, 1, 7])
})
