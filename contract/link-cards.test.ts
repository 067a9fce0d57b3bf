import assert from 'node:assert/strict'
import { test } from 'node:test'
import { writeLinkCard } from './link-cards.ts'

const mug = {
  name: 'Harbour Mug',
  description: 'Stoneware,\n350 ml.',
  priceText: '€24.00',
  notForSale: null,
}
const plain = { shopName: 'Harbour & Co', hasPriceInTitle: false }

test('a card has the name and the beginning of the description', () => {
  assert.deepEqual(writeLinkCard(mug, plain), {
    title: 'Harbour Mug',
    description: 'Stoneware, 350 ml.',
  })
  const long = writeLinkCard({ ...mug, description: 'word '.repeat(100) }, plain).description
  assert.match(long, /^(word )+word…$/)
  assert.ok(long.length <= 200 && long.length > 190)
  const oneWord = writeLinkCard({ ...mug, description: '🍵'.repeat(300) }, plain).description
  assert.equal(oneWord, `${'🍵'.repeat(199)}…`)
})

test('without a description a card names price and shop, so that it is never empty', () => {
  const bare = { ...mug, description: null }
  assert.equal(writeLinkCard(bare, plain).description, '€24.00 · Harbour & Co')
  assert.equal(writeLinkCard({ ...bare }, { ...plain, shopName: null }).description, '€24.00')
  assert.equal(writeLinkCard({ ...mug, description: ' \n' }, plain).description.length > 0, true)
})

test('the price stands in the title where the owner wants it, and never while nothing is sold', () => {
  const priced = { ...plain, hasPriceInTitle: true }
  assert.equal(writeLinkCard(mug, priced).title, 'Harbour Mug · €24.00')
  const paused = writeLinkCard({ ...mug, notForSale: 'Not for sale right now' }, priced)
  assert.equal(paused.title, 'Harbour Mug')
  assert.equal(paused.description, 'Not for sale right now. Stoneware, 350 ml.')
})
