import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addDays, isDay } from '#contract/days.ts'
import {
  rangeDays,
  rangeHref,
  presets,
  browserTimeZone,
  firstDay,
  todayIn,
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

test('days are counted back from today, which is one of them', () => {
  assert.deepEqual(rangeDays({ preset: 'today' }, today), { from: today, to: today })
  assert.deepEqual(rangeDays({ preset: '7d' }, today), { from: '2026-11-09', to: today })
  assert.deepEqual(rangeDays({ preset: '30d' }, '2026-03-30'), {
    from: '2026-03-01',
    to: '2026-03-30',
  })
  assert.equal(rangeDays({ preset: 'all' }, today), undefined)
})

test('the server is asked for days in the owner’s time zone', () => {
  assert.equal(summaryQuery({ preset: 'all' }, today, 'Asia/Tokyo'), 'tz=Asia%2FTokyo')
  assert.equal(
    summaryQuery({ preset: 'today' }, today, 'UTC'),
    'from=2026-11-15&to=2026-11-15&tz=UTC',
  )
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
})

test('today is the day on the owner’s calendar', () => {
  const moment = new Date('2026-11-15T10:30:00Z')
  assert.equal(todayIn('Europe/Berlin', moment), '2026-11-15')
  assert.equal(todayIn('Pacific/Kiritimati', moment), '2026-11-16')
  assert.equal(todayIn('Pacific/Niue', moment), '2026-11-14')
})

test('a day begins at midnight before and after a daylight saving change', () => {
  for (const [moment, day] of [
    ['2026-03-28T22:59:59Z', '2026-03-28'],
    ['2026-03-28T23:00:00Z', '2026-03-29'],
    ['2026-03-29T21:59:59Z', '2026-03-29'],
    ['2026-03-29T22:00:00Z', '2026-03-30'],
    ['2026-10-25T22:59:59Z', '2026-10-25'],
    ['2026-10-25T23:00:00Z', '2026-10-26'],
  ] as const) {
    assert.equal(todayIn('Europe/Berlin', new Date(moment)), day, moment)
  }
})

test('no valid day is before the first', () => {
  assert.equal(isDay(firstDay), true)
  assert.equal(isDay(addDays(firstDay, -1)), false)
})

test('a browser without a time zone uses UTC', (context) => {
  const unknown = { timeZone: 'Etc/Unknown' } as Intl.ResolvedDateTimeFormatOptions
  context.mock.method(Intl.DateTimeFormat.prototype, 'resolvedOptions', () => unknown)
  assert.equal(browserTimeZone(), 'UTC')
})
