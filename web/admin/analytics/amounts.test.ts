import assert from 'node:assert/strict'
import { test } from 'node:test'
import { percentOf, showCentsAs, showPercent, showSum, sumInCents } from './amounts.ts'

test('sums have the symbol before the number and two decimals, however large they grow', () => {
  assert.equal(showSum('0.00', 'EUR'), '€0.00')
  assert.equal(showSum('123456789012.34', 'GBP'), '£123456789012.34')
  assert.equal(showSum('5.00', 'XYZ'), 'XYZ 5.00')
  assert.equal(sumInCents('123456789012.34'), 12_345_678_901_234)
  assert.deepEqual(
    [0, 5, 1050].map((cents) => showCentsAs(cents, 'EUR')),
    ['€0.00', '€0.05', '€10.50'],
  )
})

test('shares are percents with one decimal, never more than all', () => {
  assert.equal(showPercent(percentOf(1, 3)), '33.3%')
  assert.equal(showPercent(percentOf(3, 2)), '100.0%')
  assert.equal(showPercent(percentOf(1, 0)), '0.0%')
  assert.equal(showPercent(undefined), '–')
})
