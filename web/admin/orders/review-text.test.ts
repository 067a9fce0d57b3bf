import assert from 'node:assert/strict'
import { test } from 'node:test'
import { reviewReasons } from '#contract/checkouts.ts'
import { reasonTexts } from './review-text.ts'

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
