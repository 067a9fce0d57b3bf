import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  ago,
  attempt,
  recordOf,
  questionOf,
  missing,
  now,
  paymentOf,
  seen,
  transactionOf,
  unreachable,
} from '#server/testing/records.ts'
import type { SaleRecord, RecordWithSale } from './record.ts'
import { readPayment, type Context } from './flow.ts'
import { notAsked } from './observe.ts'
import { decideDismissal } from './owner.ts'
import { decideReading, reconcile } from './reconcile.ts'
import { addMs, day, hour, maxPauseMs, minute, second } from './schedule.ts'

/** Every wait ends, and ends in front of the owner. */

const createId = (id: string) => `our-${id}`
const decide = (record: SaleRecord, reading: Parameters<typeof decideReading>[1], at = now) =>
  decideReading(record, reading, at, createId).after
const shown = ({ questions }: SaleRecord) =>
  questions.map(({ id, reason, state }) => `${id} ${reason} ${state}`)
const pauseMs = ({ sale }: SaleRecord, at: Date) =>
  sale?.nextCheckAt ? sale.nextCheckAt.getTime() - at.getTime() : null

/** An order that the owner made without a payment. */
const madeByHand = (reason: 'unreadable' | 'not-at-sumup', fields: Partial<RecordWithSale> = {}) =>
  recordOf({
    sale: { state: 'paid', nextCheckAt: now },
    questions: [questionOf(reason, { state: 'ordered' })],
    order: { id: 'order-1', transactionId: null },
    ...fields,
  })
const pendingFor = (ms: number) =>
  paymentOf('tx-b', { status: 'pending', foundAt: ago(ms), madeAt: ago(ms) })

test('a card at the bank that SumUp shows without an id is shown to the owner after a week', () => {
  const card = { ...attempt('x', 'PENDING'), id: undefined }
  const record = recordOf({ sale: { startedAt: ago(6 * day) } })
  const reading = seen('PENDING', [card])
  assert.deepEqual(shown(decide(record, reading)), [])
  assert.deepEqual(shown(decide(record, reading, addMs(now, 2 * day))), ['sale-1 stuck open'])
})

test('a card at the bank beside an order made by hand is not asked about again once dismissed', () => {
  const record = madeByHand('unreadable', { payments: [pendingFor(8 * day)] })
  const reading = seen('PENDING', [attempt('tx-b', 'PENDING')])
  const asked = decide(record, reading)
  assert.deepEqual(shown(asked), ['sale-1 stuck open'])
  const [question] = asked.questions
  assert.ok(question)
  const later = addMs(now, hour)
  const dismissed = decideDismissal(asked, question, 'x', 'me', later).after
  assert.deepEqual(shown(decide(dismissed, reading, addMs(now, day))), ['sale-1 stuck dismissed'])
  const paid = { ...notAsked, transactions: [transactionOf('tx-b')] }
  assert.equal(decideReading(dismissed, paid, later, createId).reassignOrderTo?.id, 'our-tx-b')
})

test('a card at the bank whose checkout SumUp does not find is shown to the owner too', () => {
  const record = madeByHand('not-at-sumup', { payments: [pendingFor(8 * day)] })
  assert.deepEqual(shown(decide(record, missing)), ['sale-1 stuck open'])
})

test('what SumUp cannot be asked about is looked at every minute, however long it lasts', () => {
  const questions = [questionOf('unreadable', { openedAt: ago(day), paymentId: 'our-tx-1' })]
  const known = { payments: [paymentOf('tx-1', { unreadSince: ago(day) })], questions }
  const record = recordOf({ sale: { state: 'review', unreadSince: ago(day) }, ...known })
  assert.equal(pauseMs(decide(record, unreachable), now), minute)
})

test('a contradiction that has just begun is looked at soon, however old the question is', () => {
  const questions = [questionOf('stuck', { openedAt: ago(3 * day) })]
  const record = recordOf({ sale: { state: 'review' }, questions })
  const after = decide(record, seen('PENDING', [attempt('tx-1')]))
  assert.match(shown(after).join(), /sale-1 contradiction open/)
  assert.equal(pauseMs(after, now), minute)
})

test('a payment without a sale that succeeds late is a new question, which is mailed', () => {
  const pending = { ...pendingFor(8 * day), saleId: null }
  const alone: SaleRecord = { ...recordOf(), sale: undefined, payments: [pending] }
  const asked = reconcile(alone, alone, notAsked, ago(hour)).after
  const paid = { ...asked, payments: [{ ...pending, status: 'successful' }] }
  assert.deepEqual(reconcile(asked, paid, notAsked, now).after.questions[0]?.openedAt, now)
})

test('the only payment of an order made by hand is no second payment, though its bank was slow', () => {
  const stuck = questionOf('stuck', { id: 'our-tx-b', paymentId: 'our-tx-b', state: 'dismissed' })
  const same = madeByHand('not-at-sumup', {
    questions: [questionOf('not-at-sumup', { state: 'dismissed' }), stuck],
    payments: [pendingFor(8 * day)],
  })
  const read = (amount: string) =>
    decideReading(
      same,
      { ...notAsked, transactions: [transactionOf('tx-b', { amount })] },
      now,
      createId,
    )
  assert.equal(read('49.00').reassignOrderTo?.id, 'our-tx-b')
  assert.doesNotMatch(shown(read('49.00').after).join(), /paid-twice/)
  assert.match(shown(read('40.00').after).join(), /our-tx-b mismatch open/)
})

test('a card that the history shows at the bank makes its closed sale due', () => {
  const record = recordOf({ sale: { state: 'closed', nextCheckAt: null } })
  const found = { ...record, payments: [pendingFor(minute)] }
  assert.deepEqual(reconcile(record, found, notAsked, now).after.sale?.nextCheckAt, now)
})

test('a card found after the owner was told of another one is told of by itself', () => {
  const questions = [questionOf('stuck', { state: 'dismissed', handledAt: ago(9 * day) })]
  const sale = { state: 'dismissed', nextCheckAt: null }
  const record = recordOf({ sale, questions, payments: [pendingFor(8 * day)] })
  assert.deepEqual(shown(reconcile(record, record, notAsked, now).after), [
    'sale-1 stuck dismissed',
    'our-tx-b stuck open',
  ])
})

test('what is announced about a decided sale is looked at again while SumUp cannot be asked', () => {
  const questions = [questionOf('lost-at-sumup', { state: 'dismissed' })]
  const record = recordOf({ sale: { state: 'dismissed', nextCheckAt: ago(second) }, questions })
  const waiting = decide(record, unreachable)
  assert.equal(pauseMs(waiting, now), maxPauseMs)
  assert.equal(decide(waiting, unreachable, addMs(now, 2 * day)).sale?.nextCheckAt, null)
})

test('a closed sale with details that cannot be read for an hour is shown to the owner', () => {
  const sale = { state: 'closed', nextCheckAt: ago(second) }
  const record = recordOf({ sale: { ...sale, unreadSince: ago(hour) } })
  assert.deepEqual(shown(decide(record, unreachable)), ['sale-1 unreadable open'])
})

test('a card at the bank of an account that the shop no longer uses is shown to the owner too', () => {
  const pending = { ...pendingFor(8 * day), saleId: null }
  const alone: SaleRecord = { ...recordOf(), sale: undefined, payments: [pending] }
  const context: Context = { isOwn: () => false, createId }
  const flow = readPayment(context, pending.id, pending.id)
  flow.next()
  const { value: step } = flow.next({ record: alone, now } as never)
  assert.ok(typeof step === 'object' && 'type' in step && step.type === 'write', 'nobody is asked')
  assert.deepEqual(shown(step.decision.after), ['our-tx-b stuck open'])
})
