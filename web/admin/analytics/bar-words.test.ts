import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeBar } from './bar-words.ts'

const bar = { from: '2026-11-15', to: '2026-11-15', cents: 4900, orders: 1, views: 12 }

test('a bar is told in one sentence', () => {
  assert.equal(
    describeBar({ ...bar, before: undefined }, 'EUR').sentence,
    'Sun, Nov 15, 2026: €49.00, 1 order, 12 views',
  )
  const before = { from: '2026-11-14', to: '2026-11-14', cents: 1250 }
  assert.equal(
    describeBar({ ...bar, before }, 'EUR').sentence,
    'Sun, Nov 15, 2026: €49.00, 1 order, 12 views; before, €12.50 on Sat, Nov 14, 2026',
  )
  assert.equal(
    describeBar({ ...bar, before: { ...before, from: '2026-11-08' } }, 'EUR').before,
    '€12.50 in Nov 8 – 14, 2026',
  )
})
