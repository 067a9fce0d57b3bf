import assert from 'node:assert/strict'
import { test } from 'node:test'
import { daysOf, hrefOf, presets, problemOf, readRange, summaryParameters } from './date-range.ts'

const today = '2026-11-15'

test('an address leads to the range that made it', () => {
  for (const { name } of presets) {
    const { search } = new URL(hrefOf({ preset: name }), 'https://shop.example')
    assert.deepEqual(readRange(search), { preset: name })
  }
  const own = { from: '2026-01-01', to: '2026-01-31' }
  assert.equal(hrefOf(own), '/analytics?from=2026-01-01&to=2026-01-31')
  assert.deepEqual(readRange('?from=2026-01-01&to=2026-01-31'), own)
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

test('days that cannot be looked at are refused with a reason', () => {
  assert.equal(problemOf({ from: '2026-01-01', to: '2026-01-01' }), undefined)
  assert.equal(problemOf({ from: '', to: '2026-01-01' }), 'Choose a first and a last day.')
  assert.equal(
    problemOf({ from: '2026-01-02', to: '2026-01-01' }),
    'The first day comes after the last.',
  )
  assert.equal(problemOf({ from: '2010-01-01', to: '2026-01-01' }), 'Choose ten years at most.')
})
