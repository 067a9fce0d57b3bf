import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import {
  ago,
  caseOf,
  entryOf,
  inReview,
  now,
  paymentOf,
  refundOf,
  seen,
  states,
  transactionOf,
} from '#server/testing/cases.ts'
import type { Case } from './case.ts'
import type { Refund } from './payment.ts'
import { reconcile } from './reconcile.ts'
import { notAsked, type Reading } from './reading.ts'
import { addMs, endMarginMs, hour, minute } from './schedule.ts'

for (const [what, leftMs, state] of [
  ['long before its own end', 2 * minute, 'closed'],
  ['right before its own end', minute / 2, 'submitted'],
  ['right after its own end', -minute, 'submitted'],
  ['long after its own end', -2 * endMarginMs, 'closed'],
] as const) {
  test(`EXPIRED after DELETE, ${what}: ${state}`, () => {
    const kase = caseOf({ sale: { validUntil: addMs(now, leftMs) } })
    const { after } = reconcile(kase, kase, { ...seen('EXPIRED'), isEnding: true }, now)
    equal(after.sale?.state, state)
  })
}

/** Paid twice; the order's own payment went back. */
function paidTwice(refunds: Refund[]): Case {
  const second = paymentOf('tx-2')
  return caseOf({
    ...states.paid,
    payments: [paymentOf('tx-1', { refunded: '49.00' }), second],
    refunds,
    entries: [entryOf('paid-twice', { id: second.id, paymentId: second.id })],
  })
}

const entryStates = ({ entries }: Case) => entries.map(({ state }) => state)

test('an order moves to the payment that the shop still has', () => {
  const kase = paidTwice([])
  const { after, orderMovesTo } = reconcile(kase, kase, notAsked, now)
  equal(orderMovesTo?.transactionId, 'tx-2')
  deepEqual(entryStates(after), ['cleared'])
})

test('an order does not move to a payment while it is being refunded, and its entry stays', () => {
  const kase = paidTwice([refundOf(paymentOf('tx-2').id, 'unknown')])
  const { after, orderMovesTo } = reconcile(kase, kase, notAsked, now)
  equal(orderMovesTo, undefined)
  deepEqual(entryStates(after), ['open'])
})

test('an order whose payment SumUp does not have goes to review, and leaves it once SumUp shows it', () => {
  const kase = caseOf(states.paid)
  const read = (one: Reading['transactions'][number]) => ({ ...notAsked, transactions: [one] })
  const missing = read({ transactionId: 'tx-1', result: 'missing' })
  const { after } = reconcile(kase, kase, missing, now)
  deepEqual(
    after.entries.map(({ reason, state }) => [reason, state]),
    [['not-at-sumup', 'open']],
  )
  deepEqual(entryStates(reconcile(after, after, read(transactionOf('tx-1')), now).after), [
    'cleared',
  ])
})

test('the buyer of a sale that was in review is mailed that nothing was charged', () => {
  const kase = caseOf(inReview('stuck', { expiredSince: ago(hour) }))
  const { after, mails } = reconcile(kase, kase, seen('EXPIRED'), now)
  equal(after.sale?.state, 'closed')
  deepEqual(mails, ['not-charged'])
})
