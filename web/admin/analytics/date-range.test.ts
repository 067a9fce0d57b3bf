import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addDays, isDay } from '#contract/days.ts'
import {
  rangeHref,
  presets,
  firstDay,
  findRangeProblem,
  parseRange,
  summaryQuery,
} from './date-range.ts'

const today = '2026-11-15'

test('the address of a range is parsed to that range', () => {
  for (const { name } of presets) {
    const { search } = new URL(rangeHref({ preset: name }), 'https://shop.example')
    assert.deepEqual(parseRange(search), { preset: name })
  }
  const own = { from: '2026-01-01', to: '2026-01-31' }
  assert.equal(rangeHref(own), '/analytics?from=2026-01-01&to=2026-01-31')
  assert.deepEqual(parseRange('?from=2026-01-01&to=2026-01-31'), own)
  const withMore = { ...own, revenue: '1.00' }
  assert.equal(rangeHref(withMore), rangeHref(own))
})

test('all time has no query string, and is what an invalid one means', () => {
  assert.equal(rangeHref({ preset: 'all' }), '/analytics')
  for (const query of [
    '',
    '?range=fortnight',
    '?from=2026-01-01',
    '?from=2026-02-30&to=2026-03-01',
    '?from=2026-03-02&to=2026-03-01',
    '?from=2000-01-01&to=2026-01-01',
    '?from=1999-01-01&to=1999-01-02',
  ]) {
    assert.deepEqual(parseRange(query), { preset: 'all' }, query)
  }
})

test('the server is asked for days up to today, whichever day that is in the shop', () => {
  assert.equal(summaryQuery({ preset: 'all' }), '')
  assert.equal(summaryQuery({ preset: 'today' }), 'last=1')
  assert.equal(summaryQuery({ preset: '30d' }), 'last=30')
  const own = { from: '2026-01-01', to: '2026-01-31' }
  assert.equal(summaryQuery(own), 'from=2026-01-01&to=2026-01-31')
})

test('a link from a time zone where it is already tomorrow works', () => {
  const days = { from: '2026-11-10', to: '2026-11-16' }
  assert.deepEqual(parseRange(`?from=${days.from}&to=${days.to}`), days)
})

test('an invalid custom range is refused with a message at the field to correct', () => {
  for (const [from, to, field, message] of [
    ['', today, 'from', 'Choose a first and a last day.'],
    [today, '', 'to', 'Choose a first and a last day.'],
    ['1999-12-31', '2000-01-31', 'from', 'The first day is too long ago.'],
    ['2026-11-15', '2026-11-16', 'to', 'The last day is in the future.'],
    ['2026-01-02', '2026-01-01', 'from', 'The first day comes after the last.'],
    ['2010-01-01', '2026-01-01', 'from', 'Choose ten years at most.'],
  ] as const) {
    assert.deepEqual(findRangeProblem({ from, to }, today), { field, message }, `${from} ${to}`)
  }
  for (const from of ['2000-01-01', '2000-01-31']) {
    assert.equal(findRangeProblem({ from, to: '2000-01-31' }, today), undefined)
  }
  assert.equal(findRangeProblem({ from: today, to: today }, today), undefined)
  assert.equal(findRangeProblem({ from: today, to: '2026-11-16' }, undefined), undefined)
})

test('no valid day is before the first', () => {
  assert.equal(isDay(firstDay), true)
  assert.equal(isDay(addDays(firstDay, -1)), false)
})
