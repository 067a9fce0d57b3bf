import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refusals } from '#contract/refusals.ts'
import { en } from './checkout/en.ts'
import { en as prices } from './prices/en.ts'

test('the checkout refuses in the words of the API, and has a translation for each', () => {
  const texts: Record<string, { text: string }> = refusals
  for (const [code, text] of Object.entries({ ...en.refusals, ...prices.refusals }))
    assert.equal(text, texts[code]?.text, code)
})
