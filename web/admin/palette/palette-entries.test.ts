import assert from 'node:assert/strict'
import { test } from 'node:test'

import { productSchema, type Product } from '#contract/products.ts'
import { createOrder } from '#web/admin/orders/testing/orders.ts'
import { places } from '#web/admin/shell/places.ts'

import { findGroups, orderEntry, orderSearchOf, stillMatching } from './palette-entries.ts'

function createProduct(name: string, isPaused = false): Product {
  const headerLogoUrl = 'https://example.com/logo.png'
  return {
    ...productSchema
      .omit({ stock: true, stockWas: true, choice: true, noteLabel: true })
      .parse({ name, price: '10', headerLogoUrl }),
    id: name.toLowerCase().replaceAll(' ', '-'),
    isPaused,
    createdBy: 'admin',
    createdByEmail: null,
    createdAt: '',
    updatedAt: '',
  }
}

const products = [
  createProduct('Harbour Mug'),
  createProduct('Blue mug', true),
  createProduct('Travel Mug'),
  createProduct('Café sign'),
]

const find = (text: string) =>
  findGroups(text, products, ({ id }) => `https://example.com/checkout/${id}`)
const titlesOf = (text: string) =>
  Object.fromEntries(
    find(text).map(({ title, entries }) => [
      title,
      entries.map((entry) => [entry.title, entry.detail].filter(Boolean).join(': ')),
    ]),
  )

test('without a text the palette offers pages, actions and every place of the settings', () => {
  const { Pages, Settings } = titlesOf(' ')
  assert.deepEqual(Pages, ['Products', 'Orders', 'Fulfillment', 'Analytics'])
  assert.equal(Settings?.length, Object.keys(places).length)
})

test('products are found by words of their name, without regard to capitals and accents', () => {
  assert.deepEqual(titlesOf('mug'), {
    Products: ['Harbour Mug: Edit', 'Blue mug: Edit', 'Travel Mug: Edit'],
  })
  assert.equal(titlesOf('CAFE').Products?.[0], 'Café sign: Edit')
})

test('what can be done with a product is offered once it is clear which one, or by its name', () => {
  assert.deepEqual(titlesOf('harbour').Products, [
    'Harbour Mug: Edit',
    'Copy link: Harbour Mug',
    'Open checkout in new tab: Harbour Mug',
    'Pause: Harbour Mug',
  ])
  assert.deepEqual(titlesOf('pause mug').Products, ['Pause: Harbour Mug', 'Pause: Travel Mug'])
  assert.deepEqual(titlesOf('mug resume').Products, ['Resume: Blue mug'])
})

test('the group with the best answer comes first', () => {
  assert.equal(find('ord')[0]?.title, 'Pages')
  assert.equal(find('people')[0]?.title, 'Settings')
  assert.equal(find('sign out')[0]?.entries[0]?.title, 'Log out')
})

test('an order number is searched as people copy it', () => {
  assert.equal(orderSearchOf(' #1a2b3c4d… '), '1a2b3c4d')
  assert.equal(orderSearchOf('1a2b3c4d...'), '1a2b3c4d')
  assert.equal(orderSearchOf('anna@example.com'), 'anna@example.com')
  assert.equal(orderSearchOf('a'), undefined)
})

test('orders of an earlier text stay only while they match the new one', () => {
  const anna = createOrder('1a2b3c4d-0000')
  const ben = createOrder('2b000000-0000', { customerEmail: 'ben@example.com', customerName: null })
  assert.deepEqual(stillMatching([anna, ben], 'BEN@'), [ben])
  assert.deepEqual(stillMatching([anna, ben], 'zoe'), [])
})

test('they match as the server searches: every word somewhere, also in address, phone and amount', () => {
  const { shippingAddress } = createOrder('1a2b3c4d-0000')
  const order = createOrder('1a2b3c4d-0000', {
    amount: '1307.50',
    customerPhone: '+44 20 7946',
    shippingAddress: { ...shippingAddress, address: 'Äußere Zeile 7b', city: 'Hull' },
  })
  for (const q of ['hull mug', 'äußere ZEILE', '1307.5', '€1307', '7946', '1a2b hull'])
    assert.deepEqual(stillMatching([order], q), [order], q)
  assert.deepEqual(stillMatching([order], 'hull nobody'), [])
})

test('an order with a status and a product that are not known is shown', () => {
  const order = createOrder('1a2b3c4d-0000', { status: 'on hold' as 'pending' })
  const unknown = { ...order, product: { ...order.product, name: '' } }
  assert.equal(
    orderEntry(unknown).detail,
    'on hold · Nov 15, 2026 · 1a2b3c4d… · #1001 · Unknown · anna@example.com',
  )
})

test('an order is shown with the name of its customer, its status and its date', () => {
  const anna = createOrder('1a2b3c4d-0000', { status: 'shipped' })
  assert.equal(orderEntry(anna).title, 'Anna Müller')
  assert.equal(
    orderEntry(anna).detail,
    'Shipped · Nov 15, 2026 · 1a2b3c4d… · #1001 · Mug · anna@example.com',
  )
  const unnamed = createOrder('1a2b3c4d-0000', { customerName: null })
  assert.equal(orderEntry(unnamed).title, 'anna@example.com')
  assert.equal(orderEntry(unnamed).detail, 'Pending · Nov 15, 2026 · 1a2b3c4d… · #1001 · Mug')
})
