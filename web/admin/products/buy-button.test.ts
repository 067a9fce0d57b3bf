import assert from 'node:assert/strict'
import { test } from 'node:test'

import { renderBuyButton } from './buy-button.ts'

const link = 'https://shop.example.com/checkout/0b5c2f4e-1d7a-4c39-9f0e-6a1b2c3d4e5f'

test('the snippet is a centred black BUY NOW button that links to the checkout', () => {
  const html = renderBuyButton(link)
  assert.ok(html.includes(`href="${link}"`))
  assert.match(html, />BUY NOW</)
  assert.match(html, /text-align:center/)
  assert.match(html, /background:#000/)
})

test('the snippet is plain HTML that a Custom Liquid section accepts unchanged', () => {
  const html = renderBuyButton(link)
  assert.doesNotMatch(html, /<script|<style|\{\{|\{%|class=|onclick/i)
})

test('a malicious link cannot break out of its attribute or run Liquid code', () => {
  const html = renderBuyButton('https://x/"><script>alert(1)</script>{{ shop }}{% raw %}&a=1')
  assert.doesNotMatch(html, /<script|\{\{|\{%|"></)
  assert.ok(html.includes('&#38;a=1'))
})
