import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addDays } from '#contract/days.ts'
import { type Bar, chartUnit, createBars } from './bars.ts'
import { dateTicks, formatTick, layOutChart, moneyTicks } from './chart-layout.ts'

test('the money axis has a few round amounts up to at least the maximum', () => {
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
  const shown = (cents: number) => formatTick(cents, 1_000_000_000, 'EUR')
  assert.deepEqual([0, 25_000, 150_000, 200_000_000].map(shown), ['€0', '€250', '€1.5K', '€2M'])
  assert.deepEqual(
    [0, 50].map((cents) => formatTick(cents, 100, 'EUR')),
    ['€0', '€0.50'],
  )
})

/** The date labels of a chart of this width, for the days up to Nov 15, 2026. */
function labels(dayCount: number, widthPx: number): string[] {
  const days = Array.from({ length: dayCount }, (_none, index) => ({
    day: addDays('2026-11-15', index + 1 - dayCount),
    revenue: '0.00',
    orders: 0,
    views: 0,
  }))
  const bars = createBars(days, undefined)
  const ticks = dateTicks(bars, chartUnit(dayCount), widthPx / bars.length)
  return ticks.map(({ label }) => label)
}

test('a day, a week and a month are labelled by days', () => {
  assert.deepEqual(labels(1, 900), ['Nov 15'])
  assert.deepEqual(labels(3, 900), ['Nov 13', 'Nov 14', 'Nov 15'])
  assert.deepEqual(labels(7, 300), ['Nov 9', 'Nov 11', 'Nov 13', 'Nov 15'])
  assert.deepEqual(labels(30, 900), ['Oct 18', 'Oct 25', 'Nov 1', 'Nov 8', 'Nov 15'])
})

test('years are labelled by months, January by its year', () => {
  assert.deepEqual(labels(365, 300), ['2026', 'Apr', 'Jul', 'Oct'])
  assert.deepEqual(labels(700, 900).slice(0, 4), ['2025', 'Mar', 'May', 'Jul'])
  assert.deepEqual(labels(3650, 300), ['2018', '2020', '2022', '2024', '2026'])
})

test('date labels keep their distance', () => {
  for (const dayCount of [1, 2, 7, 30, 90, 93, 120, 365, 700, 1500, 3660]) {
    for (const widthPx of [240, 300, 600, 960]) {
      const found = labels(dayCount, widthPx)
      assert.ok(found.length > 0, `${dayCount} days on ${widthPx} px have no label`)
      assert.ok(
        found.length * 54 <= widthPx + 54,
        `${dayCount} days on ${widthPx} px: ${found.join()}`,
      )
    }
  }
})

const createBar = (cents: number, beforeCents?: number): Bar => {
  const days = { from: '2026-11-15', to: '2026-11-15' }
  const before = beforeCents === undefined ? undefined : { ...days, cents: beforeCents }
  return { ...days, cents, orders: 1, views: 1, before }
}

test('the chart fits the larger of this and the previous period', () => {
  const { ticks, yOf, top, bottom } = layOutChart(
    [createBar(1000, 10_000), createBar(2000, 0)],
    446,
    288,
  )
  assert.deepEqual(ticks, [0, 5000, 10_000])
  assert.equal(yOf(10_000), top)
  assert.equal(yOf(0), bottom)
})

test('a pointer finds the bar under it, and the nearest one beyond the edges', () => {
  const { indexAt, centerOf } = layOutChart(
    [createBar(1), createBar(2), createBar(3), createBar(4)],
    446,
    288,
  )
  assert.deepEqual([-5, 46, centerOf(1), centerOf(3), 900].map(indexAt), [0, 0, 1, 3, 3])
})

test('a single day is centered', () => {
  const { centerOf, stepPx, left } = layOutChart([createBar(1)], 946, 288)
  assert.equal(centerOf(0), left + 450)
  assert.equal(stepPx, 150)
})

test('a day without revenue has no bar, and a shop without revenue still has a chart', () => {
  const layout = layOutChart([createBar(0), createBar(0)], 446, 288)
  assert.equal(layout.barPath(0, 0), '')
  assert.deepEqual(layout.ticks, [0])
  assert.equal(layout.yOf(0), layout.bottom)
})
