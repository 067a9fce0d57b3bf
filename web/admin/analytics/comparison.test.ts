import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Comparison, compare, compareConversion, nameBefore } from './comparison.ts'

const month = 'the 30 days before'

test('the period before is as long as the one that is shown', () => {
  const today = '2026-11-15'
  assert.equal(nameBefore({ from: '2026-10-17', to: today }, today), month)
  assert.equal(nameBefore({ from: today, to: today }, today), 'all of yesterday')
  assert.equal(nameBefore({ from: '2026-11-01', to: '2026-11-01' }, today), 'the day before')
})

test('more and less are told in percent', () => {
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

const inWords = ({ change, against }: Comparison) => `${change} ${against}`

test('what is far more is told as a factor', () => {
  assert.equal(inWords(compare(999, 100, month)), '+899% against the 30 days before')
  assert.equal(inWords(compare(123_400, 100, month)), '1,234 times the 30 days before')
})

test('nothing is not divided by, and more than nothing has no arrow that would need a number', () => {
  assert.equal(compare(5, 0, month).arrow, undefined)
  assert.equal(inWords(compare(5, 0, month)), 'Nothing in the 30 days before')
  assert.equal(compare(0, 0, 'all of yesterday').arrow, undefined)
  assert.equal(inWords(compare(0, 0, 'all of yesterday')), 'Nothing all of yesterday')
})

test('what is equal is not called more', () => {
  assert.equal(inWords(compare(100, 100, month)), 'The same as the 30 days before')
  const close = compare(100_001, 100_000, month)
  assert.equal(close.arrow, undefined)
  assert.equal(inWords(close), 'About the same as the 30 days before')
})

const conversionOf = (conversion: number, views = 100) => ({ conversion, views })

test('conversion is compared in points', () => {
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

test('conversion without a view is not compared, whatever number it comes with', () => {
  assert.equal(compareConversion(conversionOf(100, 0), conversionOf(2), month), undefined)
  assert.deepEqual(compareConversion(conversionOf(2), conversionOf(0, 0), month), {
    arrow: undefined,
    change: 'No views',
    against: 'in the 30 days before',
  })
})
