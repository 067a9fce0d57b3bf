import assert from 'node:assert/strict'
import { test } from 'node:test'
import { reviewReasons } from '#contract/checkouts.ts'
import { describeNext, reasonTexts } from './review-text.ts'

test('a reason says that it is not known whether money was taken exactly when it is not', () => {
  const unknown = reviewReasons.filter((reason) => !reasonTexts[reason].isMoneyKnown)
  assert.deepEqual(unknown, [
    'payment-reused',
    'stuck',
    'contradiction',
    'unreadable',
    'lost-at-sumup',
    'account-changed',
  ])
  for (const reason of reviewReasons) {
    const { happened, isMoneyKnown } = reasonTexts[reason]
    assert.equal(/is not known whether money was taken/.test(happened), !isMoneyKnown, reason)
    if (!isMoneyKnown) assert.doesNotMatch(happened, /\bpaid\b|\bcharged\b/, reason)
  }
})

/** As the server decides it (server/checkouts/review-list.ts). */
const reasonsWithoutOrder = ['paid-twice', 'refunded', 'payment-reused']

test('a review entry promises an order or a refund only where it has the button', () => {
  for (const reason of reviewReasons) {
    const { next } = reasonTexts[reason]
    const canOrder = !reasonsWithoutOrder.includes(reason)
    if (!canOrder) assert.doesNotMatch(next, /create the order/i, reason)
    else assert.match(next, /create the order|look it up/i, reason)
    const refundsHere = /refund (the|this) payment|refund it\.$/i
    const text = describeNext({ reason, canRefund: false })
    assert.doesNotMatch(text, refundsHere, reason)
    if (refundsHere.test(next)) {
      assert.match(text, /refund it in the SumUp account that was paid/i, reason)
      assert.equal(describeNext({ reason, canRefund: true }), next)
    }
  }
})
