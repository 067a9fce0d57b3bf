import assert from 'node:assert/strict'
import { test } from 'node:test'
import { explainReason } from './review-reason.ts'

test('reasons are told in plain words', () => {
  const told = {
    'paid 40.00 instead of 49.00 EUR': 'The customer paid 40.00 instead of 49.00 EUR.',
    'paid in USD instead of EUR': 'The customer paid in USD instead of EUR.',
    'paid before contact and delivery were known':
      'The customer paid before telling who they are and where to deliver.',
    'SumUp does not say readably what was paid instead of 49.00 EUR':
      'SumUp does not say clearly how much was paid.',
    'SumUp says that a payment which belongs to another sale has paid for this one':
      'SumUp counts one payment for two sales.',
    'SumUp could not be asked for a week whether this was paid':
      'SumUp could not tell for a week whether this was paid. Look for it there by the amount and the day.',
    'another account was paid': 'The money went to another SumUp account.',
    'the reference is not ours': 'SumUp reports a payment that does not belong to this sale.',
    'the checkout says paid, but no payment went through':
      'SumUp says it is paid, but shows no payment.',
    'a payment went through, but the checkout says FAILED':
      'A payment went through, but SumUp calls the sale failed.',
  }
  for (const [reason, words] of Object.entries(told)) assert.equal(explainReason(reason), words)
})

test('a reason nobody has words for is told as it is', () => {
  assert.equal(explainReason('the moon was full'), 'The moon was full.')
  assert.equal(explainReason(''), 'It does not fit the sale.')
})
