import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addDays } from '#contract/days.ts'
import { dateTicks, moneyTicks, showTick } from './axes.ts'
import { makeBars, unitFor } from './bars.ts'

test('the axis of money has a few round amounts and room for the largest', () => {
  assert.deepEqual(moneyTicks(0), [0])
  assert.deepEqual(moneyTicks(4900), [0, 2000, 4000, 6000])
  assert.deepEqual(moneyTicks(10_000), [0, 5000, 10_000])
  assert.deepEqual(moneyTicks(3), [0, 1, 2, 3])
  for (let largest = 1; largest < 1e12; largest = Math.ceil(largest * 1.7)) {
    const ticks = moneyTicks(largest)
    assert.ok(ticks.length <= 5 && (ticks.at(-1) ?? 0) >= largest, `${largest}: ${ticks.join()}`)
  }
})

test('amounts on the axis are short', () => {
  const shown = (cents: number) => showTick(cents, 1_000_000_000, 'EUR')
  assert.deepEqual([0, 25_000, 150_000, 200_000_000].map(shown), ['€0', '€250', '€1.5K', '€2M'])
  assert.deepEqual(
    [0, 50].map((cents) => showTick(cents, 100, 'EUR')),
    ['€0', '€0.50'],
  )
})

/** The names below a picture of so many days up to Nov 15, 2026, so wide. */
function labels(dayCount: number, widthPx: number): string[] {
  const days = Array.from({ length: dayCount }, (_none, place) => ({
    day: addDays('2026-11-15', place + 1 - dayCount),
    revenue: '0.00',
    orders: 0,
    views: 0,
  }))
  const bars = makeBars(days, undefined)
  const ticks = dateTicks(bars, unitFor(dayCount), widthPx / bars.length)
  return ticks.map(({ label }) => label)
}

test('a day, a week and a month are named by days', () => {
  assert.deepEqual(labels(1, 900), ['Nov 15'])
  assert.deepEqual(labels(3, 900), ['Nov 13', 'Nov 14', 'Nov 15'])
  assert.deepEqual(labels(7, 300), ['Nov 9', 'Nov 11', 'Nov 13', 'Nov 15'])
  assert.deepEqual(labels(30, 900), ['Oct 18', 'Oct 25', 'Nov 1', 'Nov 8', 'Nov 15'])
})

test('years are named by months, January by its year', () => {
  assert.deepEqual(labels(365, 300), ['2026', 'Apr', 'Jul', 'Oct'])
  assert.deepEqual(labels(700, 900).slice(0, 4), ['2025', 'Mar', 'May', 'Jul'])
  assert.deepEqual(labels(3650, 300), ['2018', '2020', '2022', '2024', '2026'])
})

test('names below the picture keep their distance', () => {
  for (const dayCount of [1, 2, 7, 30, 90, 93, 120, 365, 700, 1500, 3660]) {
    for (const widthPx of [240, 300, 600, 960]) {
      const found = labels(dayCount, widthPx)
      assert.ok(found.length > 0, `${dayCount} days on ${widthPx} px have no name`)
      assert.ok(
        found.length * 54 <= widthPx + 54,
        `${dayCount} days on ${widthPx} px: ${found.join()}`,
      )
    }
  }
})
