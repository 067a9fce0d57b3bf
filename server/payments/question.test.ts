import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  ago,
  attempt,
  recordOf,
  questionOf,
  noDetails,
  now,
  paymentOf,
  refundOf,
  seen,
  transactionOf,
} from '#server/testing/records.ts'
import type { SaleRecord } from './record.ts'
import { notAsked } from './observe.ts'
import { decideDismissal, decideOrder, decideRefundAnswer } from './owner.ts'
import { whyNoRefund } from './question.ts'
import { decideReading, reconcile } from './reconcile.ts'
import { addMs, day, hour, minute } from './schedule.ts'

/** Every payment that the shop has kept is an order's, or the owner is asked about it. */

const createId = (id: string) => `our-${id}`
const decide = (record: SaleRecord, reading: ReturnType<typeof seen>) =>
  decideReading(record, reading, now, createId)
const openPayments = ({ questions }: SaleRecord) =>
  questions
    .flatMap(({ state, paymentId }) => (state === 'open' ? [paymentId ?? ''] : []))
    .toSorted()

test('a paid sale whose transaction SumUp does not find is shown to the owner', () => {
  const old = attempt('tx-1', 'SUCCESSFUL', { madeAt: ago(5 * minute) })
  const reading = seen('PAID', [old], {}, [{ transactionId: 'tx-1', result: 'missing' }])
  let record: SaleRecord = recordOf()
  for (let passedMs = 0; passedMs < day; passedMs += 15 * minute)
    record = decideReading(record, reading, addMs(now, passedMs), createId).after
  assert.equal(record.sale?.state, 'review')
})

test('of two payments found at once, the one with the order is not offered for refund', () => {
  const both = seen('PAID', [attempt('tx-b'), attempt('tx-a')])
  const open = recordOf({ sale: { ...noDetails, state: 'open' } })
  const { sale, ...found } = decide(open, both).after
  const complete = { ...sale, ...recordOf().sale, state: 'submitted' }
  // In the order in which they are read from the database.
  const payments = found.payments.toReversed()
  // The details that came have ended the question about them.
  const questions = found.questions.filter(({ reason }) => reason !== 'no-details')
  const { after, order } = decide({ ...found, payments, questions, sale: complete }, both)
  assert.ok(order?.payment)
  assert.ok(!openPayments(after).includes(order.payment.id))
  assert.equal(openPayments(after).length, 1)
})

test('a second payment that the history shows while the first is in review is not lost when that is refunded', () => {
  const first = paymentOf('tx-a', { readAt: now })
  const record = recordOf({
    sale: { ...noDetails, state: 'review', nextCheckAt: null },
    payments: [first],
    questions: [questionOf('no-details', { paymentId: first.id })],
  })
  const both = { ...record, payments: [first, paymentOf('tx-b')] }
  const { after: found } = reconcile(record, both, notAsked, now)
  assert.deepEqual(openPayments(found), ['our-tx-a', 'our-tx-b'])
  const returned = {
    ...found,
    refunds: [refundOf(first.id, 'asked')],
    payments: [{ ...first, refunded: '49.00' }, paymentOf('tx-b')],
  }
  const answer = { type: 'accepted' } as const
  const { after } = decideRefundAnswer(returned, 'refund-1', answer, true, now)
  assert.deepEqual(openPayments(after), ['our-tx-b'])
})

test('a second payment is shown whatever the first is in review for, and whatever is decided about it', () => {
  const first = paymentOf('tx-a', { amount: '40.00', readAt: now })
  const question = questionOf('mismatch', { paymentId: first.id })
  const alone = recordOf({ sale: { state: 'review' }, payments: [first], questions: [question] })
  const reading = seen('PAID', [
    attempt('tx-a', 'SUCCESSFUL', { amount: '40.00' }),
    attempt('tx-b'),
  ])
  assert.deepEqual(openPayments(decide(alone, reading).after), ['our-tx-a', 'our-tx-b'])
  const both = { ...alone, payments: [first, paymentOf('tx-b')] }
  const ordered = decideOrder(both, question, { details: both.sale.details ?? never() }, 'me', now)
  assert.deepEqual(openPayments(ordered.after), ['our-tx-b'])
  const dismissed = decideDismissal(both, question, 'x', 'me', now)
  assert.deepEqual(openPayments(dismissed.after), ['our-tx-b'])
})

test('two late payments on a dismissed sale are both shown', () => {
  const question = questionOf('lost-at-sumup', { state: 'dismissed' })
  const record = recordOf({ sale: { state: 'dismissed' }, questions: [question] })
  const { after } = decide(record, seen('PAID', [attempt('tx-a'), attempt('tx-b')]))
  assert.deepEqual(openPayments(after), ['our-tx-a', 'our-tx-b'])
})

test('a card that is still at the bank when the order is made is followed by itself', () => {
  const reading = seen('PAID', [attempt('tx-a'), attempt('tx-b', 'PENDING')])
  const { after, order } = decide(recordOf(), reading)
  assert.equal(order?.payment?.transactionId, 'tx-a')
  const nextReads = after.payments.map(({ nextReadAt }) => nextReadAt !== null)
  assert.deepEqual(nextReads, [false, true])
  const atBank = decide(recordOf(), seen('PENDING', [attempt('tx-b', 'PENDING')])).after
  assert.equal(atBank.payments[0]?.nextReadAt, null, 'its sale is asked about')
})

test('a second card that its bank never answers about is shown to the owner after a week', () => {
  const order = { id: 'order-1', transactionId: 'tx-a' }
  const found = { status: 'pending', foundAt: now, madeAt: now }
  const record = recordOf({
    sale: { state: 'paid', nextCheckAt: null },
    payments: [paymentOf('tx-a', { readAt: now }), paymentOf('tx-b', found)],
    order,
  })
  const read = (known: SaleRecord, days: number, status: string) => {
    const reading = { ...notAsked, transactions: [transactionOf('tx-b', { status })] }
    return decideReading(known, reading, addMs(now, days * day), createId).after
  }
  const reasons = ({ questions }: SaleRecord) =>
    questions.map(({ id, reason, state }) => `${id} ${reason} ${state}`)
  assert.deepEqual(reasons(read(record, 6, 'PENDING')), [])
  const asked = read(record, 8, 'PENDING')
  assert.deepEqual(reasons(asked), ['our-tx-b stuck open'])
  assert.deepEqual(reasons(read(asked, 9, 'FAILED')), ['our-tx-b stuck cleared'])
  assert.deepEqual(reasons(read(asked, 9, 'SUCCESSFUL')), ['our-tx-b paid-twice open'])

  const nextRead = ({ payments }: SaleRecord) =>
    payments.find(({ id }) => id === 'our-tx-b')?.nextReadAt
  assert.ok(nextRead(read(asked, 40, 'PENDING')), 'the owner still waits')
  const [question] = asked.questions
  assert.ok(question)
  const dismissed = decideDismissal(asked, question, 'x', 'me', addMs(now, 10 * day)).after
  assert.ok(nextRead(read(dismissed, 20, 'PENDING')))
  assert.equal(nextRead(read(dismissed, 40, 'PENDING')), null)
  assert.deepEqual(reasons(read(dismissed, 20, 'SUCCESSFUL')), ['our-tx-b paid-twice open'])
})

test('a payment without a sale that was with its bank for weeks is shown anew once it succeeds', () => {
  const pending = paymentOf('tx-b', { status: 'pending', foundAt: ago(8 * day), saleId: null })
  const alone: SaleRecord = { ...recordOf(), sale: undefined, payments: [pending] }
  const asked = reconcile(alone, alone, notAsked, now).after
  assert.equal(asked.questions[0]?.reason, 'stuck')
  const paid = { ...asked, payments: [{ ...pending, status: 'successful' }] }
  const { reason, state } = reconcile(asked, paid, notAsked, now).after.questions[0] ?? never()
  assert.deepEqual([reason, state], ['no-sale', 'open'])
})

test('SumUp is asked about contradicting answers every minute for an hour, then every hour', () => {
  const record = recordOf({
    sale: { state: 'review', unclearSince: now },
    questions: [questionOf('contradiction', { openedAt: now })],
  })
  const nextCheckMs = (passedMs: number) => {
    const at = addMs(now, passedMs)
    const { sale } = decideReading(record, seen('PAID', []), at, createId).after
    return (sale?.nextCheckAt?.getTime() ?? 0) - at.getTime()
  }
  assert.equal(nextCheckMs(30 * minute), minute)
  assert.equal(nextCheckMs(2 * hour), hour)
})

test('a payment that only the history shows makes its sale due', () => {
  const record = recordOf({ sale: { state: 'closed', nextCheckAt: null } })
  const { after } = reconcile(record, { ...record, payments: [paymentOf('tx-a')] }, notAsked, now)
  assert.deepEqual(after.sale?.nextCheckAt, now)
})

test('an open question takes the payment that is found later', () => {
  const record = recordOf({ sale: { state: 'review' }, questions: [questionOf('unreadable')] })
  const { after } = reconcile(record, { ...record, payments: [paymentOf('tx-a')] }, notAsked, now)
  assert.deepEqual(openPayments(after), ['our-tx-a'])
})

test('no order is made of a payment that is being refunded', () => {
  const [a, b] = [paymentOf('tx-a', { readAt: now }), paymentOf('tx-b', { readAt: now })]
  const record = recordOf({
    sale: { state: 'review' },
    payments: [a, b],
    refunds: [refundOf(a.id, 'unknown')],
    questions: [
      questionOf('contradiction', { paymentId: b.id }),
      questionOf('paid-twice', { id: a.id, paymentId: a.id }),
    ],
  })
  const transactions = [transactionOf('tx-a'), transactionOf('tx-b')]
  const { order } = decide(
    record,
    seen('PAID', [attempt('tx-a'), attempt('tx-b')], {}, transactions),
  )
  assert.equal(order?.payment?.id, b.id)
})

test('a question that is left over beside an order ends, and the order’s payment is not refunded from it', () => {
  const paid = paymentOf('tx-a', { readAt: now })
  const question = questionOf('unreadable', { paymentId: paid.id })
  const order = { id: 'order-1', transactionId: 'tx-a' }
  const record = recordOf({
    sale: { state: 'paid' },
    payments: [paid],
    questions: [question],
    order,
  })
  assert.equal(whyNoRefund(record, question, now), 'refund-impossible')
  const reading = { ...notAsked, transactions: [transactionOf('tx-a')] }
  assert.deepEqual(openPayments(decide(record, reading).after), [])
})

test('a decline without an id does not count at every look', () => {
  const { newFailures } = decide(recordOf(), seen('FAILED', [attempt(undefined, 'FAILED')]))
  assert.equal(newFailures, 0)
})

function never(): never {
  throw new Error('the sale has no details')
}
