import assert from 'node:assert/strict'
import { test } from 'node:test'
import { reviewReasons } from '#contract/checkouts.ts'
import { reviewWords } from './review-words.ts'

test('the owner is told that it is not known whether money was taken, exactly where it is not', () => {
  const unknown = reviewReasons.filter((reason) => !reviewWords[reason].isMoneyKnown)
  assert.deepEqual(unknown, [
    'payment-reused',
    'stuck',
    'contradiction',
    'unreadable',
    'lost-at-sumup',
    'account-changed',
  ])
  for (const reason of reviewReasons) {
    const { happened, isMoneyKnown } = reviewWords[reason]
    assert.equal(/is not known whether money was taken/.test(happened), !isMoneyKnown, reason)
    if (!isMoneyKnown) assert.doesNotMatch(happened, /\bpaid\b|\bcharged\b/, reason)
  }
})
