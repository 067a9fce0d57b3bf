import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import type { SumupCheckout, SumupTransaction } from '#server/sumup/answers.ts'
import type { Case, Entry, Sale } from './case.ts'
import type { Payment, Refund } from './payment.ts'
import { reconcile } from './reconcile.ts'
import { notAsked } from './reading.ts'
import { addMs, endMarginMs, minute } from './schedule.ts'

const now = new Date('2030-01-01T12:00:00Z')

const sale = {
  id: 's1',
  amount: '49.00',
  currency: 'EUR',
  state: 'submitted',
  sumupCheckoutId: 'c1',
  merchantCode: 'M1',
  details: {},
  detailsAt: now,
  submits: 1,
  validUntil: addMs(now, 20 * minute),
  nextCheckAt: null,
} as unknown as Sale

function paid(id: string, changes: Partial<Payment> = {}): Payment {
  return {
    id,
    transactionId: `t-${id}`,
    amount: '49.00',
    currency: 'EUR',
    status: 'successful',
    refunded: '0.00',
    chargedBack: '0.00',
    isRefundPending: false,
    failedRefunds: 0,
    conflict: null,
    reads: 0,
    ...changes,
  } as Payment
}

const expired: SumupCheckout = {
  id: 'c1',
  status: 'EXPIRED',
  reference: 's1',
  merchantCode: 'M1',
  amount: '49.00',
  currency: 'EUR',
  payments: [],
  isReadable: true,
}

for (const [what, leftMs, state] of [
  ['long before its own end', 2 * minute, 'closed'],
  ['right before its own end', minute / 2, 'submitted'],
  ['right after its own end', -minute, 'submitted'],
  ['long after its own end', -2 * endMarginMs, 'closed'],
] as const) {
  test(`EXPIRED after DELETE, ${what}: ${state}`, () => {
    const validUntil = addMs(now, leftMs)
    const kase: Case = {
      sale: { ...sale, validUntil },
      payments: [],
      refunds: [],
      entries: [],
      order: undefined,
    }
    const checkout = { type: 'seen', checkout: expired } as const
    const { after } = reconcile(kase, kase, { checkout, transactions: [], isEnding: true }, now)
    equal(after.sale?.state, state)
  })
}

/** Paid twice; the order's own payment went back. */
function paidTwice(refunds: Refund[]): Case {
  const entry = {
    id: 'second',
    saleId: 's1',
    paymentId: 'second',
    reason: 'paid-twice',
    state: 'open',
  } as Entry
  return {
    sale: { ...sale, state: 'paid' },
    payments: [paid('first', { refunded: '49.00' }), paid('second')],
    refunds,
    entries: [entry],
    order: { id: 'o1', transactionId: 't-first' },
  }
}

test('an order moves to the payment that the shop still has', () => {
  const kase = paidTwice([])
  const { after, orderMovesTo } = reconcile(kase, kase, notAsked, now)
  equal(orderMovesTo?.id, 'second')
  deepEqual(
    after.entries.map(({ state }) => state),
    ['cleared'],
  )
})

test('an order does not move to a payment while it is being refunded, and its entry stays', () => {
  const refund = {
    id: 'r',
    paymentId: 'second',
    amount: '49.00',
    refundedBefore: '0.00',
    failedBefore: 0,
  }
  const kase = paidTwice([{ ...refund, state: 'unknown' } as Refund])
  const { after, orderMovesTo } = reconcile(kase, kase, notAsked, now)
  equal(orderMovesTo, undefined)
  deepEqual(
    after.entries.map(({ state }) => state),
    ['open'],
  )
})

test('an order whose payment SumUp does not have goes to review, and leaves it once SumUp shows it', () => {
  const own = paid('first')
  const order = { id: 'o1', transactionId: own.transactionId }
  const kase: Case = {
    sale: { ...sale, state: 'paid' },
    payments: [own],
    refunds: [],
    entries: [],
    order,
  }
  const { transactionId } = own
  const missing = { ...notAsked, transactions: [{ transactionId, result: 'missing' as const }] }
  const { after } = reconcile(kase, kase, missing, now)
  deepEqual(
    after.entries.map(({ reason, state }) => [reason, state]),
    [['not-at-sumup', 'open']],
  )
  const found = { id: transactionId } as SumupTransaction
  const shown = { ...notAsked, transactions: [{ transactionId, result: found }] }
  const later = reconcile(after, after, shown, now)
  deepEqual(
    later.after.entries.map(({ state }) => state),
    ['cleared'],
  )
})

test('the buyer of a sale that was in review is mailed that nothing was charged', () => {
  const entry = { id: 's1', saleId: 's1', paymentId: null, reason: 'stuck', state: 'open' } as Entry
  const kase: Case = {
    sale: { ...sale, state: 'review', expiredSince: addMs(now, -60 * minute) },
    payments: [],
    refunds: [],
    entries: [entry],
    order: undefined,
  }
  const checkout = { type: 'seen', checkout: expired } as const
  const { after, mails } = reconcile(kase, kase, { checkout, transactions: [] }, now)
  equal(after.sale?.state, 'closed')
  deepEqual(mails, ['not-charged'])
})
