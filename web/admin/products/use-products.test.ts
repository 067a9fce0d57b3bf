import assert from 'node:assert/strict'
import { test } from 'node:test'

import { checkoutOrigin, shortenLink } from './use-products.ts'

const domain = {
  customDomain: 'https://buy.example.com',
  currentDomain: 'https://till.example.com',
  paymentCurrency: 'EUR',
  accountCurrency: null,
} as const

test('a checkout link has the custom domain, else the current one, else that of the page', () => {
  assert.equal(checkoutOrigin(domain, 'http://here'), 'https://buy.example.com')
  assert.equal(
    checkoutOrigin({ ...domain, customDomain: null }, 'http://here'),
    'https://till.example.com',
  )
  assert.equal(checkoutOrigin(undefined, 'http://here'), 'http://here')
})

test('a domain without a scheme, or with a trailing slash, still makes a working link', () => {
  const bare = { ...domain, customDomain: 'buy.example.com/' }
  assert.equal(checkoutOrigin(bare, 'http://here'), 'https://buy.example.com')
})

test('a link is shown up to 40 characters', () => {
  assert.equal(shortenLink('x'.repeat(40)), 'x'.repeat(40))
  assert.equal(shortenLink('x'.repeat(41)), `${'x'.repeat(40)}…`)
})

test('a shop behind a proxy gets https links if the admin page is on https', () => {
  const behindProxy = { ...domain, customDomain: null, currentDomain: 'http://till.example.com' }
  assert.equal(checkoutOrigin(behindProxy, 'https://till.example.com'), 'https://till.example.com')
})
