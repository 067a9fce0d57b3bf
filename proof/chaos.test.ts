import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countOf, runChaos } from './chaos.ts'
import type { Claim } from './history.ts'
import { describeChaos, describeFaults } from './report.ts'

/* The short form of `npm run proof -- chaos`: a hundred visitors instead of a thousand. */
const short = { checkouts: 100, concurrency: 25, seed: 1 }

test('a hundred sales while everything fails: none lost, doubled or mispriced, no buyer told wrongly', async () => {
  const report = await runChaos({ kind: 'real', ...short })
  assert.deepEqual(describeFaults(report), [])
  assert.equal(countOf(report.faults), 0)
  // Without these nothing was proven.
  const { kills, provider, history, events } = report
  const told = (wanted: Claim) => history.statements.filter(({ claim }) => claim === wanted).length
  for (const figure of [
    kills.servers,
    kills.databases,
    provider.broken,
    told('declined'),
    told('at-bank'),
    events['charged twice'],
  ])
    assert.ok(figure > 0, describeChaos(report).join('\n'))
  assert.ok(report.books.payments.length > short.checkouts / 2, describeChaos(report).join('\n'))
})

test('the same chaos finds out a shop that believes its browsers', async () => {
  const { faults } = await runChaos({ kind: 'naive', ...short })
  for (const kind of ['lost', 'duplicate', 'unpaid', 'mispriced'] as const)
    assert.ok(faults[kind].length > 0, `it was not found ${kind}`)
})
