import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  ago,
  attempt,
  recordOf,
  questionOf,
  inReview,
  missing,
  noDetails,
  now,
  otherAccount,
  paid,
  paymentOf,
  refundOf,
  seen,
  states,
  transactionOf,
  unreachable,
  type Parts,
} from '#server/testing/records.ts'
import type { SaleRecord, Refund, Sale, StatusWithoutOrder } from './record.ts'
import { notAsked, type Reading } from './observe.ts'
import { decideReading, reconcile } from './reconcile.ts'
import { addMs, day, endMarginMs, hour, minute, second } from './schedule.ts'

/** What every answer of SumUp means for a sale. */

const wordsFor = (status: StatusWithoutOrder) =>
  'reason' in status ? `${status.state}: ${status.reason}` : status.state

function decide(parts: Parts, reading: Reading) {
  return decideReading(recordOf(parts), reading, now, (id) => `our-${id}`)
}

/** What is left: the state, the status in words, and when the next look is, from now. */
function outcomeOf(parts: Parts, reading: Reading): [string | undefined, string, unknown] {
  const { after, status } = decide(parts, reading)
  const next = after.sale?.nextCheckAt && after.sale.nextCheckAt.getTime() - now.getTime()
  return [after.sale?.state, wordsFor(status), next]
}

const sale = (fields: Partial<Sale>): Parts => ({ sale: fields })
const pending = attempt('tx-1', 'PENDING')
const declined = attempt('tx-1', 'FAILED')
const atBank = (since: Date, fields: Partial<Sale> = {}): Parts => ({
  sale: fields,
  payments: [paymentOf('tx-1', { status: 'pending', foundAt: since })],
})
const knownFailed = (...ids: string[]) => ids.map((id) => paymentOf(id, { status: 'failed' }))
const fails = (...ids: string[]) => ids.map((id) => attempt(id, 'FAILED'))
const unreadable = { isReadable: false }

type Line = [
  what: string,
  parts: Parts,
  reading: Reading,
  state: string,
  status: string,
  next: number | null,
]

// prettier-ignore
const lines: Line[] = [
  // Paid
  ['paid in full, to us, for this sale', {}, paid(), 'paid', 'paid', null],
  ['paid after a declined card', {}, seen('PAID', [attempt('tx-0', 'FAILED'), attempt('tx-1')]), 'paid', 'paid', null],
  ['paid, with more that cannot be read', {}, paid(unreadable), 'paid', 'paid', null],
  ['paid late, after it was closed', states.closed, paid(), 'paid', 'paid', null],
  ['paid after it could not be read', inReview('unreadable'), paid(), 'paid', 'paid', null],
  ['paid after it was lost', inReview('lost-at-sumup'), paid(), 'paid', 'paid', null],
  ['paid after a week at the bank', inReview('stuck'), paid(), 'paid', 'paid', null],
  ['paid, and too many cards before', sale({ hasTooManyCards: true }), paid(), 'paid', 'paid', null],
  ['paid without details', sale(noDetails), paid(), 'review', 'review: no-details', null],
  ['paid on an open form', states.open, paid(), 'review', 'review: no-details', null],
  ['paid late without details', sale({ ...noDetails, state: 'closed', nextCheckAt: null }), paid(), 'review', 'review: no-details', null],
  ['paid twice', {}, seen('PAID', [attempt('tx-1'), attempt('tx-2')]), 'paid', 'paid', null],
  // Paid, and something does not fit
  ['paid and marked as refunded', {}, seen('PAID', [attempt('tx-1', 'REFUNDED')]), 'review', 'review: refunded', null],
  ['paid, and a refund among the events', {}, seen('PAID', [attempt('tx-1')], {}, [transactionOf('tx-1', { refunded: '49.00' })]), 'review', 'review: refunded', null],
  ['paid and charged back', {}, seen('PAID', [attempt('tx-1')], {}, [transactionOf('tx-1', { chargedBack: '49.00' })]), 'review', 'review: refunded', null],
  ['paid, and partly given back', {}, seen('PAID', [attempt('tx-1')], {}, [transactionOf('tx-1', { refunded: '9.00' })]), 'paid', 'paid', null],
  ['paid twice, the first given back', {}, seen('PAID', [attempt('tx-1'), attempt('tx-2')], {}, [transactionOf('tx-1', { refunded: '49.00' })]), 'paid', 'paid', null],
  ['paid a while ago, and not read yet', {}, seen('PAID', [attempt('tx-1', 'SUCCESSFUL', { madeAt: ago(2 * minute) })]), 'submitted', 'waiting: unclear', 5 * second],
  ['paid a while ago, and read', {}, seen('PAID', [attempt('tx-1', 'SUCCESSFUL', { madeAt: ago(2 * minute) })], {}, [transactionOf('tx-1')]), 'paid', 'paid', null],
  ['paid, and SumUp cannot show the payment', {}, seen('PAID', [attempt('tx-1')], {}, [{ transactionId: 'tx-1', result: 'unread' }]), 'submitted', 'waiting: unclear', 5 * second],
  ['paid, and SumUp could not show the payment for four minutes, looked at rarely', { sale: { checks: 50 }, payments: [paymentOf('tx-1', { unreadSince: ago(4 * minute) })] }, seen('PAID', [attempt('tx-1')], {}, [{ transactionId: 'tx-1', result: 'unread' }]), 'submitted', 'waiting: unclear', minute],
  ['paid, and SumUp could not show the payment for five minutes', { payments: [paymentOf('tx-1', { unreadSince: ago(5 * minute) })] }, seen('PAID', [attempt('tx-1')], {}, [{ transactionId: 'tx-1', result: 'unread' }]), 'review', 'review: unreadable', minute],
  ['paid, and the key may not read payments', {}, seen('PAID', [attempt('tx-1')], {}, [{ transactionId: 'tx-1', result: 'forbidden' }]), 'paid', 'paid', null],
  ['failed before, and successful now', { payments: knownFailed('tx-1') }, paid(), 'review', 'review: contradiction', minute],
  ['another amount', {}, paid({ amount: '1.00' }), 'review', 'review: mismatch', null],
  ['a payment of less', {}, seen('PAID', [attempt('tx-1', 'SUCCESSFUL', { amount: '48.99' })]), 'review', 'review: mismatch', null],
  ['another currency', {}, paid({ currency: 'HUF' }), 'review', 'review: mismatch', null],
  ['another reference', {}, paid({ reference: 'other' }), 'review', 'review: mismatch', null],
  ['another account', {}, paid({ merchantCode: 'THIEF' }), 'review', 'review: mismatch', null],
  ['another checkout', {}, paid({ id: 'checkout-2' }), 'review', 'review: mismatch', null],
  ['a payment of another sale', {}, { ...paid(), reusedIds: ['tx-1'] }, 'review', 'review: payment-reused', null],
  ['a payment of another sale, and one of its own', {}, { ...seen('PAID', [attempt('tx-1'), attempt('tx-2')]), reusedIds: ['tx-1'] }, 'paid', 'paid', null],
  ['a payment of another sale before, and one of its own now', inReview('payment-reused'), paid(), 'paid', 'paid', null],
  ['another amount, and all of it given back', {}, seen('PAID', [attempt('tx-1', 'REFUNDED', { amount: '1.00' })]), 'review', 'review: refunded', null],
  ['a mismatch stays with the owner', { ...inReview('mismatch'), payments: [paymentOf('tx-1')] }, paid(), 'review', 'review: mismatch', null],
  // At the bank
  ['PENDING at the bank', {}, seen('PENDING', [pending]), 'submitted', 'at-bank', 5 * second],
  ['EXPIRED at the bank', {}, seen('EXPIRED', [pending]), 'submitted', 'at-bank', 5 * second],
  ['FAILED at the bank', {}, seen('FAILED', [pending, attempt('tx-0', 'FAILED')]), 'submitted', 'at-bank', 5 * second],
  ['at the bank, and not shown this time', atBank(ago(minute)), seen('EXPIRED'), 'submitted', 'at-bank', 5 * second],
  ['at the bank without an id', {}, seen('PENDING', [attempt(undefined, 'PENDING')]), 'submitted', 'at-bank', 5 * second],
  ['at the bank without details', states.open, seen('PENDING', [pending]), 'submitted', 'at-bank', 5 * second],
  ['at the bank after it was closed', states.closed, seen('PENDING', [pending]), 'submitted', 'at-bank', 5 * second],
  ['at the bank for half an hour', atBank(ago(30 * minute), { checks: 30 }), seen('EXPIRED', [pending]), 'submitted', 'at-bank', minute],
  ['at the bank for two hours', atBank(ago(2 * hour), { checks: 90 }), seen('EXPIRED', [pending]), 'submitted', 'at-bank', 15 * minute],
  ['at the bank for a week', atBank(ago(7 * day)), seen('EXPIRED', [pending]), 'review', 'review: stuck', 6 * hour],
  ['still at the bank, in review', inReview('stuck'), seen('EXPIRED', [pending]), 'review', 'review: stuck', 6 * hour],
  ['at the bank after a contradiction', inReview('contradiction'), seen('PENDING', [pending]), 'submitted', 'at-bank', 5 * second],
  // Contradictions
  ['SUCCESSFUL under PENDING', {}, seen('PENDING', [attempt('tx-1')]), 'submitted', 'waiting: unclear', 5 * second],
  ['SUCCESSFUL under EXPIRED, closed', states.closed, seen('EXPIRED', [attempt('tx-1')]), 'submitted', 'waiting: unclear', 5 * second],
  ['SUCCESSFUL before, and not shown this time', { payments: [paymentOf('tx-1')] }, seen('PENDING'), 'submitted', 'waiting: unclear', 5 * second],
  ['PAID without a payment', {}, seen('PAID'), 'submitted', 'waiting: unclear', 5 * second],
  ['SUCCESSFUL under PENDING for 30 s', sale({ unclearSince: ago(30 * second) }), seen('PENDING', [attempt('tx-1')]), 'review', 'review: contradiction', minute],
  ['PAID without a payment for 30 s', sale({ unclearSince: ago(30 * second) }), seen('PAID'), 'review', 'review: contradiction', minute],
  // What cannot be read
  ['an unreadable list', {}, seen('PENDING', [], unreadable), 'submitted', 'waiting: unclear', 5 * second],
  ['PAID, without the amount', {}, paid({ amount: undefined }), 'submitted', 'waiting: unclear', 5 * second],
  ['PAID, without the payment’s id', {}, seen('PAID', [attempt(undefined)]), 'submitted', 'waiting: unclear', 5 * second],
  ['a status that nobody knows', {}, seen('ON_HOLD'), 'submitted', 'waiting: unclear', 5 * second],
  ['unreadable for 30 s', sale({ unclearSince: ago(30 * second) }), seen('PENDING', [], unreadable), 'review', 'review: unreadable', minute],
  ['readable again', inReview('unreadable', { unclearSince: ago(hour) }), seen('PENDING'), 'submitted', 'waiting: no-card', 5 * second],
  // Nothing paid
  ['no card yet', {}, seen('PENDING'), 'submitted', 'waiting: no-card', 5 * second],
  ['no card yet, looked at once', sale({ checks: 1 }), seen('PENDING'), 'submitted', 'waiting: no-card', 10 * second],
  ['no card for long', sale({ checks: 50 }), seen('PENDING'), 'submitted', 'waiting: no-card', 15 * minute],
  ['no card, no details', states.open, seen('PENDING'), 'open', 'open', null],
  ['no card after it was closed', states.closed, seen('PENDING'), 'closed', 'closed', null],
  ['the bank’s page was left', atBank(ago(minute)), seen('PENDING', [attempt('tx-1', 'CANCELLED')]), 'submitted', 'waiting: no-card', 5 * second],
  // Declined
  ['declined', {}, seen('FAILED', [declined]), 'submitted', 'declined', 5 * second],
  ['declined at the bank', atBank(ago(minute)), seen('FAILED', [declined]), 'submitted', 'declined', 5 * second],
  ['an earlier card was declined', { sale: { submits: 2 }, payments: knownFailed('tx-1') }, seen('FAILED', [declined]), 'submitted', 'waiting: no-card', 5 * second],
  ['this card was declined too', { sale: { submits: 2 }, payments: knownFailed('tx-1') }, seen('FAILED', fails('tx-1', 'tx-2')), 'submitted', 'declined', 5 * second],
  ['two cards, and one decline that is new', sale({ submits: 2 }), seen('FAILED', [declined]), 'submitted', 'waiting: no-card', 5 * second],
  ['FAILED without a payment', {}, seen('FAILED'), 'submitted', 'waiting: no-card', 5 * second],
  ['the fourth declined card', { sale: { submits: 4 }, payments: knownFailed('a', 'b', 'c') }, seen('FAILED', fails('a', 'b', 'c', 'd')), 'submitted', 'declined', 5 * second],
  ['the fifth declined card', { sale: { submits: 5 }, payments: knownFailed('a', 'b', 'c', 'd') }, seen('FAILED', fails('a', 'b', 'c', 'd', 'e')), 'submitted', 'too-many-cards', 5 * second],
  // Over
  ['EXPIRED', {}, seen('EXPIRED'), 'submitted', 'waiting: unclear', 30 * second],
  ['EXPIRED right after it was ended', {}, { ...seen('EXPIRED'), isEnding: true }, 'closed', 'closed', null],
  ['EXPIRED for 30 s', sale({ expiredSince: ago(30 * second) }), seen('EXPIRED'), 'submitted', 'closed', 30 * second],
  ['EXPIRED after a declined card', {}, seen('EXPIRED', [declined]), 'submitted', 'closed', 30 * second],
  ['EXPIRED, and only an earlier card declined', { sale: { submits: 2 }, payments: knownFailed('tx-0') }, seen('EXPIRED'), 'submitted', 'waiting: unclear', 30 * second],
  ['EXPIRED for 2 min', sale({ expiredSince: ago(2 * minute) }), seen('EXPIRED'), 'submitted', 'closed', 3 * minute],
  ['EXPIRED for 15 min', sale({ expiredSince: ago(15 * minute) }), seen('EXPIRED'), 'closed', 'closed', null],
  ['EXPIRED without details', states.open, seen('EXPIRED'), 'closed', 'closed', null],
  ['EXPIRED with too many cards', sale({ hasTooManyCards: true }), seen('EXPIRED'), 'closed', 'too-many-cards', null],
  // SumUp does not find it
  ['404 before it was opened', states.created, missing, 'closed', 'closed', null],
  ['404 without details', states.open, missing, 'closed', 'closed', null],
  ['404 for a submitted sale', {}, missing, 'submitted', 'waiting: unclear', 5 * second],
  ['404 for a sale that was paid', { payments: [paymentOf('tx-1')] }, missing, 'review', 'review: lost-at-sumup', 6 * hour],
  ['404 for a day after its time', sale({ validUntil: ago(day + 1) }), missing, 'review', 'review: lost-at-sumup', 6 * hour],
  ['404 in review for an hour', inReview('contradiction', noDetails), missing, 'review', 'review: contradiction', hour],
  ['404 after it was closed', states.closed, missing, 'closed', 'closed', null],
  // SumUp cannot be asked
  ['unreachable', sale({ nextCheckAt: ago(second) }), unreachable, 'submitted', 'waiting: unreachable', 10 * second],
  ['unreachable while at the bank', atBank(ago(minute), { nextCheckAt: addMs(now, minute) }), unreachable, 'submitted', 'at-bank', minute],
  ['unreachable for an hour', sale({ unreadSince: ago(hour), nextCheckAt: ago(second) }), unreachable, 'review', 'review: unreadable', minute],
  ['unreachable, open', states.open, unreachable, 'open', 'open', null],
  ['unreachable, closed', states.closed, unreachable, 'closed', 'closed', null],
  // Another account
  ['another account, submitted', {}, otherAccount, 'review', 'review: account-changed', 6 * hour],
  ['another account, and a webhook of the old one', sale({ state: 'closed' }), otherAccount, 'review', 'review: account-changed', 6 * hour],
  ['another account, open', states.open, otherAccount, 'closed', 'closed', null],
  ['another account, in review', inReview('no-details'), otherAccount, 'review', 'review: no-details', null],
  // Decided by the owner
  ['money after a dismissal without any', { sale: { state: 'dismissed' }, questions: [questionOf('stuck', { state: 'dismissed' })] }, paid(), 'review', 'review: paid-late', null],
  ['nothing new after a dismissal', states.dismissed, seen('PAID', [attempt('tx-0')]), 'dismissed', 'review: dismissed', null],
  ['nothing new after a refund', states.refunded, seen('PAID', [attempt('tx-0')]), 'refunded', 'review: refunded', null],
]

for (const [what, parts, reading, ...expected] of lines)
  test(`SumUp: ${what}`, () => assert.deepEqual(outcomeOf(parts, reading), expected))

test('the order is for the payment that was not refunded, and the owner decides about the others', () => {
  const both = seen('PAID', [attempt('tx-1'), attempt('tx-2')])
  const twice = decide({}, both)
  assert.equal(twice.order?.payment?.transactionId, 'tx-1')
  assert.deepEqual(
    twice.after.questions.map(({ id, reason, state }) => [id, reason, state]),
    [['our-tx-2', 'paid-twice', 'open']],
  )
  const returned = { ...both, transactions: [transactionOf('tx-1', { refunded: '49.00' })] }
  const once = decide({}, returned)
  assert.equal(once.order?.payment?.transactionId, 'tx-2')
  assert.deepEqual(once.after.questions, [])
})

test('an order whose payment was given back is paid by the other one', () => {
  const record: Parts = {
    ...states.paid,
    payments: [paymentOf('tx-1', { refunded: '49.00' }), paymentOf('tx-2')],
  }
  const { reassignOrderTo, after } = decide(
    record,
    seen('PAID', [attempt('tx-1'), attempt('tx-2')]),
  )
  assert.equal(reassignOrderTo?.transactionId, 'tx-2')
  assert.deepEqual(after.questions, [])
})

test('what went back of an order is told once, also what had gone back before there was one', () => {
  const reading = seen('PAID', [attempt('tx-1')], {}, [transactionOf('tx-1', { refunded: '9.00' })])
  assert.deepEqual(decide({}, reading).returned, [
    { event: 'refunded', amount: '9.00', by: 'shop' },
  ])
  const more = {
    ...reading,
    transactions: [transactionOf('tx-1', { refunded: '12.00', chargedBack: '10.00' })],
  }
  const known: Parts = { ...states.paid, payments: [paymentOf('tx-1', { refunded: '9.00' })] }
  assert.deepEqual(decide(known, more).returned, [
    { event: 'refunded', amount: '3.00', by: 'shop' },
    { event: 'charged-back', amount: '10.00', by: 'shop' },
  ])
})

test('each declined card is counted once', () => {
  const { newFailures } = decide(
    { payments: knownFailed('tx-1') },
    seen('FAILED', fails('tx-1', 'tx-2')),
  )
  assert.equal(newFailures, 1)
})

test('a sale whose review ends with nothing charged promises its buyer a mail', () => {
  const cleared: Parts = {
    sale: { expiredSince: ago(15 * minute) },
    questions: [questionOf('unreadable', { state: 'cleared' })],
  }
  assert.deepEqual(decide(cleared, seen('EXPIRED')).mails, ['not-charged'])
})

for (const [what, leftMs, state] of [
  ['long before its own end', 2 * minute, 'closed'],
  ['right before its own end', minute / 2, 'submitted'],
  ['right after its own end', -minute, 'submitted'],
  ['long after its own end', -2 * endMarginMs, 'closed'],
] as const) {
  test(`EXPIRED after DELETE, ${what}: ${state}`, () => {
    const record = recordOf({ sale: { validUntil: addMs(now, leftMs) } })
    const { after } = reconcile(record, record, { ...seen('EXPIRED'), isEnding: true }, now)
    assert.equal(after.sale?.state, state)
  })
}

/** Paid twice; the order's own payment went back. */
function paidTwice(refunds: Refund[]): SaleRecord {
  const second = paymentOf('tx-2')
  return recordOf({
    ...states.paid,
    payments: [paymentOf('tx-1', { refunded: '49.00' }), second],
    refunds,
    questions: [questionOf('paid-twice', { id: second.id, paymentId: second.id })],
  })
}

const questionStates = ({ questions }: SaleRecord) => questions.map(({ state }) => state)

test('an order moves to the payment that the shop still has', () => {
  const record = paidTwice([])
  const { after, reassignOrderTo } = reconcile(record, record, notAsked, now)
  assert.equal(reassignOrderTo?.transactionId, 'tx-2')
  assert.deepEqual(questionStates(after), ['cleared'])
})

test('an order does not move to a payment while it is being refunded, and its question stays', () => {
  const record = paidTwice([refundOf(paymentOf('tx-2').id, 'unknown')])
  const { after, reassignOrderTo } = reconcile(record, record, notAsked, now)
  assert.equal(reassignOrderTo, undefined)
  assert.deepEqual(questionStates(after), ['open'])
})

test('an order whose payment SumUp does not have goes to review, and leaves it once SumUp shows it', () => {
  const record = recordOf(states.paid)
  const read = (one: Reading['transactions'][number]) => ({ ...notAsked, transactions: [one] })
  const missing = read({ transactionId: 'tx-1', result: 'missing' })
  const { after } = reconcile(record, record, missing, now)
  assert.deepEqual(
    after.questions.map(({ reason, state }) => [reason, state]),
    [['not-at-sumup', 'open']],
  )
  assert.deepEqual(
    questionStates(reconcile(after, after, read(transactionOf('tx-1')), now).after),
    ['cleared'],
  )
})

test('the buyer of a sale that was in review is mailed that nothing was charged', () => {
  const record = recordOf(inReview('stuck', { expiredSince: ago(hour) }))
  const { after, mails } = reconcile(record, record, seen('EXPIRED'), now)
  assert.equal(after.sale?.state, 'closed')
  assert.deepEqual(mails, ['not-charged'])
})
