import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refusals } from '#contract/refusals.ts'
import { checkoutCalls } from '#server/checkouts/calls.ts'
import { checkout, prices } from './pages/en.ts'

test('the checkout refuses in the words of the API, and has a translation for each', () => {
  const texts: Record<string, { text: string }> = refusals
  for (const [code, text] of Object.entries({ ...checkout.refusals, ...prices.refusals }))
    assert.equal(text, texts[code]?.text, code)
})

/** The page acts on these and says more, in texts of its own. */
const actedOn = [
  'payment-missing',
  'already-paid',
  'payment-in-review',
  'card-at-bank',
  'card-under-way',
  'checkout-expired',
  'foreign-origin',
  'details-replaced',
  'payment-declined',
]

test('what the calls of the checkout refuse has a text for buyers', () => {
  const texts = Object.keys({ ...checkout.refusals, ...prices.refusals })
  const refused = new Set(checkoutCalls.flatMap((call) => call.refusals ?? []))
  assert.deepEqual(
    [...refused].filter((code) => !texts.includes(code)),
    actedOn,
  )
})
