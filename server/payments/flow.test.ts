import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '#contract/refusals.ts'
import {
  attempt,
  recordOf,
  checkoutOf,
  details,
  questionOf,
  now,
  paymentOf,
  transactionOf,
} from '#server/testing/records.ts'
import type { SaleRecord } from './record.ts'
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

/** Others change the record between every reading and writing: what each flow makes of it. */

const context: Context = { isOwn: () => true, createId: (of) => `our-${of}` }
const paid = checkoutOf('PAID', [attempt('tx-1')])

const answers = {
  checkout: { type: 'seen', checkout: paid },
  reference: { found: paid },
  transaction: transactionOf('tx-1').result,
  deactivate: 'answered',
  refund: { type: 'accepted' },
}

/** Runs a flow on a record that is never as it was read: from the given write on. Counts the writes that came too late. */
function run<Result>(
  flow: Flow<Result>,
  record: SaleRecord,
  { firstStale = 1, calls = [] }: { firstStale?: number; calls?: string[] } = {},
) {
  let known = record
  let writes = 0
  const answer = ({ call }: Ask) => {
    calls.push(call)
    return answers[call]
  }
  let step = flow.next()
  while (!step.done) {
    const { value } = step
    let given: unknown
    if (value.type === 'load') given = { record: known, now }
    if (value.type === 'ask') given = answer(value.ask)
    if (value.type === 'write') {
      writes += 1
      const isStale = writes >= firstStale
      if (!isStale) known = value.decision.after
      given = isStale ? { type: 'stale' } : { type: 'written', record: known }
    }
    step = flow.next(given as never)
  }
  return { result: step.value, stale: writes - firstStale + 1 }
}

const refusalOf = (code: string) => (error: unknown) =>
  error instanceof Refusal && error.code === code

const payment = paymentOf('tx-1', { readAt: now })
const sold = recordOf({
  sale: { state: 'paid', nextCheckAt: null },
  payments: [payment],
  order: { id: 'order-1', transactionId: 'tx-1' },
})
const question = questionOf('mismatch', { paymentId: payment.id })
const asked = recordOf({
  sale: { state: 'review', nextCheckAt: null },
  payments: [payment],
  questions: [question],
})
const act = {
  recordId: 'sale-1',
  questionId: question.id,
  version: versionOf(asked, question),
  by: 'owner-1',
}

test('a sale that keeps changing is waited for', () => {
  const { result, stale } = run(settle(context, 'sale-1'), recordOf())
  assert.deepEqual(result?.status, { state: 'waiting', reason: 'unclear' })
  assert.equal(stale, 6)
})

test('a change of a sale that keeps changing fails', () => {
  const change = changeSale('sale-1', (loaded) => decideWebhook(loaded.record, loaded.now))
  assert.throws(() => run(change, recordOf()), TooManyConflicts)
})

for (const [what, flow, record, result] of [
  ['the end of a checkout', () => end(context, recordOf().sale), recordOf(), 'stale'],
  ['the reading of a payment', () => readPayment(context, 'sale-1', payment.id), sold, 'stale'],
  [
    'what the history says',
    () => recordFacts('sale-1', { transactionId: 'tx-1' }, context.createId),
    sold,
    undefined,
  ],
  ['a fresh look', () => readAgain(context, 'sale-1', question), asked, 'stale'],
] as [string, () => Flow<unknown>, SaleRecord, unknown][])
  test(`${what} is unknown while the record keeps changing`, () => {
    assert.deepEqual(run(flow(), record), { result, stale: 6 })
  })

test('the owner decides nothing about a record that could not be looked at anew', () => {
  assert.throws(
    () => run(createOrder(context, act, { details }), asked),
    refusalOf('review-changed'),
  )
})

test('what the owner decides about a record that keeps changing is refused', () => {
  const dismissed = { ...asked, questions: [{ ...question, state: 'dismissed' }] }
  const [closed = question] = dismissed.questions
  const undo = { ...act, version: versionOf(dismissed, closed) }
  // The fresh look is written in its first attempt.
  const afterLook = { firstStale: 2 }
  for (const [flow, record, options] of [
    [createOrder(context, act, { details }), asked, afterLook],
    [dismiss(context, act, 'a note'), asked, afterLook],
    [refund(context, act), asked, afterLook],
    [restore(undo), dismissed, {}],
  ] as [Flow<unknown>, SaleRecord, object][])
    assert.throws(() => run(flow, record, options), refusalOf('review-changed'))
})

test('a refund of an order that keeps changing is refused before SumUp is asked', () => {
  const wanted = { recordId: 'sale-1', orderId: 'order-1', version: orderVersionOf(sold), by: 'me' }
  const flow = () => refund(context, wanted)
  const calls: string[] = []
  assert.throws(() => run(flow(), sold, { firstStale: 2, calls }), refusalOf('refund-changed'))
  assert.deepEqual(calls, ['transaction'])
})

test('a refund that SumUp was asked for is unknown while its record keeps changing', () => {
  const wanted = { recordId: 'sale-1', orderId: 'order-1', version: orderVersionOf(sold), by: 'me' }
  const { result } = run(refund(context, wanted), sold, { firstStale: 3 })
  assert.deepEqual(result, { state: 'unknown', amount: '49.00', problem: null })
})
