import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countFaults, countWork, describeChaos, describeFaults, runChaos } from './chaos.ts'
import { isCharged, type Claim } from './history.ts'

/* The short form of `npm run proof -- chaos --nodes 2`: 24 visitors instead of a thousand. */
const short = { checkouts: 24, nodes: 2, concurrency: 12, seed: 6, pace: 'by visitors' } as const

test('sales while everything fails: none lost, doubled or mispriced, nobody misinformed', async () => {
  const report = await runChaos({ kind: 'real', ...short })
  assert.deepEqual(describeFaults(report), [])
  assert.equal(countFaults(report.faults), 0)
  // Without these the run would prove nothing.
  const { kills, provider, history, events, final, changes } = report
  const countClaims = (claimed: Claim) =>
    history.statements.filter(({ claim }) => claim === claimed).length
  const {
    oversold: _dependsOnTime,
    withScarceCode: _few,
    severalPrices: _rare,
    ...work
  } = countWork(report)
  const figures = {
    ...kills,
    broken: provider.broken,
    // Which of both is seen depends on how fast the machine is.
    undecided: countClaims('declined') + countClaims('at-bank'),
    chargedTwice: events['charged twice'],
    ...work,
    ...changes,
    shipped: history.shipped.told.size,
    withdrawals: final.withdrawals.length,
    otherwise: final.attempts.filter((one) => one.method && isCharged(one)).length,
  }
  for (const [name, figure] of Object.entries(figures))
    assert.ok(figure > 0, `${name}\n${describeChaos(report).join('\n')}`)
  const paid = final.attempts.filter(isCharged).length
  assert.ok(paid >= short.checkouts / 2, describeChaos(report).join('\n'))
})

test('the same chaos finds the faults of a shop that trusts the browser', async () => {
  const { faults } = await runChaos({ kind: 'naive', ...short })
  for (const kind of ['lost', 'duplicate', 'unpaid', 'mispriced'] as const)
    assert.ok(faults[kind].length > 0, `no fault found: ${kind}`)
})
