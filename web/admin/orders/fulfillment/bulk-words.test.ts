import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tellOutcome, tellProgress, tellSelected } from './bulk-words.ts'

const some = (count: number) =>
  Array.from({ length: count }, (_item, place) => ({
    id: `${place}`,
    from: 'pending' as const,
    to: 'shipped' as const,
  }))

test('the selection is counted', () => {
  assert.equal(tellSelected(1), '1 order(s) selected')
  assert.equal(tellSelected(1204), '1,204 order(s) selected')
})

test('orders that were all updated are told with where they went', () => {
  assert.deepEqual(tellOutcome({ done: some(20), failed: [], left: [] }, false), {
    title: 'Orders updated',
    description: '20 order(s) moved to Shipped.',
  })
})

test('failures are counted beside what was updated', () => {
  const told = tellOutcome({ done: some(18), failed: some(2), left: [] }, false)
  assert.equal(told.title, 'Failed to update orders.')
  assert.equal(told.description, '18 updated, 2 failed')
  assert.equal(told.variant, 'destructive')
})

test('who cancels is told what was left', () => {
  const told = tellOutcome({ done: some(12), failed: [], left: some(8) }, false)
  assert.equal(told.description, '12 order(s) moved to Shipped. 8 were left as they are.')
  const nothing = tellOutcome({ done: [], failed: [], left: some(8) }, false)
  assert.deepEqual(nothing, {
    title: 'Nothing was changed',
    description: '8 were left as they are.',
  })
})

test('an undo says so', () => {
  const told = tellOutcome({ done: some(3), failed: [], left: [] }, true)
  assert.equal(told.title, 'Orders updated')
  assert.equal(told.description, '3 order(s) went back to what they were.')
})

test('progress is told, and a pause too', () => {
  assert.equal(tellProgress({ settled: 3, total: 20, isWaiting: false }), 'Updating 3 of 20')
  assert.match(tellProgress({ settled: 3, total: 20, isWaiting: true }), /goes on by itself/)
})
