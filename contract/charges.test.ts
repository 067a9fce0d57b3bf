import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findCurrencyProblem } from './charges.ts'

const product = { price: '49', currency: 'GBP' } as const

test('a price in another currency than the payment is a problem that says what will be charged', () => {
  assert.deepEqual(findCurrencyProblem(product, { paymentCurrency: 'EUR' }), {
    found: 'Buyers are charged in EUR: this product will cost €49.00 at checkout, not £49.00.',
    todo: 'Choose EUR as the currency of the product, or charge in the currency of each product (Settings, SumUp).',
  })
  const unpriced = findCurrencyProblem({ ...product, price: '' }, { paymentCurrency: 'EUR' })
  assert.match(unpriced?.found ?? '', /charged in EUR/)
  const known = { paymentCurrency: 'EUR', accountCurrency: 'EUR' } as const
  assert.equal(
    findCurrencyProblem(product, known)?.todo,
    'Choose EUR as the currency of the product.',
    'an account in euros takes no pounds, whatever the settings say',
  )
})

test('a price that the account cannot take is a problem, whatever decides about the currency', () => {
  const own = { paymentCurrency: 'product', accountCurrency: 'EUR' } as const
  assert.match(findCurrencyProblem(product, own)?.found ?? '', /charged in GBP.*paid in EUR/)
  const fixed = { paymentCurrency: 'GBP', accountCurrency: 'EUR' } as const
  assert.match(findCurrencyProblem(product, fixed)?.todo ?? '', /EUR under Settings/)
})

test('there is no problem if price, payment and account have the same currency', () => {
  for (const paymentCurrency of ['GBP', 'product'] as const)
    for (const accountCurrency of ['GBP', null, undefined])
      assert.equal(findCurrencyProblem(product, { paymentCurrency, accountCurrency }), undefined)
})
