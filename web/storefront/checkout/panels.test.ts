import assert from 'node:assert/strict'
import { test } from 'node:test'
import { reviewReasons } from '#contract/checkouts.ts'
import { panelOf } from './panels.ts'
import { checkout } from '#web/storefront/testing/test-world.ts'

const textOf = (panel: ReturnType<typeof panelOf>) =>
  [panel?.title, ...(panel?.paragraphs ?? [])].join(' ')

test('the form gives way to a panel where no card may follow', () => {
  assert.equal(panelOf({ is: 'ready', checkout: checkout('c1') }), undefined)
  assert.equal(
    panelOf({ is: 'asking', checkout: checkout('c1') }),
    undefined,
    'the card form is still on the page',
  )
  const confirming = panelOf({ is: 'confirming', checkoutId: 'c1' })
  assert.equal(confirming?.title, 'Processing...')
})

test('a card at the bank can be given up', () => {
  const panel = panelOf({ is: 'at-bank', checkoutId: 'c1' })
  assert.equal(panel?.button, 'I did not finish at my bank')
  assert.match(textOf(panel), /no need to pay again/)
})

test('a payment in review is only said to have arrived where SumUp has it', () => {
  const claims = reviewReasons.filter((reason) =>
    /has arrived|have your payment/i.test(textOf(panelOf({ is: 'review', reason }))),
  )
  assert.deepEqual(claims, [
    'no-details',
    'paid-twice',
    'mismatch',
    'payment-reused',
    'paid-late',
    'no-sale',
  ])
})

test('a payment that was given back is not asked for again', () => {
  const panel = panelOf({ is: 'review', reason: 'refunded' })
  assert.match(textOf(panel), /given back/)
  assert.doesNotMatch(textOf(panel), /arrived|not certain/)
})

test('a reason that this page does not know claims nothing', () => {
  for (const reason of [undefined, 'news', 'toString'])
    assert.match(textOf(panelOf({ is: 'review', reason })), /not certain/)
})

test('no panel offers a card form or speaks of a failure while money may have moved', () => {
  for (const is of ['delayed', 'at-bank', 'starting-over', 'lost-sight', 'refused'] as const) {
    const panel = panelOf({ is, checkoutId: 'c1' })
    assert.ok(panel)
    assert.doesNotMatch(textOf(panel), /failed|declined|nothing was charged/i, is)
  }
})

test('a payment that the server does not know promises no order', () => {
  const text = textOf(panelOf({ is: 'lost-sight' }))
  assert.doesNotMatch(text, /by itself|is placed|no need to pay/i)
})
