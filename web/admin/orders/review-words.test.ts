import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ReviewReason, reviewReasons } from '#contract/checkouts.ts'
import { reviewWords } from './review-words.ts'

/** Reasons under which SumUp has said that money moved. */
const known: ReviewReason[] = ['no-details', 'paid-twice', 'refunded', 'mismatch', 'no-sale']

test('the owner is told that it is not known whether money was taken, exactly where it is not', () => {
  for (const reason of reviewReasons) {
    const { happened, next } = reviewWords[reason]
    assert.equal(
      /It is not known whether money was taken/.test(happened),
      !known.includes(reason),
      reason,
    )
    if (!known.includes(reason)) assert.doesNotMatch(happened, /\bpaid\b|\bcharged\b/, reason)
    assert.match(next, /\.$/, reason)
  }
})
