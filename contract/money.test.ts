import assert from 'node:assert/strict'
import { test } from 'node:test'
import { currencyCodes } from './currencies.ts'
import { languages } from './languages.ts'
import { formatCents, formatMoney, isPrice, toCents } from './money.ts'

test('a price is counted in whole cents, never in floats', () => {
  assert.equal(toCents('0.1') + toCents('0.2'), toCents('0.3'))
  assert.equal(toCents('49'), 4900)
  assert.equal(toCents('49.5'), 4950)
  assert.equal(toCents('99999999.99'), 9_999_999_999)
})

test('what is not a price is refused', () => {
  for (const text of [
    '',
    '-1',
    '1e3',
    '1,50',
    '12.345',
    '٣',
    ' 1',
    '1.',
    '.5',
    'NaN',
    '99999999999999999.00',
  ]) {
    assert.throws(() => toCents(text), `${text} was taken for a price`)
  }
  assert.equal(isPrice('100000000.00'), false)
})

test('a sum may be larger than any price', () => {
  assert.equal(toCents('199999999.98'), 19_999_999_998)
  assert.equal(formatMoney(formatCents(19_999_999_998), 'EUR'), '€199999999.98')
})

test('cents become the same decimal string again', () => {
  assert.equal(formatCents(4905), '49.05')
  assert.equal(formatCents(0), '0.00')
  assert.throws(() => formatCents(1.5))
  assert.throws(() => formatCents(-1))
})

test('an amount shows its symbol before the number, with two decimals and no separators', () => {
  assert.equal(formatMoney('49', 'EUR'), '€49.00')
  assert.equal(formatMoney('1200.5', 'PLN'), 'zł1200.50')
  assert.equal(formatMoney('123456789012.34', 'GBP'), '£123456789012.34', 'a sum')
  assert.throws(() => formatMoney('1,200', 'EUR'))
  assert.equal(formatMoney('10', 'BGN'), 'лв10.00')
  assert.equal(formatMoney('5.00', 'XYZ'), 'XYZ 5.00')
})

test('every language writes every currency with its cents, as it is charged', () => {
  for (const { locale } of Object.values(languages))
    for (const currency of currencyCodes) {
      const digits = formatMoney('1234.50', currency, locale).replaceAll(/\D/g, '')
      assert.equal(digits, '123450', `${locale} ${currency}`)
    }
  assert.match(formatMoney('49.00', 'EUR', 'de-DE'), /^49,00\s€$/)
  assert.match(formatMoney('123456789.5', 'EUR', 'de-DE'), /^123\.456\.789,50\s€$/)
  assert.equal(formatMoney('49.00', 'ABC', 'de-DE'), '49,00 ABC')
})
