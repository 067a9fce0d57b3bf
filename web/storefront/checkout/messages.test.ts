import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#web/storefront/testing/english.ts'
import { reviewReasons } from '#contract/checkouts.ts'
import { refusals } from '#contract/refusals.ts'
import { createCheckout } from '#web/storefront/testing/test-sale.ts'
import { findPanel, paymentExpired, paymentFailed } from './messages.ts'

const textOf = (panel: ReturnType<typeof findPanel>) =>
  [panel?.title, ...(panel?.paragraphs ?? [])].join(' ')

test('a panel replaces the form where no card may be submitted', () => {
  assert.equal(findPanel({ state: 'ready', checkout: createCheckout('c1') }), undefined)
  assert.equal(
    findPanel({ state: 'checking', checkout: createCheckout('c1') }),
    undefined,
    'the card form is still on the page',
  )
  const confirming = findPanel({ state: 'confirming', checkoutId: 'c1' })
  assert.equal(confirming?.title, 'Processing...')
})

test('a card at the bank can be cancelled', () => {
  const panel = findPanel({ state: 'at-bank', checkoutId: 'c1' })
  assert.equal(panel?.button, 'I did not finish at my bank')
  assert.match(textOf(panel), /no need to pay again/)
})

test('a payment in review is only said to have arrived if SumUp has it', () => {
  const claims = reviewReasons.filter((reason) =>
    /has arrived|have your payment/i.test(textOf(findPanel({ state: 'review', reason }))),
  )
  assert.deepEqual(claims, ['no-details', 'paid-twice', 'mismatch', 'paid-late', 'no-sale'])
})

test('no mail is promised, and who may have given no address is told to write', () => {
  for (const reason of reviewReasons) {
    const text = textOf(findPanel({ state: 'review', reason }))
    assert.doesNotMatch(text, /hear from us|we send/i, reason)
    if (/can write/.test(text)) assert.match(text, /If you gave none yet, please write/, reason)
    assert.match(text, /please write to the shop/i, reason)
  }
  assert.match(refusals['payment-in-review'].text, /if you gave none yet, please write/)
})

test('a refunded payment is neither claimed nor questioned', () => {
  const panel = findPanel({ state: 'review', reason: 'refunded' })
  assert.match(textOf(panel), /given back/)
  assert.doesNotMatch(textOf(panel), /arrived|not certain/)
})

test('an unknown review reason claims nothing', () => {
  for (const reason of [undefined, 'news', 'toString'])
    assert.match(textOf(findPanel({ state: 'review', reason })), /not certain/)
})

test('no panel mentions a failure while money may have moved', () => {
  for (const state of [
    'delayed',
    'at-bank',
    'starting-over',
    'not-found',
    'order-refused',
  ] as const) {
    const panel = findPanel({ state, checkoutId: 'c1' })
    assert.ok(panel)
    assert.doesNotMatch(textOf(panel), /failed|declined|nothing was charged/i, state)
  }
})

test('the panel for an unknown payment promises no order', () => {
  const text = textOf(findPanel({ state: 'not-found' }))
  assert.doesNotMatch(text, /by itself|is placed|no need to pay/i)
})

test('nothing is said to be uncharged while a card of the page is unknown', () => {
  for (const hasUnknownCard of [false, true]) {
    const texts = [
      textOf(findPanel({ state: 'not-sold', why: 'product-missing', hasUnknownCard })),
      paymentExpired({ hasUnknownCard }).description as string,
    ]
    for (const text of texts) assert.equal(/nothing was charged/.test(text), !hasUnknownCard, text)
  }
  assert.doesNotMatch(paymentFailed().description as string, /charged/)
})

test('a product that is no longer sold is called so', () => {
  const panel = findPanel({ state: 'not-sold', why: 'product-missing', hasUnknownCard: false })
  assert.equal(panel?.title, 'This product is no longer sold')
  assert.match(textOf(panel), /card was not sent/)
})
