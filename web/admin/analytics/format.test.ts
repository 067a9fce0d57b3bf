import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  capitalize,
  formatCents,
  formatCount,
  formatDays,
  formatPercent,
  formatPeriod,
  formatPeriodWithWeekday,
  formatReferrer,
  sumToCents,
  toPercent,
} from './format.ts'

test('sums have the symbol before the number and two decimals, without separators', () => {
  assert.equal(sumToCents('123456789012.34'), 12_345_678_901_234)
  assert.deepEqual(
    [0, 5, 1050, 123_450].map((cents) => formatCents(cents, 'EUR')),
    ['€0.00', '€0.05', '€10.50', '€1234.50'],
  )
})

test('shares are percents with one decimal, never above 100', () => {
  assert.equal(formatPercent(toPercent(1, 3)), '33.3%')
  assert.equal(formatPercent(toPercent(3, 2)), '100.0%')
  assert.equal(formatPercent(toPercent(1, 0)), '0.0%')
  assert.equal(formatPercent(undefined), '–')
})

test('counts have a singular, a plural and thousands separators', () => {
  assert.deepEqual(
    [0, 1, 1234].map((count) => formatCount(count, 'order')),
    ['0 orders', '1 order', '1,234 orders'],
  )
  assert.equal(capitalize('the 30 days before'), 'The 30 days before')
})

test('a referring site is shown by its host name', () => {
  assert.equal(formatReferrer('https://www.google.com'), 'google.com')
  assert.equal(formatReferrer('http://localhost:8080'), 'localhost:8080')
  assert.equal(formatReferrer('Direct'), 'Direct')
})

test('ranges of days repeat no month or year', () => {
  assert.equal(formatDays({ from: '2026-11-15', to: '2026-11-15' }), 'Nov 15, 2026')
  assert.equal(formatDays({ from: '2026-11-01', to: '2026-11-15' }), 'Nov 1 – 15, 2026')
  assert.equal(formatDays({ from: '2026-10-30', to: '2026-11-02' }), 'Oct 30 – Nov 2, 2026')
  assert.equal(formatDays({ from: '2025-12-30', to: '2026-01-02' }), 'Dec 30, 2025 – Jan 2, 2026')
})

test('a whole month is shown by its name, a part of one by its days', () => {
  assert.equal(formatPeriod({ from: '2028-02-01', to: '2028-02-29' }), 'February 2028')
  assert.equal(formatPeriod({ from: '2026-11-01', to: '2026-11-15' }), 'Nov 1 – 15, 2026')
})

test('a single day has its weekday', () => {
  const format = (from: string, to: string) => formatPeriodWithWeekday({ from, to })
  assert.equal(format('2026-11-15', '2026-11-15'), 'Sun, Nov 15, 2026')
  assert.equal(format('2026-11-09', '2026-11-15'), 'Nov 9 – 15, 2026')
  assert.equal(format('2026-11-01', '2026-11-30'), 'November 2026')
})
