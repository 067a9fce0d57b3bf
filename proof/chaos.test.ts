import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countOf, runChaos } from './chaos.ts'
import { describeChaos, describeFaults } from './report.ts'

/* The short form of `npm run proof -- chaos`: a hundred visitors instead of a thousand. */
const short = { checkouts: 100, concurrency: 25, seed: 1 }

test('a hundred sales with servers, database and provider failing: none lost, doubled or mispriced', async () => {
  const report = await runChaos({ kind: 'real', ...short })
  assert.deepEqual(describeFaults(report), [])
  assert.equal(countOf(report.faults), 0)
  // Without these nothing was proven.
  for (const figure of [report.kills.servers, report.kills.databases, report.provider.broken])
    assert.ok(figure > 0, describeChaos(report).join('\n'))
  assert.ok(report.books.payments.length > short.checkouts / 2, describeChaos(report).join('\n'))
})

test('the same chaos finds out a shop that believes its browsers', async () => {
  const { faults } = await runChaos({ kind: 'naive', ...short })
  for (const kind of ['lost', 'duplicate', 'unpaid', 'mispriced'] as const)
    assert.ok(faults[kind].length > 0, `it was not found ${kind}`)
})
