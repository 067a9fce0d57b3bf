import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nameMonth, showDays, showWeekday } from './day-words.ts'

test('days are told as shortly as they can be', () => {
  assert.equal(showDays({ from: '2026-11-15', to: '2026-11-15' }), 'Nov 15, 2026')
  assert.equal(showDays({ from: '2026-11-01', to: '2026-11-15' }), 'Nov 1 – 15, 2026')
  assert.equal(showDays({ from: '2026-10-30', to: '2026-11-02' }), 'Oct 30 – Nov 2, 2026')
  assert.equal(showDays({ from: '2025-12-30', to: '2026-01-02' }), 'Dec 30, 2025 – Jan 2, 2026')
  assert.equal(showWeekday('2026-11-15'), 'Sun, Nov 15, 2026')
})

test('a whole month is called by its name, a part of one by its days', () => {
  assert.equal(nameMonth({ from: '2028-02-01', to: '2028-02-29' }), 'February 2028')
  assert.equal(nameMonth({ from: '2026-11-01', to: '2026-11-15' }), 'Nov 1 – 15, 2026')
})
