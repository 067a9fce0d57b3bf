import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addDays } from '#contract/days.ts'
import { bestOf, makeBars, nameDays, tableUnitFor, unitFor } from './bars.ts'

/** So many days with one euro and one order each. */
function someDays(from: string, count: number) {
  return Array.from({ length: count }, (_none, place) => ({
    day: addDays(from, place),
    revenue: '1.00',
    orders: 1,
    views: 2,
  }))
}

test('a picture has days for a quarter, weeks for a year and months for longer', () => {
  assert.deepEqual([1, 7, 90, 92, 93, 365, 700, 3660].map(unitFor), [
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

test('few days have a bar each', () => {
  const bars = makeBars(someDays('2026-11-09', 7), undefined)
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

test('weeks are those of the calendar, and together they are all days', () => {
  const bars = makeBars(someDays('2026-01-01', 100), undefined)
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

test('a bar stands beside the days as far into the period before', () => {
  const now = someDays('2025-01-01', 700)
  const bars = makeBars(now, someDays(addDays('2025-01-01', -700), 700))
  assert.equal(bars.length, 24)
  assert.deepEqual(bars[0]?.before, { from: '2023-02-01', to: '2023-03-03', cents: 3100 })
  assert.equal(bars.at(-1)?.before?.to, '2024-12-31')
})

test('a table has a line for each day, and for each month where days would be too many', () => {
  assert.deepEqual([1, 93, 548, 549, 3660].map(tableUnitFor), [
    'day',
    'day',
    'day',
    'month',
    'month',
  ])
  assert.equal(makeBars(someDays('2025-01-01', 400), undefined, 'day').length, 400)
})

test('bars are called by their day, their days or their month', () => {
  assert.equal(nameDays({ from: '2026-11-15', to: '2026-11-15' }), 'Sun, Nov 15, 2026')
  assert.equal(nameDays({ from: '2026-11-09', to: '2026-11-15' }), 'Nov 9 – 15, 2026')
  assert.equal(nameDays({ from: '2026-11-01', to: '2026-11-30' }), 'November 2026')
})

test('the best day is the one with the most revenue, and a day without any is none', () => {
  const earning = (...revenues: string[]) => {
    const days = someDays('2026-11-09', revenues.length)
    return makeBars(
      days.map((day, place) => ({ ...day, revenue: revenues[place] ?? '' })),
      undefined,
    )
  }
  assert.equal(bestOf(earning('1.00', '9.00', '5.00'))?.from, '2026-11-10')
  assert.equal(bestOf(earning('0.00', '0.00')), undefined)
})
