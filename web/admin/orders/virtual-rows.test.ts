import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createKeyPool } from './virtual-rows.ts'

test('a row keeps its key while it is rendered, and leaves it to another row afterwards', () => {
  const assignKeys = createKeyPool()
  assert.deepEqual(assignKeys(['a', 'b', 'c']), [0, 1, 2])
  assert.deepEqual(assignKeys(['b', 'c', 'd']), [1, 2, 0])
  assert.deepEqual(assignKeys(['c', 'd', 'e', 'f']), [2, 0, 1, 3])
  assert.deepEqual(assignKeys(['x', 'y']), [0, 1])
})

test('the same rows get the same keys again', () => {
  const assignKeys = createKeyPool()
  assignKeys(['a', 'b'])
  assert.deepEqual(assignKeys(['b', 'c']), [1, 0])
  assert.deepEqual(assignKeys(['b', 'c']), [1, 0])
})
