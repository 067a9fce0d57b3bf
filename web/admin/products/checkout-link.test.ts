import assert from 'node:assert/strict'
import { test } from 'node:test'

import { checkoutLink, checkoutOrigin, shortenLink } from './checkout-link.ts'

const domain = {
  customDomain: 'https://buy.example.com',
  currentDomain: 'https://till.example.com',
  paymentCurrency: 'EUR',
} as const

test('a checkout link carries the custom domain, else the current one, else where the page came from', () => {
  assert.equal(checkoutOrigin(domain, 'http://here'), 'https://buy.example.com')
  assert.equal(
    checkoutOrigin({ ...domain, customDomain: null }, 'http://here'),
    'https://till.example.com',
  )
  assert.equal(checkoutOrigin(undefined, 'http://here'), 'http://here')
  assert.equal(checkoutLink('http://here', 'a-1'), 'http://here/checkout/a-1')
})

test('a domain without a scheme, or with a slash too many, still makes a link that works', () => {
  const bare = { ...domain, customDomain: 'buy.example.com/' }
  assert.equal(checkoutOrigin(bare, 'http://here'), 'https://buy.example.com')
})

test('a link is shown up to 40 characters', () => {
  assert.equal(shortenLink('x'.repeat(40)), 'x'.repeat(40))
  assert.equal(shortenLink('x'.repeat(41)), `${'x'.repeat(40)}…`)
})

test('a shop behind a proxy is linked to by https, as its owner came', () => {
  const behindProxy = { ...domain, customDomain: null, currentDomain: 'http://till.example.com' }
  assert.equal(checkoutOrigin(behindProxy, 'https://till.example.com'), 'https://till.example.com')
})
