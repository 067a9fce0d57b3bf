import assert from 'node:assert/strict'
import { test } from 'node:test'

import { productSchema } from '#contract/products.ts'

import { initialValues, newTier, parsePrice, parseQuantity, valuesToSave } from './product-form.ts'

const filled = {
  ...initialValues(undefined),
  name: 'Chair',
  price: '49',
  headerLogoUrl: `/api/objects/${'0a'.repeat(16)}`,
}

test('a new product starts empty, in EUR, without quantity pricing', () => {
  const { currency, quantityPricingEnabled, quantityTiers, withdrawalExemption, ...texts } =
    initialValues(undefined)
  assert.deepEqual(
    { currency, quantityPricingEnabled, quantityTiers, withdrawalExemption },
    {
      currency: 'EUR',
      quantityPricingEnabled: false,
      quantityTiers: [],
      withdrawalExemption: null,
    },
  )
  assert.ok(Object.values(texts).every((text) => text === ''))
})

test('an empty form reports a missing name, price and logo', () => {
  const { error } = productSchema.safeParse(initialValues(undefined))
  const texts = error?.issues.map(({ message }) => message) ?? []
  for (const text of [
    'Product name is required',
    'Invalid price format',
    'Header logo is required',
  ])
    assert.ok(texts.includes(text), text)
})

test('a tier without a price is invalid only while quantity pricing is on', () => {
  const values = { ...filled, quantityTiers: [newTier] }
  const on = valuesToSave({ ...values, quantityPricingEnabled: true }, undefined)
  const off = valuesToSave(values, undefined)
  assert.equal(productSchema.safeParse(on).success, false)
  assert.deepEqual(productSchema.parse(off).quantityTiers, null)
})

test('switching quantity pricing off keeps the tiers that are saved', () => {
  const saved = [{ quantity: 5, price: '40.00' }]
  const product = {
    ...productSchema.parse({ ...filled, quantityPricingEnabled: true, quantityTiers: saved }),
    id: '1',
    isPaused: false,
    createdBy: 'admin',
    createdByEmail: null,
    createdAt: '',
    updatedAt: '',
  }
  const changed = {
    ...initialValues(product),
    quantityPricingEnabled: false,
    quantityTiers: [newTier],
  }
  assert.deepEqual(valuesToSave(changed, product).quantityTiers, saved)
})

test('a price may be typed with a comma', () => {
  assert.deepEqual(['12,5', ' 12,50 ', '12.5', '1,234', '1,2,3', ',5', 'x', ''].map(parsePrice), [
    '12.5',
    '12.50',
    '12.5',
    '1,234',
    '1,2,3',
    ',5',
    'x',
    '',
  ])
})

test('a quantity is a whole number, 1 if none was typed', () => {
  assert.deepEqual(['12', '3.9', '', 'x', '0', 7].map(parseQuantity), [12, 3, 1, 1, 1, 7])
})
