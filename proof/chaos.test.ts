import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countFaults, describeChaos, describeFaults, runChaos } from './chaos.ts'
import type { Claim } from './history.ts'

/* The short form of `npm run proof -- chaos`: 24 visitors instead of a thousand. */
const short = { checkouts: 24, concurrency: 12, seed: 6, pace: 'by visitors' } as const

test('sales while everything fails: none lost, doubled or mispriced, no buyer misinformed', async () => {
  const report = await runChaos({ kind: 'real', ...short })
  assert.deepEqual(describeFaults(report), [])
  assert.equal(countFaults(report.faults), 0)
  // Without these the run would prove nothing.
  const { kills, provider, history, events, final } = report
  const countClaims = (claimed: Claim) =>
    history.statements.filter(({ claim }) => claim === claimed).length
  for (const figure of [
    kills.servers,
    kills.databases,
    provider.broken,
    // Which of both is seen depends on how fast the machine is.
    countClaims('declined') + countClaims('at-bank'),
    events['charged twice'],
    final.refunds.flatMap(({ asked }) => asked).length,
    final.withdrawals.length,
    final.payments.filter(({ method }) => method).length,
  ])
    assert.ok(figure > 0, describeChaos(report).join('\n'))
  for (const { id, paymentMethod, sumupTransactionId } of final.orders) {
    const paid = final.payments.find((one) => one.id === sumupTransactionId)
    const named = paid?.method ? [paid.method, 'sumup'] : ['card']
    assert.ok(
      named.includes(paymentMethod ?? ''),
      `${id} was paid by ${named[0]}, not ${paymentMethod}`,
    )
  }
  assert.ok(report.final.payments.length >= short.checkouts / 2, describeChaos(report).join('\n'))
})

test('the same chaos finds the faults of a shop that trusts the browser', async () => {
  const { faults } = await runChaos({ kind: 'naive', ...short })
  for (const kind of ['lost', 'duplicate', 'unpaid', 'mispriced'] as const)
    assert.ok(faults[kind].length > 0, `no fault found: ${kind}`)
})
