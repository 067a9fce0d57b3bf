import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeStock, proveStock, isConclusive } from './stock.ts'

/* The short form of `npm run proof -- stock`: 40 buyers and 5 pieces instead of 300 and 20. */
test('while everything fails, no piece is sold twice unseen, and none is held for nobody', async () => {
  const report = await proveStock({
    pieces: 5,
    buyers: 40,
    concurrency: 12,
    seed: 3,
    pace: 'by visitors',
  })
  const about = describeStock(report).join('\n')
  assert.deepEqual(
    Object.values(report.faults).map((count) => count > 0),
    Object.values(report.faults).map(() => false),
    about,
  )
  assert.ok(isConclusive(report), about)
})
