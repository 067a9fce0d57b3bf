import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatOutcome, formatProgress, formatUndone } from './bulk-changes.ts'

const createChanges = (count: number) =>
  Array.from({ length: count }, (_item, index) => ({
    id: String(index),
    from: 'pending' as const,
    to: 'shipped' as const,
  }))

test('when all orders were updated, the toast says how many and to which status', () => {
  const outcome = { done: createChanges(20), failed: [], skipped: [] }
  assert.deepEqual(formatOutcome(outcome), {
    title: 'Orders updated',
    description: '20 order(s) moved to Shipped.',
  })
})

test('orders that had the new status already were not moved', () => {
  const unmoved = createChanges(16).map((change) => ({ ...change, from: change.to }))
  const outcome = { done: [...createChanges(384), ...unmoved], failed: [], skipped: [] }
  assert.deepEqual(formatOutcome(outcome), {
    title: 'Orders updated',
    description: '384 order(s) moved to Shipped. 16 already were.',
  })
  assert.deepEqual(formatOutcome({ ...outcome, done: unmoved }), {
    title: 'Nothing was changed',
    description: '16 order(s) already were Shipped.',
  })
  const failed = { ...outcome, failed: createChanges(2) }
  assert.equal(formatOutcome(failed).description, '384 updated, 2 failed, 16 already were')
})

test('failures are counted beside what was updated', () => {
  const outcome = { done: createChanges(18), failed: createChanges(2), skipped: [] }
  assert.deepEqual(formatOutcome(outcome), {
    title: 'Failed to update orders.',
    description: '18 updated, 2 failed',
    variant: 'destructive',
  })
  const cancelled = { ...outcome, skipped: createChanges(1500) }
  assert.equal(formatOutcome(cancelled).description, '18 updated, 2 failed, 1,500 not begun')
})

test('after cancelling, the toast says how many orders were left', () => {
  const some = { done: createChanges(12), failed: [], skipped: createChanges(8) }
  assert.equal(
    formatOutcome(some).description,
    '12 order(s) moved to Shipped. 8 were left as they are.',
  )
  assert.deepEqual(formatOutcome({ ...some, done: [] }), {
    title: 'Nothing was changed',
    description: '8 were left as they are.',
  })
})

test('an undo says so, and what it left alone', () => {
  assert.deepEqual(formatUndone({ changes: createChanges(3), leftAlone: 0 }), {
    title: 'Orders updated',
    description: '3 order(s) went back to what they were.',
  })
  assert.deepEqual(formatUndone({ changes: createChanges(3), leftAlone: 1200 }), {
    title: 'Orders updated',
    description:
      '3 order(s) went back to what they were. 1,200 were changed since and left as they are.',
  })
  assert.deepEqual(formatUndone({ changes: [], leftAlone: 2 }), {
    title: 'Nothing was changed',
    description: '2 were changed since and left as they are.',
  })
})

test('progress shows a count, or that the server asked for a pause', () => {
  assert.equal(formatProgress({ settled: 3, total: 20, isPaused: false }), 'Updating 3 of 20')
  assert.equal(
    formatProgress({ settled: 3, total: 20, isPaused: true }),
    'The server asked for a short pause. Updating continues automatically.',
  )
})
