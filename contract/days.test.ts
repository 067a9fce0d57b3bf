import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addDays, countDays, isDay } from './days.ts'

test('days are counted on the calendar, whatever clocks do', () => {
  assert.equal(addDays('2026-02-28', 1), '2026-03-01')
  assert.equal(addDays('2026-01-01', -1), '2025-12-31')
  assert.equal(countDays({ from: '2026-03-01', to: '2026-03-01' }), 1)
  assert.equal(countDays({ from: '2026-03-28', to: '2026-03-30' }), 3)
  assert.equal(countDays({ from: '2024-02-28', to: '2024-03-01' }), 3)
})

test('only days that exist are days', () => {
  assert.ok(isDay('2024-02-29'))
  for (const text of ['2026-02-29', '2026-13-01', '1999-12-31', '2026-1-1', '2026-01-01T00:00', ''])
    assert.equal(isDay(text), false, text)
})
