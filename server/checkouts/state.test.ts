import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  again,
  ago,
  answer,
  toPayment,
  atBank,
  events,
  failed,
  inReview,
  noDetails,
  now,
  otherDetails,
  paid,
  payment,
  rows,
  answerWith,
  seenAs,
  submitted,
  unreadable,
} from '#server/testing/checkout-rows.ts'
import {
  addMs,
  checkoutStates,
  day,
  hour,
  minute,
  second,
  type CheckoutEvent,
  type CheckoutRow,
  type StatusWithoutOrder,
} from './decision.ts'
import { decide } from './state.ts'

/** What is left after a decision: the state, the status in words, and when the next look is, from now. */
function outcomeOf(changes: Partial<CheckoutRow>, event: CheckoutEvent): [string, string, unknown] {
  const row = { ...submitted, ...changes }
  const decision = decide(row, event, now)
  const { state, nextCheckAt } = { ...row, ...decision.changes }
  const next = nextCheckAt && nextCheckAt.getTime() - now.getTime()
  return [state, wordsFor(decision.status), next]
}

const wordsFor = (status: StatusWithoutOrder) =>
  'reason' in status ? `${status.state}: ${status.reason}` : status.state

type Case = [
  what: string,
  row: Partial<CheckoutRow>,
  event: CheckoutEvent,
  state: string,
  status: string,
  next: number | null,
]

// prettier-ignore
const answers: Case[] = [
  // Paid
  ['paid in full, to us, for this sale', {}, paid(), 'paid', 'paid', null],
  ['paid after a declined card', {}, paid(failed), 'paid', 'paid', null],
  ['paid, with more that cannot be read', {}, paid(unreadable), 'paid', 'paid', null],
  ['paid late, after it was closed', rows.closed, paid(), 'paid', 'paid', null],
  ['paid after it could not be read', inReview('unreadable'), paid(), 'paid', 'paid', null],
  ['paid after it was lost', inReview('lost-at-sumup'), paid(), 'paid', 'paid', null],
  ['paid after a week at the bank', inReview('stuck'), paid(), 'paid', 'paid', null],
  ['paid, and too many cards before', { hasTooManyCards: true }, paid(), 'paid', 'paid', null],
  ['paid without details', noDetails, paid(), 'review', 'review: no-details', null],
  ['paid on an open form', rows.open, paid(), 'review', 'review: no-details', null],
  ['paid late without details', { ...rows.closed, ...noDetails }, paid(), 'review', 'review: no-details', null],
  ['paid twice', {}, paid({ paid: [payment, again] }), 'paid', 'paid', null],
  // Paid, and something does not fit
  ['paid and marked as refunded', {}, paid({ paid: [{ ...payment, status: 'REFUNDED' }] }), 'review', 'review: refunded', null],
  ['paid, and a refund among the events', {}, answer(seenAs('PAID', { paid: [payment] }), ['tx-1']), 'review', 'review: refunded', null],
  ['paid twice, the first given back', {}, answer(seenAs('PAID', { paid: [payment, again] }), ['tx-1']), 'paid', 'paid', null],
  ['paid twice, both given back', {}, answer(seenAs('PAID', { paid: [payment, again] }), ['tx-1', 'tx-2']), 'review', 'review: refunded', null],
  ['another amount', {}, paid({ amount: '1.00' }), 'review', 'review: mismatch', null],
  ['a payment of less', {}, paid({ paid: [{ ...payment, amount: '48.99' }] }), 'review', 'review: mismatch', null],
  ['another currency', {}, paid({ currency: 'HUF' }), 'review', 'review: mismatch', null],
  ['another reference', {}, paid({ reference: 'other' }), 'review', 'review: mismatch', null],
  ['another account', {}, paid({ merchantCode: 'THIEF' }), 'review', 'review: mismatch', null],
  ['another checkout', {}, paid({ id: 'checkout-2' }), 'review', 'review: mismatch', null],
  // At the bank
  ['PENDING at the bank', {}, answerWith('PENDING', atBank), 'submitted', 'at-bank', 5 * second],
  ['EXPIRED at the bank', {}, answerWith('EXPIRED', atBank), 'submitted', 'at-bank', 5 * second],
  ['FAILED at the bank', {}, answerWith('FAILED', { ...atBank, failedIds: ['tx-0'] }), 'submitted', 'at-bank', 5 * second],
  ['at the bank without details', rows.open, answerWith('PENDING', atBank), 'submitted', 'at-bank', 5 * second],
  ['at the bank after it was closed', rows.closed, answerWith('PENDING', atBank), 'submitted', 'at-bank', 5 * second],
  ['at the bank for half an hour', { atBankSince: ago(30 * minute), checks: 30 }, answerWith('EXPIRED', atBank), 'submitted', 'at-bank', minute],
  ['at the bank for two hours', { atBankSince: ago(2 * hour), checks: 90 }, answerWith('EXPIRED', atBank), 'submitted', 'at-bank', 15 * minute],
  ['at the bank for a week', { atBankSince: ago(7 * day + 1) }, answerWith('EXPIRED', atBank), 'review', 'review: stuck', 6 * hour],
  ['still at the bank, in review', inReview('stuck'), answerWith('EXPIRED', atBank), 'review', 'review: stuck', 6 * hour],
  ['at the bank after a contradiction', inReview('contradiction'), answerWith('PENDING', atBank), 'submitted', 'at-bank', 5 * second],
  // Contradictions
  ['SUCCESSFUL under PENDING', {}, answerWith('PENDING', { paid: [payment] }), 'submitted', 'waiting: unclear', 5 * second],
  ['SUCCESSFUL under PENDING, no details', rows.open, answerWith('PENDING', { paid: [payment] }), 'submitted', 'waiting: unclear', 5 * second],
  ['SUCCESSFUL under EXPIRED', {}, answerWith('EXPIRED', { paid: [payment] }), 'submitted', 'waiting: unclear', 5 * second],
  ['SUCCESSFUL under EXPIRED, closed', rows.closed, answerWith('EXPIRED', { paid: [payment] }), 'submitted', 'waiting: unclear', 5 * second],
  ['PAID without a payment', {}, answerWith('PAID'), 'submitted', 'waiting: unclear', 5 * second],
  ['SUCCESSFUL under PENDING for 30 s', { unclearSince: ago(30 * second) }, answerWith('PENDING', { paid: [payment] }), 'review', 'review: contradiction', minute],
  ['PAID without a payment for 30 s', { unclearSince: ago(30 * second) }, answerWith('PAID'), 'review', 'review: contradiction', minute],
  ['still contradictory, in review', inReview('contradiction'), answerWith('PAID'), 'review', 'review: contradiction', minute],
  // What cannot be read
  ['an unreadable list', {}, answerWith('PENDING', unreadable), 'submitted', 'waiting: unclear', 5 * second],
  ['an unreadable list under EXPIRED', {}, answerWith('EXPIRED', unreadable), 'submitted', 'waiting: unclear', 5 * second],
  ['PAID, without the amount', {}, paid({ amount: undefined }), 'submitted', 'waiting: unclear', 5 * second],
  ['PAID, without the payment’s id', {}, paid({ paid: [{ ...payment, id: undefined }] }), 'submitted', 'waiting: unclear', 5 * second],
  ['a status that nobody knows', {}, answerWith('ON_HOLD'), 'submitted', 'waiting: unclear', 5 * second],
  ['unreadable for 30 s', { unclearSince: ago(30 * second) }, answerWith('PENDING', unreadable), 'review', 'review: unreadable', minute],
  ['readable again', { ...inReview('unreadable'), unclearSince: ago(hour) }, answerWith('PENDING'), 'submitted', 'waiting: no-card', 5 * second],
  // Nothing paid
  ['no card yet', {}, answerWith('PENDING'), 'submitted', 'waiting: no-card', 5 * second],
  ['no card yet, looked at once', { checks: 1 }, answerWith('PENDING'), 'submitted', 'waiting: no-card', 10 * second],
  ['no card for long', { checks: 50 }, answerWith('PENDING'), 'submitted', 'waiting: no-card', 15 * minute],
  ['no card, no details', rows.open, answerWith('PENDING'), 'open', 'open', null],
  ['no card after it was closed', rows.closed, answerWith('PENDING'), 'closed', 'closed', null],
  ['the bank’s page was left', { atBankSince: ago(minute) }, answerWith('PENDING'), 'submitted', 'waiting: no-card', 5 * second],
  ['no card, and SumUp never ends it', { validUntil: ago(7 * day + 1) }, answerWith('PENDING'), 'submitted', 'waiting: no-card', 5 * second],
  // Declined
  ['declined', {}, answerWith('FAILED', failed), 'submitted', 'declined', 5 * second],
  ['declined at the bank', { atBankSince: ago(minute), seenIds: ['tx-1'] }, answerWith('FAILED', failed), 'submitted', 'declined', 5 * second],
  ['an earlier card was declined', { knownIds: ['tx-1'], failedIds: ['tx-1'] }, answerWith('FAILED', failed), 'submitted', 'waiting: no-card', 5 * second],
  ['this card was declined too', { knownIds: ['tx-1'] }, answerWith('FAILED', { failedIds: ['tx-1', 'tx-2'] }), 'submitted', 'declined', 5 * second],
  ['FAILED without a payment', {}, answerWith('FAILED'), 'submitted', 'waiting: no-card', 5 * second],
  ['the fourth declined card', { failedIds: ['a', 'b', 'c'], knownIds: ['a', 'b', 'c'] }, answerWith('FAILED', { failedIds: ['a', 'b', 'c', 'd'] }), 'submitted', 'declined', 5 * second],
  ['the fifth declined card', { failedIds: ['a', 'b', 'c', 'd'], knownIds: ['a', 'b', 'c', 'd'] }, answerWith('FAILED', { failedIds: ['a', 'b', 'c', 'd', 'e'] }), 'submitted', 'too-many-cards', 5 * second],
  ['too many cards', { hasTooManyCards: true }, answerWith('FAILED', failed), 'submitted', 'too-many-cards', 5 * second],
  // Over
  ['EXPIRED', {}, answerWith('EXPIRED'), 'submitted', 'waiting: unclear', 30 * second],
  ['EXPIRED for 30 s', { expiredSince: ago(30 * second) }, answerWith('EXPIRED'), 'submitted', 'closed', 30 * second],
  ['EXPIRED after a declined card', {}, answerWith('EXPIRED', failed), 'submitted', 'closed', 30 * second],
  ['EXPIRED, and only an earlier card declined', { detailsAt: ago(minute) }, answerWith('EXPIRED', { failed: [{ id: 'tx-0', madeAt: ago(hour) }], failedIds: ['tx-0'] }), 'submitted', 'waiting: unclear', 30 * second],
  ['EXPIRED for 2 min', { expiredSince: ago(2 * minute) }, answerWith('EXPIRED'), 'submitted', 'closed', 3 * minute],
  ['EXPIRED for 6 min', { expiredSince: ago(6 * minute) }, answerWith('EXPIRED'), 'submitted', 'closed', 9 * minute],
  ['EXPIRED for 15 min', { expiredSince: ago(15 * minute) }, answerWith('EXPIRED'), 'closed', 'closed', null],
  ['EXPIRED after the bank said no', { atBankSince: ago(hour) }, answerWith('EXPIRED', failed), 'submitted', 'closed', 30 * second],
  ['EXPIRED without details', rows.open, answerWith('EXPIRED'), 'closed', 'closed', null],
  ['EXPIRED after it was closed', rows.closed, answerWith('EXPIRED'), 'closed', 'closed', null],
  ['EXPIRED with too many cards', { hasTooManyCards: true }, answerWith('EXPIRED'), 'closed', 'too-many-cards', null],
  // SumUp does not find it
  ['404 before it was opened', rows.created, answer(undefined), 'closed', 'closed', null],
  ['404 without details', rows.open, answer(undefined), 'closed', 'closed', null],
  ['404 for a submitted row', {}, answer(undefined), 'submitted', 'waiting: unclear', 5 * second],
  ['404 for a card without details', { ...noDetails, atBankSince: ago(minute) }, answer(undefined), 'submitted', 'waiting: unclear', 5 * second],
  ['404 for a day after its time', { validUntil: ago(day + 1) }, answer(undefined), 'review', 'review: lost-at-sumup', 6 * hour],
  ['404 in review', { ...inReview('contradiction'), ...noDetails }, answer(undefined), 'review', 'review: contradiction', minute],
  ['404 after it was closed', rows.closed, answer(undefined), 'closed', 'closed', null],
  // SumUp cannot be asked
  ['unreachable', { nextCheckAt: ago(second) }, { type: 'unreachable', why: 'timeout' }, 'submitted', 'waiting: unreachable', 10 * second],
  ['unreachable while at the bank', { atBankSince: ago(minute), nextCheckAt: addMs(now, minute) }, { type: 'unreachable', why: '401' }, 'submitted', 'at-bank', minute],
  ['unreachable, open', rows.open, { type: 'unreachable', why: '503' }, 'open', 'open', null],
  ['unreachable, closed', rows.closed, { type: 'unreachable', why: '503' }, 'closed', 'closed', null],
]

for (const [what, row, event, ...expected] of answers)
  test(`SumUp: ${what}`, () => assert.deepEqual(outcomeOf(row, event), expected))

/** What each of the other events makes of a sale in each state, in the order of `checkoutStates`; a dash: it stays. */
// prettier-ignore
const matrix: Record<string, string> = {
  //                  created   open      submitted paid  review    closed  refunded dismissed
  opened:            'open      -         -         -     -         -       -        -',
  details:           '-         submitted -         -     -         -       -        -',
  webhook:           '-         -         -         -     -         -       -        -',
  'account changed': 'closed    closed    review    -     -         -       -        -',
  ended:             'closed    closed    closed    -     -         -       -        -',
  'too many cards':  '-         -         -         -     -         -       -        -',
  'payment reused':  'review    review    review    -     -         review  -        -',
  'order made':      '-         -         -         -     paid      -       -        -',
  'refund made':     '-         -         -         -     refunded  -       -        -',
  dismissed:         '-         -         -         -     dismissed -       -        -',
  restored:          '-         -         -         -     -         -       -        review',
}

for (const [what, line] of Object.entries(matrix))
  test(`${what}: moves a sale to the right state from each`, () => {
    const ends = line.split(/ +/)
    const found = checkoutStates.map((state) => {
      const [end] = outcomeOf(rows[state], eventNamed(what))
      return end === state ? '-' : end
    })
    assert.deepEqual(found, ends)
  })

function eventNamed(name: string): CheckoutEvent {
  const event = events[name]
  if (!event) throw new Error(`no event ${name}`)
  return event
}

test('a closed sale whose checkout SumUp knows opens again', () =>
  assert.equal(outcomeOf({ ...rows.created, state: 'closed' }, eventNamed('opened'))[0], 'open'))

test('a webhook makes a sale due at once unless a check cannot change it', () => {
  const due = (row: Partial<CheckoutRow>) => outcomeOf(row, { type: 'webhook' })[2]
  for (const state of ['open', 'submitted', 'closed', 'review'] as const)
    assert.equal(due(rows[state]), 0, state)
  for (const state of ['paid', 'refunded', 'dismissed'] as const)
    assert.equal(due(rows[state]), null, state)
  assert.equal(due(inReview('no-details')), null)
})

test('a dismissed sale is checked again only if no payment was known, and money then returns it to review', () => {
  const dismissed = { ...inReview('stuck'), state: 'dismissed', nextCheckAt: null } as const
  assert.equal(outcomeOf(dismissed, { type: 'webhook' })[2], 0)
  assert.deepEqual(outcomeOf(dismissed, answerWith('EXPIRED')), [
    'dismissed',
    'review: stuck',
    null,
  ])
  assert.deepEqual(outcomeOf(dismissed, paid()), ['review', 'review: paid-late', null])
  assert.equal(
    decide({ ...submitted, ...dismissed }, paid(), now).changes.sumupTransactionId,
    'tx-1',
  )
})

test('a sale of another account is not checked forever', () => {
  const changed = eventNamed('account changed')
  assert.deepEqual(outcomeOf({}, changed), ['review', 'review: account-changed', 6 * hour])
  const told = { ...rows.closed, nextCheckAt: now }
  assert.deepEqual(outcomeOf(told, changed), ['review', 'review: account-changed', 6 * hour])
  assert.equal(outcomeOf({ ...told, ...noDetails }, changed)[2], null)
  assert.equal(outcomeOf({ ...inReview('no-details'), nextCheckAt: now }, changed)[2], null)
})

test('details cannot change while a card is under way', () => {
  const keeps = (row: Partial<CheckoutRow>, formId: string) => {
    const event = { type: 'details', details: otherDetails, formId } as const
    return decide({ ...submitted, ...row }, event, now).changes.details !== undefined
  }
  assert.ok(keeps({}, 'tab-1'), 'the same form may correct itself')
  assert.ok(!keeps({}, 'tab-2'), 'another tab may not')
  assert.ok(!keeps({ atBankSince: now }, 'tab-1'), 'nobody may while it is at the bank')
  assert.ok(keeps({ detailsAt: ago(2 * minute) }, 'tab-2'), 'a form that was left does not block')
  assert.ok(keeps({ failedIds: ['tx-1'] }, 'tab-2'), 'a declined card does not block')
  assert.ok(keeps({ ...inReview('no-details'), ...noDetails }, 'tab-2'), 'missing ones are taken')
  assert.ok(!keeps(inReview('mismatch'), 'tab-1'), 'a person decides about what was sold')
})

test('the order is for the payment that was not refunded, the others go to review', () => {
  const seen = seenAs('PAID', { paid: [payment, again] })
  const both = decide(submitted, answer(seen), now)
  assert.deepEqual([both.orderFor, both.extraPayments], [toPayment(payment), [toPayment(again)]])
  const one = decide(submitted, answer(seen, ['tx-1']), now)
  assert.deepEqual([one.orderFor, one.extraPayments], [toPayment(again), []])
  assert.equal(one.changes.sumupTransactionId, 'tx-2')
  const unsent = decide({ ...submitted, ...noDetails }, answer(seen), now)
  assert.deepEqual([unsent.orderFor, unsent.extraPayments], [undefined, [toPayment(again)]])
})

test('a review entry shows what was actually paid, and takes no payment of another sale', () => {
  const { changes } = decide(submitted, paid({ paid: [{ ...payment, amount: '1.00' }] }), now)
  assert.deepEqual([changes.paidAmount, changes.sumupTransactionId], ['1.00', 'tx-1'])
  const reused = decide(submitted, eventNamed('payment reused'), now).changes
  assert.deepEqual(
    [reused.sumupTransactionId, reused.sumupTransactionCode],
    [undefined, payment.code],
  )
})

test('each declined card is counted once', () => {
  const row = { ...submitted, failedIds: ['tx-1'] }
  const { newFailures, changes } = decide(
    row,
    answerWith('FAILED', { failedIds: ['tx-1', 'tx-2'] }),
    now,
  )
  assert.deepEqual([newFailures, changes.failedIds], [1, ['tx-1', 'tx-2']])
  assert.equal(decide({ ...row, ...changes }, answerWith('FAILED', failed), now).newFailures, 0)
})

test('a declined card is not taken for the next one after an answer that did not show it', () => {
  const card = { id: 'tx-1', madeAt: now }
  const declined = answerWith('FAILED', { failedIds: ['tx-1'], failed: [card] })
  let row: CheckoutRow = submitted
  for (const event of [declined, answerWith('PENDING', unreadable), eventNamed('details')])
    row = { ...row, ...decide(row, event, now).changes }
  assert.equal(decide(row, declined, now).status.state, 'waiting')
})

test('too many cards end the checkout at SumUp, which is retried until it succeeds', () => {
  assert.ok(decide(submitted, eventNamed('too many cards'), now).endAtSumup)
  assert.ok(
    decide({ ...submitted, hasTooManyCards: true }, answerWith('FAILED', failed), now).endAtSumup,
  )
})

test('an order created by the owner has the paid amount and its creator', () => {
  const row = { ...submitted, ...inReview('mismatch'), sumupTransactionId: 'tx-1' }
  const { orderFor, changes } = decide(
    { ...row, paidAmount: '1.00', paidCurrency: 'EUR' },
    eventNamed('order made'),
    now,
  )
  assert.deepEqual([orderFor?.id, orderFor?.amount, changes.handledBy], ['tx-1', '1.00', 'owner-1'])
})
