import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Comparison, compare, compareConversion, formatPreviousPeriod } from './comparison.ts'

const month = 'the 30 days before'

test('the previous period is as long as the one that is shown', () => {
  const today = '2026-11-15'
  assert.equal(formatPreviousPeriod({ from: '2026-10-17', to: today }, today), month)
  assert.equal(formatPreviousPeriod({ from: today, to: today }, today), 'all of yesterday')
  assert.equal(
    formatPreviousPeriod({ from: '2026-11-01', to: '2026-11-01' }, today),
    'the day before',
  )
})

test('changes are shown in percent', () => {
  assert.deepEqual(compare(112, 100, month), {
    arrow: 'up',
    change: '+12%',
    against: 'against the 30 days before',
  })
  assert.deepEqual(compare(0, 100, month), {
    arrow: 'down',
    change: '−100%',
    against: 'against the 30 days before',
  })
})

const textOf = ({ change, against }: Comparison) => `${change} ${against}`

test('a large increase is shown as a factor', () => {
  assert.equal(textOf(compare(999, 100, month)), '+899% against the 30 days before')
  assert.equal(textOf(compare(123_400, 100, month)), '1,234 times the 30 days before')
})

test('a previous period without anything gives no percentage and no arrow', () => {
  assert.equal(compare(5, 0, month).arrow, undefined)
  assert.equal(textOf(compare(5, 0, month)), 'Nothing in the 30 days before')
  assert.equal(compare(0, 0, 'all of yesterday').arrow, undefined)
  assert.equal(textOf(compare(0, 0, 'all of yesterday')), 'Nothing all of yesterday')
})

test('equal figures have no arrow', () => {
  assert.equal(textOf(compare(100, 100, month)), 'The same as the 30 days before')
  const close = compare(100_001, 100_000, month)
  assert.equal(close.arrow, undefined)
  assert.equal(textOf(close), 'About the same as the 30 days before')
})

const conversionOf = (conversion: number, views = 100) => ({ conversion, views })

test('conversion is compared in percentage points', () => {
  const compared = (now: number, before: number, period = month) =>
    compareConversion(conversionOf(now), conversionOf(before), period)
  assert.deepEqual(compared(3.1, 2.9), {
    arrow: 'up',
    change: '+0.2 points',
    against: 'against the 30 days before',
  })
  assert.deepEqual(compared(2, 3, 'all of yesterday'), {
    arrow: 'down',
    change: '−1 point',
    against: 'against all of yesterday',
  })
  assert.equal(compared(2, 2)?.arrow, undefined)
  assert.equal(compared(2, 2)?.change, 'The same')
})

test('conversion without views is not compared, whatever its number', () => {
  assert.equal(compareConversion(conversionOf(100, 0), conversionOf(2), month), undefined)
  assert.deepEqual(compareConversion(conversionOf(2), conversionOf(0, 0), month), {
    arrow: undefined,
    change: 'No views',
    against: 'in the 30 days before',
  })
})
