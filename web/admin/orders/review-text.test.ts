import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ReviewEntry, reviewReasons, reviewStates } from '#contract/checkouts.ts'
import {
  describeMoney,
  describeNext,
  describeReason,
  formatOutcome,
  formatRefundable,
  formatSubject,
  formatTotal,
  isMoneyKnown,
  reasonTexts,
} from './review-text.ts'

function createEntry(given: Partial<ReviewEntry> = {}): ReviewEntry {
  return {
    id: 'e1',
    version: 'v1',
    state: 'open',
    reason: 'no-details',
    product: { id: 'p1', name: 'Mug' },
    amount: '49.00',
    currency: 'EUR',
    paid: null,
    refundedAmount: '0.00',
    chargedBackAmount: '0.00',
    refund: null,
    conflict: null,
    transactionCode: 'T1',
    paymentMethod: null,
    isTest: false,
    details: null,
    createdAt: '2026-11-17T08:00:00Z',
    isPaid: false,
    canOrder: false,
    canRefund: false,
    canDismiss: true,
    orderId: null,
    note: null,
    handledAt: null,
    handledBy: null,
    ...given,
  }
}

const openRefund = { amount: '49.00', askedAt: '2026-11-17T08:04:00Z' }
const yesOrNo = [false, true]

test('a reason says that it is not known whether money was taken exactly when it is not', () => {
  const unknown = reviewReasons.filter((reason) => !reasonTexts[reason].isMoneyKnown)
  assert.deepEqual(unknown, [
    'payment-reused',
    'stuck',
    'contradiction',
    'unreadable',
    'lost-at-sumup',
    'account-changed',
    'not-at-sumup',
  ])
  for (const reason of reviewReasons) {
    const text = describeReason(createEntry({ reason }))
    const isKnown = reasonTexts[reason].isMoneyKnown
    assert.equal(/is not known whether money was taken/.test(text), !isKnown, reason)
    if (!isKnown) assert.doesNotMatch(text, /\bpaid\b|\bcharged\b|\bconfirmed\b/, reason)
  }
})

test('a payment that SumUp has confirmed is not said to be in doubt', () => {
  for (const reason of ['unreadable', 'contradiction', 'lost-at-sumup'] as const) {
    const entry = createEntry({ reason, isPaid: true })
    assert.ok(isMoneyKnown(entry), reason)
    assert.match(describeReason(entry), /SumUp has confirmed a payment\.$/, reason)
    assert.doesNotMatch(describeReason(entry), /not known/, reason)
  }
})

test('a review entry promises an order or a refund only where it has the button', () => {
  for (const reason of reviewReasons)
    for (const canOrder of yesOrNo)
      for (const canRefund of yesOrNo) {
        const entry = createEntry({ reason, canOrder, canRefund })
        const text = describeNext(entry)
        if (!canOrder) assert.doesNotMatch(text, /create the order/i, reason)
        if (!canRefund) assert.doesNotMatch(text, /refund (the|this) payment/i, reason)
        if (canOrder && canRefund && reasonTexts[reason].isMoneyKnown && reason !== 'refunded')
          assert.match(text, /refund the payment/i, reason)
      }
})

test('while a refund is open nothing is said of its end, and nothing else can be decided', () => {
  for (const reason of reviewReasons) {
    const entry = createEntry({ reason, refund: openRefund, canDismiss: false })
    const text = [describeReason(entry), ...describeMoney(entry), describeNext(entry)].join(' ')
    assert.match(text, /A refund of €49\.00 was asked for on Nov 17, 2026 at .+M\./)
    assert.match(text, /SumUp has not told yet whether it was done/)
    assert.match(text, /nothing else can be decided/)
    assert.doesNotMatch(text, /went back to the customer|did not refund|refused|create the order/i)
  }
  const elsewhere = createEntry({ refund: { ...openRefund, isOtherAccount: true } })
  assert.match(describeNext(elsewhere), /another SumUp account/)
  assert.doesNotMatch(describeNext(elsewhere), /keeps asking/)
  const retryable = createEntry({ refund: openRefund, canRefund: true })
  assert.match(describeNext(retryable), /You can ask for the refund again/)
  assert.match(describeNext(createEntry({ refund: openRefund })), /dismiss this with a note/)
})

test('what SumUp said first and later is shown, and who has to settle it', () => {
  const conflict = 'status failed, later successful'
  const entry = createEntry({ reason: 'contradiction', conflict, canOrder: true, canRefund: true })
  assert.deepEqual(describeMoney(entry), [
    `SumUp’s answers about this payment differ: ${conflict}.`,
  ])
  assert.match(describeNext(entry), /Create the order .+ or refund the payment.+dismiss this/)
  assert.doesNotMatch(describeNext(entry), /disappears/)
  const ofOrder = createEntry({ reason: 'contradiction', conflict, product: null, orderId: 'o1' })
  assert.match(describeNext(ofOrder), /before you ship the order/)
  assert.equal(formatSubject(ofOrder), 'Payment of an order')
  assert.match(describeNext(createEntry({ reason: 'contradiction' })), /disappears/)
})

test('a card beside a sale that is settled is not said to be the order’s', () => {
  const ofOrder = { reason: 'stuck', orderId: 'o1' } as const
  assert.match(describeNext(createEntry(ofOrder)), /before you ship/)
  const beside = describeNext(createEntry({ ...ofOrder, product: null }))
  assert.match(beside, /It may still be confirmed/)
  assert.doesNotMatch(beside, /before you ship|created by itself/)
})

test('only what an entry says went back is said to have gone back', () => {
  assert.deepEqual(describeMoney(createEntry()), [])
  assert.deepEqual(describeMoney(createEntry({ refundedAmount: '10.00' })), [
    '€10.00 of it went back to the customer.',
  ])
  assert.deepEqual(describeMoney(createEntry({ refundedAmount: '49.00' })), [
    '€49.00 went back to the customer.',
  ])
  assert.deepEqual(describeMoney(createEntry({ chargedBackAmount: '10.00' })), [
    '€10.00 of it was charged back to the customer.',
  ])
  const both = { refundedAmount: '10.00', chargedBackAmount: '9.00' }
  assert.equal(formatRefundable(createEntry(both)), '€30.00')
})

test('another amount than the sale’s is named, and is the one that is refunded', () => {
  const entry = createEntry({ paid: { amount: '1.00', currency: 'USD' } })
  assert.deepEqual(describeMoney(entry), ['SumUp says that $1.00 was paid.'])
  assert.equal(formatTotal(entry), '€49.00')
  assert.equal(formatRefundable(entry), '$1.00')
})

test('an amount that SumUp does not tell is not made up', () => {
  const entry = createEntry({
    reason: 'no-sale',
    product: null,
    amount: null,
    currency: null,
    refundedAmount: '10.00',
  })
  assert.equal(
    `${formatSubject(entry)} · ${formatTotal(entry)}`,
    'Payment without a sale · unknown amount',
  )
  assert.deepEqual(describeMoney(entry), [
    'SumUp does not tell the amount.',
    '10.00 of it went back to the customer.',
  ])
  assert.equal(formatRefundable(entry), undefined)
})

test('the archive says how an entry ended, and claims a refund only of what went back', () => {
  const outcomes = reviewStates.map((state) => formatOutcome(createEntry({ state })))
  assert.deepEqual(outcomes, ['In review', 'Order created', 'Money returned', 'Dismissed'])
  const refunded = createEntry({ state: 'refunded', refundedAmount: '49.00' })
  assert.equal(formatOutcome(refunded), 'Refunded €49.00')
  const chargedBack = createEntry({ state: 'refunded', chargedBackAmount: '49.00' })
  assert.equal(formatOutcome(chargedBack), 'Charged back €49.00')
  const both = { ...chargedBack, refundedAmount: '9.00', chargedBackAmount: '40.00' }
  assert.equal(formatOutcome(both), 'Refunded €9.00, Charged back €40.00')
})

test('an entry without a product is named after what it is', () => {
  const nameOf = (reason: ReviewEntry['reason']) => formatSubject({ product: null, reason })
  assert.equal(nameOf('paid-twice'), 'Second payment')
  assert.equal(nameOf('not-at-sumup'), 'Payment of an order')
  assert.equal(nameOf('paid-late'), 'Payment')
})

test('the owner reads of an order whose payment went back or is at the bank that it must not be shipped unseen', () => {
  const refunded = createEntry({ reason: 'refunded', orderId: 'o1' })
  assert.match(describeReason(refunded), /^There is an order/)
  assert.match(describeNext(refunded), /^Do not ship the order/)
  const stuck = createEntry({ reason: 'stuck', orderId: 'o1' })
  assert.match(describeNext(stuck), /before you ship the order/)
})
