import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changesTo, countAll, moveCounts, undoOf } from './status-change.ts'

const counts = { pending: 2, processing: 1, shipped: 0, completed: 5 }
const changes = changesTo('shipped', [
  { id: 'a', status: 'pending' },
  { id: 'b', status: 'processing' },
  { id: 'c', status: 'shipped' },
])

test('counters follow the orders', () => {
  const moved = moveCounts(counts, changes)
  assert.deepEqual(moved, { pending: 1, processing: 0, shipped: 2, completed: 5 })
  assert.deepEqual(moveCounts(moved, undoOf(changes)), counts)
})

test('undo gives each order its own status back', () => {
  assert.deepEqual(
    undoOf(changes).map(({ id, to }) => [id, to]),
    [
      ['a', 'pending'],
      ['b', 'processing'],
      ['c', 'shipped'],
    ],
  )
})

test('a filter counts its own orders, no filter counts all', () => {
  assert.equal(countAll(counts, 'completed'), 5)
  assert.equal(countAll(counts, undefined), 8)
})
