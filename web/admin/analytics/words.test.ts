import assert from 'node:assert/strict'
import { test } from 'node:test'
import { capitalize, count } from './words.ts'

test('one is an order, more are orders', () => {
  assert.deepEqual(
    [0, 1, 1234].map((n) => count(n, 'order')),
    ['0 orders', '1 order', '1,234 orders'],
  )
})

test('a sentence begins large', () => {
  assert.equal(capitalize('the 30 days before'), 'The 30 days before')
})
