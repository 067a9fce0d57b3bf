import assert from 'node:assert/strict'
import { test } from 'node:test'

import { describePieces, describeValue, listChanged } from './changed-meanwhile.ts'
import { initialValues, type ProductValues } from './product-form.ts'

const read: ProductValues = {
  ...initialValues(undefined),
  name: 'Oak chair',
  price: '49.00',
  choice: { name: 'Size', values: [{ id: 's', name: 'S', imageUrl: '', stock: 3, stockWas: 3 }] },
  stock: null,
  updatedAt: '2026-11-19T10:00:00.000Z',
}
const later = '2026-11-19T11:00:00.000Z'

test('what somebody else has changed is named, and what was typed here is not', () => {
  const theirs = { ...read, price: '55.00', updatedAt: later }
  assert.deepEqual(listChanged(read, { ...read, name: 'Elm chair' }, theirs), ['price'])
})

test('pieces that were sold are no change', () => {
  const sold = { id: 's', name: 'S', imageUrl: '', stock: 2, stockWas: 2 }
  const choice = { name: 'Size', values: [sold] }
  assert.deepEqual(listChanged(read, read, { ...read, choice, updatedAt: later }), [])
  const renamed = { name: 'Size', values: [{ ...sold, name: 'Small' }] }
  assert.deepEqual(listChanged(read, read, { ...read, choice: renamed }), ['choice'])
  assert.equal(describeValue({ ...read, choice: renamed }, 'choice'), 'Size: Small')
})

test('of a form that was opened again with what was typed, every difference is named', () => {
  const mine = { ...read, name: 'Elm chair' }
  const saved = { ...read, price: '55.00', updatedAt: later }
  assert.deepEqual(listChanged(saved, mine, saved), ['name', 'price'])
})

test('the pieces are named that are there now, where the form has read or says another number', () => {
  const counted = { ...read, choice: null, stock: 10, stockWas: 10 }
  const theirs = { ...counted, stock: 50, stockWas: 50 }
  assert.equal(describePieces(counted, theirs), '50')
  assert.equal(describePieces({ ...theirs, stock: 12 }, theirs), '50')
  assert.equal(describePieces(theirs, theirs), undefined)
  assert.equal(describePieces(counted, { ...read, choice: null }), 'not counted')
  const values = [
    { id: 's', name: 'S', imageUrl: '', stock: 7, stockWas: 7 },
    { id: 'm', name: 'M', imageUrl: '', stock: null },
  ]
  assert.equal(describePieces(read, { ...read, choice: { name: 'Size', values } }), 'S 7')
})
