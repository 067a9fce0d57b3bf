import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deliverySchema, describePrice } from './delivery-settings.ts'
import { defaultDelivery, quote, type PickupPlace } from './quotes.ts'

const place: PickupPlace = {
  name: 'Harbour Store',
  address: 'Kai 1',
  postcode: '20457',
  city: 'Hamburg',
  state: null,
  country: 'Germany',
  hours: null,
}
const price = { countries: ['Germany'], price: '4.90', freeFrom: null }

function findProblems(change: object): string[] {
  const { error } = deliverySchema.safeParse({ ...defaultDelivery, ...change })
  return error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? []
}

test('what a shop begins with is valid, and what was saved is read as it was', () => {
  assert.deepEqual(deliverySchema.parse(defaultDelivery), defaultDelivery)
  const saved = deliverySchema.parse({
    countries: ['Germany', 'Austria'],
    prices: [{ countries: ['Germany'], price: ' 4,9 ', freeFrom: ' ' }],
    pickup: { ...place, name: ' Harbour Store ', hours: '' },
  })
  assert.deepEqual(saved.prices, [price])
  assert.deepEqual(saved.pickup, place)
  assert.deepEqual(deliverySchema.parse(structuredClone(saved)), saved)
})

test('a shop delivers somewhere, or things can be picked up', () => {
  assert.deepEqual(findProblems({ countries: [] }), [
    'countries: Choose at least one country, or name a pickup place.',
  ])
  assert.deepEqual(findProblems({ countries: [], pickup: place }), [])
  assert.deepEqual(findProblems({ countries: ['Germany', 'Germany'] }), [
    'countries: A country is named twice.',
  ])
  assert.deepEqual(findProblems({ countries: ['Atlantis'] }), [
    'countries.0: Choose a country from the list.',
  ])
})

test('a country has one price, and only where the shop delivers to', () => {
  assert.deepEqual(findProblems({ prices: [price, price] }), [
    'prices.1.countries: There is a price for Germany already.',
  ])
  assert.deepEqual(findProblems({ prices: [{ ...price, countries: ['Austria'] }] }), [
    'prices.0.countries: You do not deliver to Austria.',
  ])
  assert.deepEqual(findProblems({ prices: [{ ...price, countries: [] }] }), [
    'prices.0.countries: Choose at least one country for this price.',
  ])
})

test('a price is money, and free delivery begins above nothing', () => {
  for (const wrong of ['', 'free', '-1', '4.999', '1e3', '100000'])
    assert.deepEqual(
      findProblems({ prices: [{ ...price, price: wrong }] }),
      ['prices.0.price: Please enter an amount such as 4.90.'],
      wrong,
    )
  assert.deepEqual(findProblems({ prices: [{ ...price, freeFrom: '0' }] }), [
    'prices.0.freeFrom: Please enter an amount above 0.',
  ])
})

test('a pickup place has a name and a whole address, as its country writes it', () => {
  assert.deepEqual(findProblems({ pickup: { ...place, name: '', city: ' ', postcode: '' } }), [
    'pickup.name: Please enter a name.',
    'pickup.city: Please enter the town.',
    'pickup.postcode: Please enter the postcode.',
  ])
  assert.deepEqual(findProblems({ pickup: { ...place, postcode: '' } }), [
    'pickup.postcode: Please enter the postcode.',
  ])
  assert.deepEqual(findProblems({ pickup: { ...place, country: 'Jamaica', postcode: '' } }), [])
  assert.deepEqual(findProblems({ pickup: { ...place, hours: 'Mon\nTue' } }), [
    'pickup.hours: This must be one line.',
  ])
})

test('a price is described as buyers meet it', () => {
  const group = { countries: ['Germany', 'Austria'], price: '4,9', freeFrom: '50' }
  const text = 'Germany, Austria: €4.90, free from €50.00'
  assert.equal(describePrice(group, 'EUR'), text)
  assert.equal(describePrice(group, undefined), text.replaceAll('€', ''))
  assert.equal(describePrice({ ...group, price: '0' }, 'EUR'), 'Germany, Austria: free')
  assert.equal(describePrice({ ...group, price: 'x' }, 'EUR'), undefined)
  const delivery = deliverySchema.parse({
    countries: ['Germany', 'Austria'],
    prices: [group],
    pickup: null,
  })
  const offered = { price: '10.00', hasCents: true, discount: null, delivery }
  const quoted = quote(offered, { country: 'Austria' })
  assert.equal(typeof quoted === 'object' && quoted.amount, '14.90')
})
