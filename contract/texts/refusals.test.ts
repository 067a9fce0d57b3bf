import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refusals } from '#contract/refusals.ts'
import { checkout, prices } from './pages/en.ts'

test('the checkout refuses in the words of the API, and has a translation for each', () => {
  const texts: Record<string, { text: string }> = refusals
  for (const [code, text] of Object.entries({ ...checkout.refusals, ...prices.refusals }))
    assert.equal(text, texts[code]?.text, code)
})
