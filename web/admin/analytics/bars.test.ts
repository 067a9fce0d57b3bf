import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addDays } from '#contract/days.ts'
import { chartUnit, createBars, describeBar, findBestBar, mondayOf, tableUnit } from './bars.ts'

/** Days with one euro and one order each. */
function createDays(from: string, count: number) {
  return Array.from({ length: count }, (_none, index) => ({
    day: addDays(from, index),
    revenue: '1.00',
    orders: 1,
    views: 2,
  }))
}

test('a chart has days for a quarter, weeks for a year and months for longer ranges', () => {
  assert.deepEqual([1, 7, 90, 92, 93, 365, 700, 3660].map(chartUnit), [
    'day',
    'day',
    'day',
    'day',
    'week',
    'week',
    'month',
    'month',
  ])
})

test('a short range has a bar for each day', () => {
  const bars = createBars(createDays('2026-11-09', 7), undefined)
  assert.equal(bars.length, 7)
  assert.deepEqual(bars[0], {
    from: '2026-11-09',
    to: '2026-11-09',
    cents: 100,
    orders: 1,
    views: 2,
    before: undefined,
  })
})

test('bars of weeks follow the calendar and cover all days', () => {
  const bars = createBars(createDays('2026-01-01', 100), undefined)
  assert.deepEqual(
    bars.slice(0, 2).map(({ from, to, cents }) => [from, to, cents]),
    [
      ['2026-01-01', '2026-01-04', 400],
      ['2026-01-05', '2026-01-11', 700],
    ],
  )
  assert.equal(
    bars.reduce((sum, { orders }) => sum + orders, 0),
    100,
  )
})

test('a bar is compared with the corresponding days of the previous period', () => {
  const now = createDays('2025-01-01', 700)
  const bars = createBars(now, createDays(addDays('2025-01-01', -700), 700))
  assert.equal(bars.length, 24)
  assert.deepEqual(bars[0]?.before, { from: '2023-02-01', to: '2023-03-03', cents: 3100 })
  assert.equal(bars.at(-1)?.before?.to, '2024-12-31')
})

test('a table has a row for each day, or for each month of a long range', () => {
  assert.deepEqual([1, 93, 548, 549, 3660].map(tableUnit), ['day', 'day', 'day', 'month', 'month'])
  assert.equal(createBars(createDays('2025-01-01', 400), undefined, 'day').length, 400)
})

test('the best bar has the most revenue; without revenue there is none', () => {
  const earning = (...revenues: string[]) => {
    const days = createDays('2026-11-09', revenues.length)
    return createBars(
      days.map((day, index) => ({ ...day, revenue: revenues[index] ?? '' })),
      undefined,
    )
  }
  assert.equal(findBestBar(earning('1.00', '9.00', '5.00'))?.from, '2026-11-10')
  assert.equal(findBestBar(earning('0.00', '0.00')), undefined)
})

test('a week begins on Monday', () => {
  assert.equal(mondayOf('2026-11-15'), '2026-11-09')
  assert.equal(mondayOf('2026-11-09'), '2026-11-09')
})

const bar = { from: '2026-11-15', to: '2026-11-15', cents: 4900, orders: 1, views: 12 }

test('a bar is described in one sentence', () => {
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
