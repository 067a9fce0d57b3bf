import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countFaults, describeChaos, describeFaults, runChaos } from './chaos.ts'

/* The short form of `npm run proof -- prices`: 24 visitors instead of a thousand. */
test('while everything fails and prices change, nobody is charged what they were not shown', async () => {
  const report = await runChaos({
    kind: 'real',
    isPriced: true,
    checkouts: 24,
    concurrency: 8,
    seed: 6,
    pace: 'by visitors',
  })
  const about = describeChaos(report).join('\n')
  assert.deepEqual(describeFaults(report), [], about)
  assert.equal(countFaults(report.faults), 0)
  // Without these the run would prove nothing.
  const { kills, quotes } = report
  const { withTerms, withCode, fetched, deliveries } = quotes ?? {}
  for (const figure of [kills.servers, withTerms, withCode, fetched, deliveries])
    assert.ok((figure ?? 0) > 0, about)
})
