import assert from 'node:assert/strict'
import { test } from 'node:test'

import { productSchema, type Product } from '#contract/products.ts'

import { parseProductSearch, searchProducts } from './product-list.ts'

let made = 0
function createProduct(name: string, more: { price?: string; currency?: string } = {}): Product {
  made += 1
  const headerLogoUrl = 'https://example.com/logo.png'
  const description = `Number ${made}`
  return {
    ...productSchema
      .omit({ stock: true, stockWas: true, choice: true, noteLabel: true })
      .parse({ name, price: '10', headerLogoUrl, description, ...more }),
    id: `id-${made}`,
    isPaused: false,
    createdBy: 'admin',
    createdByEmail: null,
    createdAt: new Date(made * 1000).toISOString(),
    updatedAt: '',
  }
}

const products = [
  createProduct('Oak chair', { price: '9.5' }),
  createProduct('elm Chair', { price: '100' }),
  createProduct('Chair 10', { price: '20', currency: 'CHF' }),
  createProduct('Chair 9'),
]
const search = (query: string) =>
  searchProducts(products, parseProductSearch(query)).map(({ name }) => name)

test('products are found by every word of the search, in name, description or link', () => {
  assert.deepEqual(search('?q=CHAIR+oak'), ['Oak chair'])
  assert.deepEqual(search('?q=number+2'), ['elm Chair'])
  assert.deepEqual(search('?q=id-3'), ['Chair 10'])
  assert.deepEqual(search('?q=table'), [])
})

test('products are sorted by age, name or price, each currency for itself', () => {
  assert.deepEqual(search(''), ['Chair 9', 'Chair 10', 'elm Chair', 'Oak chair'])
  assert.deepEqual(search('?sort=nonsense'), search(''))
  assert.deepEqual(search('?sort=oldest'), search('').toReversed())
  assert.deepEqual(search('?sort=name'), ['Chair 9', 'Chair 10', 'elm Chair', 'Oak chair'])
  assert.deepEqual(search('?sort=cheapest'), ['Chair 10', 'Oak chair', 'Chair 9', 'elm Chair'])
  assert.deepEqual(search('?sort=dearest'), ['Chair 10', 'elm Chair', 'Chair 9', 'Oak chair'])
})
