import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Comparison, compare, comparePercents, nameBefore } from './comparison.ts'

const month = 'the 30 days before'

test('the period before is as long as the one that is shown', () => {
  const today = '2026-11-15'
  assert.equal(nameBefore({ from: '2026-10-17', to: today }, today), month)
  assert.equal(nameBefore({ from: today, to: today }, today), 'all of yesterday')
  assert.equal(nameBefore({ from: '2026-11-01', to: '2026-11-01' }, today), 'the day before')
})

test('more and less are told in percent', () => {
  assert.deepEqual(compare(112, 100, month), {
    direction: 'up',
    change: '+12%',
    against: 'against the 30 days before',
  })
  assert.deepEqual(compare(0, 100, month), {
    direction: 'down',
    change: '−100%',
    against: 'against the 30 days before',
  })
})

const inWords = ({ change, against }: Comparison) => `${change} ${against}`

test('what is far more is told as a factor', () => {
  assert.equal(inWords(compare(999, 100, month)), '+899% against the 30 days before')
  assert.equal(inWords(compare(123_400, 100, month)), '1,234 times the 30 days before')
})

test('nothing is not divided by', () => {
  assert.equal(compare(5, 0, month).direction, 'up')
  assert.equal(inWords(compare(5, 0, month)), 'Nothing in the 30 days before')
  assert.equal(compare(0, 0, 'all of yesterday').direction, 'level')
  assert.equal(inWords(compare(0, 0, 'all of yesterday')), 'Nothing all of yesterday')
})

test('what is equal is not called more', () => {
  assert.equal(inWords(compare(100, 100, month)), 'The same as the 30 days before')
  const close = compare(100_001, 100_000, month)
  assert.equal(close.direction, 'level')
  assert.equal(inWords(close), 'About the same as the 30 days before')
})

test('percents are compared in points', () => {
  assert.equal(inWords(comparePercents(3.1, 2.9, month)), '+0.2 points against the 30 days before')
  assert.equal(
    inWords(comparePercents(2, 3, 'all of yesterday')),
    '−1 point against all of yesterday',
  )
  assert.equal(comparePercents(2, 2, month).direction, 'level')
})
