import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createDateFormat, formatAge, formatDate } from './dates.ts'

test('a date reads month, day, year, at hour and minute', () => {
  const utc = createDateFormat('UTC')
  assert.deepEqual(formatDate('2026-11-15T09:05:00Z', utc), {
    day: 'Nov 15, 2026',
    time: 'at 9:05 AM',
  })
  assert.deepEqual(formatDate('2026-01-02T00:00:00Z', utc), {
    day: 'Jan 2, 2026',
    time: 'at 12:00 AM',
  })
  const berlin = createDateFormat('Europe/Berlin')
  assert.equal(formatDate('2026-01-01T23:30:00Z', berlin).day, 'Jan 2, 2026')
})

test('a date is explained: how long ago, and in which time zone', () => {
  const now = Date.parse('2026-11-15T12:00:00Z')
  const explain = (iso: string) => formatAge(iso, 'Europe/Berlin', now)
  assert.equal(explain('2026-11-15T11:59:30Z'), 'just now, Europe/Berlin time')
  assert.equal(explain('2026-11-15T11:58:30Z'), '1 minute ago, Europe/Berlin time')
  assert.equal(explain('2026-11-15T09:00:00Z'), '3 hours ago, Europe/Berlin time')
  assert.equal(explain('2026-11-13T09:00:00Z'), '2 days ago, Europe/Berlin time')
})
