import { hash } from 'node:crypto'
import type { ReviewReason } from '#contract/checkouts.ts'
import { formatCents, toCents } from '#contract/money.ts'
import type { CheckoutDetails, Chosen } from '#contract/orders.ts'
import { noTrace } from '#contract/refunds.ts'
import {
  openRefundOf,
  ordersPayment,
  pendingOf,
  reasonOf,
  statusOf,
  type Bought,
  type Case,
  type Decision,
  type Entry,
} from './case.ts'
import { endEntry, followPayments, withEntry, withSale } from './entries.ts'
import {
  followRefund,
  isOpenRefund,
  isReturned,
  remainingCents,
  type Payment,
  type Refund,
} from './payment.ts'
import { notAsked } from './reading.ts'
import { complete, reconcile } from './reconcile.ts'
import { hour, isOlder, nextCheck, nextReviewCheck } from './schedule.ts'

/** What a person decides about a review entry: it ends as an order, a refund, or dismissed with a note. */

/** There is an order already, the money was returned, or it belongs to another sale. */
const reasonsWithoutOrder: ReviewReason[] = [
  'paid-twice',
  'refunded',
  'payment-reused',
  'not-at-sumup',
]
/** Reasons that say themselves that SumUp cannot be asked: then a person's word counts. */
export const unaskableReasons: ReviewReason[] = ['account-changed', 'lost-at-sumup', 'unreadable']
/** SumUp cannot be asked, or does not make sense: only a person can look at what happened. */
const reasonsWithoutPayment: ReviewReason[] = [...unaskableReasons, 'contradiction']
const reasonsWithoutRefund: ReviewReason[] = ['refunded', 'payment-reused', 'not-at-sumup']

/** A refund of which SumUp shows no trace may be tried again after this. */
const retryRefundMs = hour

export function entryPayment(kase: Case, entry: Entry): Payment | undefined {
  return kase.payments.find(({ id }) => id === entry.paymentId)
}

/** Why no order can be made of an entry; undefined if one can. */
export function whyNoOrder(
  kase: Case,
  entry: Entry,
): 'order-impossible' | 'payment-returned' | 'refund-running' | undefined {
  const payment = entryPayment(kase, entry)
  const reason = reasonOf(entry)
  if (payment && isReturned(payment)) return 'payment-returned'
  if (payment && openRefundOf(kase, payment)) return 'refund-running'
  if (kase.order || reasonsWithoutOrder.includes(reason)) return 'order-impossible'
  if (payment) return remainingCents(payment) > 0 ? undefined : 'order-impossible'
  const isOnlyKnownByHand = reasonsWithoutPayment.includes(reason) && pendingOf(kase).length === 0
  return isOnlyKnownByHand ? undefined : 'order-impossible'
}

type NoRefund = 'refund-impossible' | 'payment-returned' | 'refund-running' | 'refund-part-unknown'

/** Why a payment in review cannot be refunded; undefined if it can. What pays for an order is refunded from there. */
export function whyNoRefund(kase: Case, entry: Entry, now: Date): NoRefund | undefined {
  const payment = entryPayment(kase, entry)
  if (!payment) return 'refund-impossible'
  if (isReturned(payment)) return 'payment-returned'
  const isOrders = payment === ordersPayment(kase)
  if (isOrders || reasonsWithoutRefund.includes(reasonOf(entry))) return 'refund-impossible'
  return whyNotRefundable(kase, payment, now)
}

/** Why so much of an order's payment cannot be refunded; undefined if it can. Without an amount: all that is left. */
export function whyNoOrderRefund(
  kase: Case,
  now: Date,
  cents?: number,
): NoRefund | 'refund-without-payment' | undefined {
  const payment = ordersPayment(kase)
  return payment ? whyNotRefundable(kase, payment, now, cents) : 'refund-without-payment'
}

function whyNotRefundable(
  kase: Case,
  payment: Payment,
  now: Date,
  cents?: number,
): NoRefund | undefined {
  const left = remainingCents(payment)
  if (isReturned(payment)) return 'payment-returned'
  if (left === 0 || payment.currency === null) return 'refund-impossible'
  const open = openRefundOf(kase, payment)
  return open && whyNotAfter(open, payment, now, cents ?? left)
}

/** Whether a refund was asked for so lately that nothing else is decided about the payment. */
export function isRefundFresh(kase: Case, entry: Entry, now: Date): boolean {
  const payment = entryPayment(kase, entry)
  const open = payment && openRefundOf(kase, payment)
  return open !== undefined && !isOlder(open.askedAt, retryRefundMs, now)
}

/**
 * Why a refund cannot follow one that is open, with the payment read right before. If SumUp shows the first late after all,
 * it refuses what is more than all: so one of both must be all that is left, or the buyer could get a part twice.
 */
function whyNotAfter(
  open: Refund,
  payment: Payment,
  now: Date,
  cents: number,
): NoRefund | undefined {
  // `asked`: the node died before it was known whether SumUp was asked.
  const isTraceless = !payment.isRefundPending && isOlder(open.askedAt, retryRefundMs, now)
  if (!isTraceless) return 'refund-running'
  const largest = Math.max(cents, toCents(open.amount))
  return largest >= remainingCents(payment) ? undefined : 'refund-part-unknown'
}

/** A short name of what the screen showed: a decision is about that, and nothing else. */
export function versionOf(kase: Case, entry: Entry): string {
  const payment = entryPayment(kase, entry)
  const refund = payment && openRefundOf(kase, payment)
  const shown = [
    entry.state,
    entry.reason,
    kase.sale?.details ?? null,
    payment && factsOf(payment),
    payment?.conflict,
    refund && [refund.id, refund.state],
  ]
  return nameOf(shown)
}

/** The same for what the screen shows of an order's payment. */
export function orderVersionOf(kase: Case): string {
  const payment = ordersPayment(kase)
  const refund = payment && openRefundOf(kase, payment)
  return nameOf([payment && [payment.id, factsOf(payment)], refund?.id])
}

const factsOf = ({ amount, currency, status, refunded, chargedBack }: Payment) => [
  amount,
  currency,
  status,
  refunded,
  chargedBack,
]

const nameOf = (shown: unknown[]) => hash('sha256', JSON.stringify(shown)).slice(0, 16)

/** Creates the order. The payment was read right before, as far as SumUp can be asked. */
export function decideOrder(
  kase: Case,
  entry: Entry,
  given: { details: CheckoutDetails; bought?: Bought; chosen?: Chosen | undefined },
  by: string,
  now: Date,
): Decision {
  const handled = { state: 'ordered', handledAt: now, handledBy: by }
  const ended = endEntry(kase, entry.id, handled)
  const { sale } = ended
  const payment = entryPayment(kase, entry)
  // What SumUp could not be asked about is looked at until it can.
  const isRead = payment !== undefined && payment.unreadSince === null
  const after = sale
    ? withSale(ended, {
        state: 'paid',
        chosen: given.chosen ?? sale.chosen,
        details: given.details,
        detailsAt: sale.detailsAt ?? now,
        startedAt: sale.startedAt ?? now,
        unclearSince: null,
        expiredSince: null,
        visitor: null,
        ...(isRead ? { nextCheckAt: null } : nextCheck({ checks: 0 }, now)),
      })
    : ended
  const order = {
    payment,
    details: given.details,
    ...(given.bought && {
      bought: { ...given.bought, product: { ...given.bought.product, ...given.chosen } },
    }),
  }
  return complete(kase, { after, status: { state: 'paid' }, order }, now)
}

/** Stores that SumUp will be asked to give back so much. An older try without a trace counts as failed. */
export function decideRefund(
  kase: Case,
  payment: Payment,
  cents: number,
  { by, now, createId }: { by: string; now: Date; createId: () => string },
): { decision: Decision; refund: Refund } {
  if (payment.currency === null || cents <= 0 || cents > remainingCents(payment))
    throw new Error('there is not as much to refund')
  const refund: Refund = {
    id: createId(),
    paymentId: payment.id,
    amount: formatCents(cents),
    currency: payment.currency,
    state: 'asked',
    refundedBefore: payment.refunded,
    failedBefore: payment.failedRefunds,
    askedBy: by,
    askedAt: now,
    endedAt: null,
    problem: null,
  }
  const earlier = kase.refunds.map((one): Refund =>
    one.paymentId === payment.id && isOpenRefund(one)
      ? { ...one, state: 'failed', endedAt: now, problem: noTrace }
      : one,
  )
  const refunds = [...earlier, refund]
  const after = followPayments({ ...kase, refunds }, now)
  return { refund, decision: { after, status: statusOf(after) } }
}

/** What SumUp answered to a refund. None of it proves anything: the payment is read afterwards. */
export type RefundAnswer = { type: 'accepted' | 'unknown' } | { type: 'refused'; problem: string }

/** Ends a refund as far as the reading after it shows, which `kase` already contains. */
export function decideRefundAnswer(
  kase: Case,
  refundId: string,
  answer: RefundAnswer,
  isRead: boolean,
  now: Date,
): Decision {
  const refunds = kase.refunds.map((one): Refund => {
    const payment = kase.payments.find(({ id }) => id === one.paymentId)
    if (one.id !== refundId || !payment) return one
    const isRefused = answer.type === 'refused' && isRead
    const state = followRefund(one, payment, { isRefused })
    if (state === 'asked') return { ...one, state: 'unknown' }
    if (state === 'unknown') return one
    const problem =
      answer.type === 'refused' && state === 'failed' ? answer.problem.slice(0, 500) : one.problem
    return { ...one, state, problem, endedAt: one.endedAt ?? now }
  })
  return reconcile(kase, { ...kase, refunds }, notAsked, now)
}

export function decideDismissal(
  kase: Case,
  entry: Entry,
  note: string,
  by: string,
  now: Date,
): Decision {
  const ended = endEntry(kase, entry.id, {
    state: 'dismissed',
    note,
    handledAt: now,
    handledBy: by,
  })
  const isSale = entry.id === kase.sale?.id && !kase.order
  const after = isSale ? withSale(ended, { state: 'dismissed', nextCheckAt: null }) : ended
  const decision: Decision = { after, status: statusOf(after) }
  return complete(kase, isSale ? { ...decision, mails: ['payment-closed'] } : decision, now)
}

/** Undoes a dismissal. What became of the money since counts at once. */
export function decideRestore(kase: Case, entry: Entry, now: Date): Decision {
  const open = { ...entry, state: 'open', note: null, handledAt: null, handledBy: null }
  const restored = withEntry(kase, open)
  if (entry.id !== kase.sale?.id) return reconcile(kase, restored, notAsked, now)
  const asked = kase.order
    ? { nextCheckAt: kase.order.transactionId ? null : now }
    : { state: 'review', nextCheckAt: nextReviewCheck(reasonOf(entry), entry.openedAt, now) }
  return reconcile(kase, withSale(restored, asked), notAsked, now)
}

export function findEntry(kase: Case, id: string): Entry | undefined {
  return kase.entries.find((one) => one.id === id)
}
