import assert from 'node:assert/strict'
import { test } from 'node:test'

import { productSchema, type Product } from '#contract/products.ts'

import {
  copyValues,
  describeStock,
  initialValues,
  newTier,
  parsePieces,
  parsePrice,
  parseQuantity,
  renewStock,
  valuesToSave,
} from './product-form.ts'

const filled = {
  ...initialValues(undefined),
  name: 'Chair',
  price: '49',
  headerLogoUrl: `/api/objects/${'0a'.repeat(16)}`,
}

test('a new product starts empty, in EUR, without quantity pricing', () => {
  const {
    currency,
    quantityPricingEnabled,
    quantityTiers,
    withdrawalExemption,
    stock,
    showsLeft,
    choice,
    isNoteRequired,
    ...texts
  } = initialValues(undefined)
  assert.deepEqual([stock, showsLeft, choice, isNoteRequired], [null, false, null, false])
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
    ...productSchema
      .omit({ stock: true, stockWas: true, choice: true, noteLabel: true })
      .parse({ ...filled, quantityPricingEnabled: true, quantityTiers: saved }),
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

test('the stock is sent only if the owner has changed it, with what it was', () => {
  const product = { id: '1', stock: 5, left: 4, reserved: 1, sold: 2, showsLeft: true } as Product
  const shown = initialValues(product)
  const changed = { ...shown, stock: 9 }
  const { stock: _stock, stockWas: _stockWas, ...kept } = valuesToSave(shown, product)
  assert.deepEqual(valuesToSave(shown, product), kept)
  const { stock, stockWas } = valuesToSave(changed, product)
  assert.deepEqual([stock, stockWas], [9, 5])
  assert.equal(valuesToSave({ ...shown, stock: null }, product).stock, null)
  assert.equal(copyValues(product).stock, null)
  assert.equal(
    describeStock(product),
    '4 left, 1 held by buyers who are paying, 2 sold since you last entered a number.',
  )
})

test('pieces are a whole number, or none', () => {
  assert.deepEqual(['', ' 12 ', '0', 7, null].map(parsePieces), [null, 12, 0, 7, null])
  for (const typed of ['some', '1.5', '-1', '1000001'])
    assert.equal(productSchema.shape.stock.safeParse(parsePieces(typed)).success, false, typed)
})

const ofSizes = {
  id: '1',
  choice: {
    name: 'Size',
    values: [
      { id: 's', name: 'S', imageUrl: null },
      { id: 'm', name: 'M', imageUrl: '/m.png', stock: 5, left: 4, reserved: 1, sold: 2 },
    ],
  },
} as Product

test('of a choice the pieces are sent that the owner has changed, with what they were', () => {
  const shown = initialValues(ofSizes)
  const kept = valuesToSave(shown, ofSizes).choice
  assert.deepEqual(kept?.values, [
    { id: 's', name: 'S', imageUrl: '' },
    { id: 'm', name: 'M', imageUrl: '/m.png' },
  ])
  const values = shown.choice?.values.map((value) => ({ ...value, stock: 9 })) ?? []
  const changed = valuesToSave({ ...shown, choice: { name: 'Size', values } }, ofSizes).choice
  assert.deepEqual(
    changed?.values.map(({ stock, stockWas }) => [stock, stockWas]),
    [
      [9, undefined],
      [9, 5],
    ],
  )
})

test('a choice is sent only where there is or was one', () => {
  assert.ok(!('choice' in valuesToSave(filled, undefined)))
  assert.equal(valuesToSave({ ...initialValues(ofSizes), choice: null }, ofSizes).choice, null)
})

test('a copy has the same values, as values of its own without pieces', () => {
  assert.deepEqual(copyValues(ofSizes).choice?.values, [
    { name: 'S', imageUrl: '', stock: null },
    { name: 'M', imageUrl: '/m.png', stock: null },
  ])
})

test('a product without a label asks its buyers for nothing', () => {
  assert.equal(productSchema.parse({ ...filled, noteLabel: '  ' }).noteLabel, null)
  assert.equal(productSchema.parse({ ...filled, noteLabel: ' Engraving ' }).noteLabel, 'Engraving')
  assert.equal(productSchema.safeParse({ ...filled, noteLabel: 'x'.repeat(81) }).success, false)
})

test('a typed number of pieces is meant as it was typed, also where somebody has counted meanwhile', () => {
  const count = (stock: number) => initialValues({ id: '1', stock } as Product)
  const mine = count(10)
  const { stock, stockWas } = renewStock({ ...mine, stock: 12 }, count(50))
  assert.deepEqual([stock, stockWas], [12, 50])
  const untouched = renewStock(mine, count(50))
  assert.deepEqual([untouched.stock, untouched.stockWas], [50, 50])
})

test('so is that of a value, unless the value is gone', () => {
  const choose = (...stocks: [string, number][]) => {
    const values = stocks.map(([id, stock]) => ({ id, name: id, imageUrl: null, stock }))
    return initialValues({ id: '1', choice: { name: 'Size', values } } as Product)
  }
  const mine = choose(['s', 10], ['m', 5], ['l', 1])
  const [first, ...others] = mine.choice?.values ?? []
  assert.ok(first)
  const values = [{ ...first, stock: 12 }, ...others, { name: 'new', stock: 3 }]
  const theirs = choose(['m', 4], ['s', 50])
  const renewed = renewStock({ ...mine, choice: { name: 'Size', values } }, theirs).choice
  assert.deepEqual(
    renewed?.values.map(({ stock, stockWas }) => [stock, stockWas]),
    [
      [12, 50],
      [4, 4],
      [1, undefined],
      [3, undefined],
    ],
  )
})
