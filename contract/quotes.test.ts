import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countries } from './countries.ts'
import { isPlain, quote, type DeliverySettings, type Offered } from './quotes.ts'

const free: DeliverySettings = { countries: [...countries], prices: [], pickup: null }
const priced: DeliverySettings = {
  countries: ['Germany', 'France', 'Italy'],
  prices: [
    { countries: ['Germany'], price: '4.90', freeFrom: '50' },
    { countries: ['France'], price: '9.50', freeFrom: null },
  ],
  pickup: {
    name: 'Shop',
    address: 'Weg 1',
    postcode: '10115',
    city: 'Berlin',
    state: null,
    country: 'Germany',
    hours: null,
  },
}
const mug: Offered = { price: '24.00', hasCents: true, discount: null, delivery: free }

function amountOf(result: ReturnType<typeof quote>) {
  return typeof result === 'string' ? result : result.amount
}

test('a shop without prices for delivery charges the price of the product, wherever it goes', () => {
  const result = quote(mug, {})
  assert.ok(typeof result !== 'string')
  assert.equal(result.amount, '24.00')
  assert.ok(isPlain(result.terms))
})

test('delivery costs what the country of the buyer costs, and nothing from the limit on', () => {
  const offered = { ...mug, delivery: priced }
  assert.equal(amountOf(quote(offered, { country: 'Germany' })), '28.90')
  assert.equal(amountOf(quote(offered, { country: 'France' })), '33.50')
  assert.equal(amountOf(quote(offered, { country: 'Italy' })), '24.00', 'without a price')
  assert.equal(amountOf(quote({ ...offered, price: '50.00' }, { country: 'Germany' })), '50.00')
  assert.equal(amountOf(quote({ ...offered, price: '49.99' }, { country: 'Germany' })), '54.89')
})

test('the price waits for a country that it depends on, and none is told where nothing is sent', () => {
  const offered = { ...mug, delivery: priced }
  assert.equal(quote(offered, {}), 'country-needed')
  assert.equal(quote(offered, { country: 'Canada' }), 'not-delivered')
  assert.equal(quote(mug, { isPickup: true }), 'not-delivered', 'nothing can be fetched')
})

test('what is fetched costs no delivery', () => {
  const result = quote({ ...mug, delivery: priced }, { isPickup: true })
  assert.equal(amountOf(result), '24.00')
  assert.ok(typeof result !== 'string' && !isPlain(result.terms))
})

test('a code takes a part or an amount off the goods, never off the delivery', () => {
  const offered = { ...mug, delivery: priced }
  const tenth = { ...offered, discount: { code: 'TEN', kind: 'percent', percent: 10 } as const }
  assert.equal(amountOf(quote(tenth, { country: 'Germany' })), '26.50')
  const five = { ...offered, discount: { code: 'FIVE', kind: 'amount', amount: '5' } as const }
  assert.equal(amountOf(quote(five, { country: 'France' })), '28.50')
  assert.equal(
    amountOf(quote({ ...five, price: '54.00' }, { country: 'Germany' })),
    '53.90',
    'the limit counts after the discount',
  )
})

test('a code that would make the goods free does not count', () => {
  const offered = { ...mug, discount: { code: 'ALL', kind: 'amount', amount: '24.00' } as const }
  const result = quote(offered, {})
  assert.equal(amountOf(result), '24.00')
  assert.ok(typeof result !== 'string' && result.terms.code === null)
})

test('half a cent goes to the buyer, and a currency without cents gets none', () => {
  const tenth = { code: 'TEN', kind: 'percent', percent: 10 } as const
  assert.equal(amountOf(quote({ ...mug, price: '9.95', discount: tenth }, {})), '8.95')
  const pesos = { ...mug, price: '9995.00', hasCents: false, discount: tenth }
  assert.equal(amountOf(quote(pesos, {})), '8995.00')
  const amount = { code: 'FIVE', kind: 'amount', amount: '500.50' } as const
  assert.equal(amountOf(quote({ ...pesos, discount: amount }, {})), '9495.00')
})
