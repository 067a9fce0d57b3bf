import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeSlots } from './slots.ts'

test('a row keeps its place while it is shown, and leaves it to another afterwards', () => {
  const assign = makeSlots()
  assert.deepEqual(assign(['a', 'b', 'c']), [0, 1, 2])
  assert.deepEqual(assign(['b', 'c', 'd']), [1, 2, 0])
  assert.deepEqual(assign(['c', 'd', 'e', 'f']), [2, 0, 1, 3])
  assert.deepEqual(assign(['x', 'y']), [0, 1])
})

test('asking again for the same rows changes nothing', () => {
  const assign = makeSlots()
  assign(['a', 'b'])
  assert.deepEqual(assign(['b', 'c']), assign(['b', 'c']))
})
