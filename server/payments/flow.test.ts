import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '#contract/refusals.ts'
import {
  attempt,
  caseOf,
  checkoutOf,
  details,
  entryOf,
  now,
  paymentOf,
  transactionOf,
} from '#server/testing/cases.ts'
import type { Case } from './case.ts'
import {
  changeSale,
  decideWebhook,
  end,
  TooManyConflicts,
  readAgain,
  readPayment,
  recordFacts,
  settle,
  type Ask,
  type Context,
  type Flow,
} from './flow.ts'
import { createOrder, dismiss, refund, restore } from './owner.ts'
import { orderVersionOf, versionOf } from './question.ts'

/** Others change the case between every reading and writing: what each flow makes of it. */

const context: Context = { isOwn: () => true, createId: (of) => `our-${of}` }
const paid = checkoutOf('PAID', [attempt('tx-1')])

const answers = {
  checkout: { type: 'seen', checkout: paid },
  reference: { found: paid },
  transaction: transactionOf('tx-1').result,
  deactivate: 'answered',
  refund: { type: 'accepted' },
}

/** Runs a flow on a case that is never as it was read: from the given write on. Counts the writes that came too late. */
function run<Result>(
  flow: Flow<Result>,
  kase: Case,
  { firstStale = 1, calls = [] }: { firstStale?: number; calls?: string[] } = {},
) {
  let known = kase
  let writes = 0
  const answer = ({ call }: Ask) => {
    calls.push(call)
    return answers[call]
  }
  let step = flow.next()
  while (!step.done) {
    const { value } = step
    let given: unknown
    if (value.type === 'load') given = { kase: known, now }
    if (value.type === 'ask') given = answer(value.ask)
    if (value.type === 'write') {
      writes += 1
      const isStale = writes >= firstStale
      if (!isStale) known = value.decision.after
      given = isStale ? { type: 'stale' } : { type: 'written', kase: known }
    }
    step = flow.next(given as never)
  }
  return { result: step.value, stale: writes - firstStale + 1 }
}

const refusalOf = (code: string) => (error: unknown) =>
  error instanceof Refusal && error.code === code

const payment = paymentOf('tx-1', { readAt: now })
const sold = caseOf({
  sale: { state: 'paid', nextCheckAt: null },
  payments: [payment],
  order: { id: 'order-1', transactionId: 'tx-1' },
})
const entry = entryOf('mismatch', { paymentId: payment.id })
const asked = caseOf({
  sale: { state: 'review', nextCheckAt: null },
  payments: [payment],
  entries: [entry],
})
const act = { caseId: 'sale-1', entryId: entry.id, version: versionOf(asked, entry), by: 'owner-1' }

test('a sale that keeps changing is waited for', () => {
  const { result, stale } = run(settle(context, 'sale-1'), caseOf())
  assert.deepEqual(result?.status, { state: 'waiting', reason: 'unclear' })
  assert.equal(stale, 6)
})

test('a change of a sale that keeps changing fails', () => {
  const change = changeSale('sale-1', (loaded) => decideWebhook(loaded.kase, loaded.now))
  assert.throws(() => run(change, caseOf()), TooManyConflicts)
})

for (const [what, flow, kase] of [
  ['the end of a checkout', () => end(context, caseOf().sale), caseOf()],
  ['the reading of a payment', () => readPayment(context, 'sale-1', payment.id), sold],
  [
    'what the history says',
    () => recordFacts('sale-1', { transactionId: 'tx-1' }, context.createId),
    sold,
  ],
  ['a fresh look', () => readAgain(context, 'sale-1', entry), asked],
] as [string, () => Flow<unknown>, Case][])
  test(`${what} is unknown while the case keeps changing`, () => {
    assert.deepEqual(run(flow(), kase), { result: undefined, stale: 6 })
  })

test('what the owner decides about a case that keeps changing is refused', () => {
  const dismissed = { ...asked, entries: [{ ...entry, state: 'dismissed' }] }
  const [closed = entry] = dismissed.entries
  const undo = { ...act, version: versionOf(dismissed, closed) }
  // The fresh look is written in its first attempt.
  const afterLook = { firstStale: 2 }
  for (const [flow, kase, options] of [
    [createOrder(context, act, { details }), asked, afterLook],
    [dismiss(context, act, 'a note'), asked, afterLook],
    [refund(context, act), asked, afterLook],
    [restore(undo), dismissed, {}],
  ] as [Flow<unknown>, Case, object][])
    assert.throws(() => run(flow, kase, options), refusalOf('review-changed'))
})

test('a refund of an order that keeps changing is refused before SumUp is asked', () => {
  const wanted = { caseId: 'sale-1', orderId: 'order-1', version: orderVersionOf(sold), by: 'me' }
  const flow = () => refund(context, wanted)
  const calls: string[] = []
  assert.throws(() => run(flow(), sold, { firstStale: 2, calls }), refusalOf('refund-changed'))
  assert.deepEqual(calls, ['transaction'])
})

test('a refund that SumUp was asked for is unknown while its case keeps changing', () => {
  const wanted = { caseId: 'sale-1', orderId: 'order-1', version: orderVersionOf(sold), by: 'me' }
  const { result } = run(refund(context, wanted), sold, { firstStale: 3 })
  assert.deepEqual(result, { state: 'unknown', amount: '49.00', problem: null })
})
