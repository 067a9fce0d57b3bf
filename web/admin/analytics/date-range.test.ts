import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  daysOf,
  hrefOf,
  presets,
  problemOfChoice,
  readRange,
  summaryParameters,
} from './date-range.ts'

const today = '2026-11-15'

test('an address leads to the range that made it', () => {
  for (const { name } of presets) {
    const { search } = new URL(hrefOf({ preset: name }), 'https://shop.example')
    assert.deepEqual(readRange(search), { preset: name })
  }
  const own = { from: '2026-01-01', to: '2026-01-31' }
  assert.equal(hrefOf(own), '/analytics?from=2026-01-01&to=2026-01-31')
  assert.deepEqual(readRange('?from=2026-01-01&to=2026-01-31'), own)
  const withMore = { ...own, revenue: '1.00' }
  assert.equal(hrefOf(withMore), hrefOf(own))
})

test('all time needs no words, and is what a wrong address means', () => {
  assert.equal(hrefOf({ preset: 'all' }), '/analytics')
  for (const query of [
    '',
    '?range=fortnight',
    '?from=2026-01-01',
    '?from=2026-02-30&to=2026-03-01',
    '?from=2026-03-02&to=2026-03-01',
    '?from=2000-01-01&to=2026-01-01',
    '?from=1999-01-01&to=1999-01-02',
  ]) {
    assert.deepEqual(readRange(query), { preset: 'all' }, query)
  }
})

test('days are counted back from today, which is one of them', () => {
  assert.deepEqual(daysOf({ preset: 'today' }, today), { from: today, to: today })
  assert.deepEqual(daysOf({ preset: '7d' }, today), { from: '2026-11-09', to: today })
  assert.deepEqual(daysOf({ preset: '30d' }, '2026-03-30'), {
    from: '2026-03-01',
    to: '2026-03-30',
  })
  assert.equal(daysOf({ preset: 'all' }, today), undefined)
})

test('the server is asked for days in the owner’s time zone', () => {
  assert.equal(summaryParameters({ preset: 'all' }, today, 'Asia/Tokyo'), 'tz=Asia%2FTokyo')
  assert.equal(
    summaryParameters({ preset: 'today' }, today, 'UTC'),
    'from=2026-11-15&to=2026-11-15&tz=UTC',
  )
})

test('a link from where it is tomorrow already leads to its days', () => {
  const days = { from: '2026-11-10', to: '2026-11-16' }
  assert.deepEqual(readRange(`?from=${days.from}&to=${days.to}`), days)
})

test('days that cannot be looked at are refused with a reason, at the one to be mended', () => {
  for (const [from, to, of, words] of [
    ['', today, 'from', 'Choose a first and a last day.'],
    [today, '', 'to', 'Choose a first and a last day.'],
    ['1999-12-31', '2000-01-31', 'from', 'The first day is too long ago.'],
    ['2026-11-15', '2026-11-16', 'to', 'The last day is in the future.'],
    ['2026-01-02', '2026-01-01', 'from', 'The first day comes after the last.'],
    ['2010-01-01', '2026-01-01', 'from', 'Choose ten years at most.'],
  ] as const) {
    assert.deepEqual(problemOfChoice({ from, to }, today), { of, words }, `${from} ${to}`)
  }
  for (const from of ['2000-01-01', '2000-01-31']) {
    assert.equal(problemOfChoice({ from, to: '2000-01-31' }, today), undefined)
  }
  assert.equal(problemOfChoice({ from: today, to: today }, today), undefined)
})
