import type { ReviewReason } from '#contract/checkouts.ts'
import { formatCents, toCents } from '#contract/money.ts'
import type { SumupCheckout } from '#server/sumup/answers.ts'
import {
  isKept,
  isReturned,
  openRefundOf,
  ordersPayment,
  pendingOf,
  pendingSince,
  reasonOf,
  saleEntry,
  withSale,
  type Case,
  type Decision,
  type Payment,
  type Refund,
  type Returned,
  type Sale,
  type SaleCase,
} from './case.ts'
import { isRefundRuledOut, type Reading } from './observe.ts'
import { clearEntry, openEntry, withoutReturned } from './question.ts'
import {
  addMs,
  isOlder,
  lostAfterMs,
  nextBankCheck,
  nextCheck,
  nextReviewCheck,
  stuckAfterMs,
  unclearMs,
  unclearPauseMs,
} from './schedule.ts'

/** The part of reconcile for sales with an order. */

/** An order stays as it is, and the owner is asked about everything else that was paid on its checkout. */
export function reconcileOrdered(kase: SaleCase, reading: Reading, now: Date): Decision {
  const own = ordersPayment(kase)
  const replacement = findReplacement(kase, own)
  const paying = replacement ?? own
  const wanted = paying
    ? confirmOrder(kase, paying, reading, now)
    : reconcileUnconfirmed(kase, reading, now)
  let after: Case = withSale(kase, { state: 'paid', nextCheckAt: null, ...wanted.sale })
  after = wanted.reason
    ? askAgain(after, wanted.reason, paying, now)
    : clearEntry(after, kase.sale.id, now)
  after = withoutReturned(after, now)
  if (replacement) after = clearEntry(after, replacement.id, now)
  if (own) after = reconcileMissingPayment(after, own, reading, now)
  else if (!replacement) after = showOtherAmounts(after, now)
  if (own?.conflict && !after.entries.some(({ id }) => id === own.id))
    after = openEntry(after, own.id, 'contradiction', own, now)
  return { after, status: { state: 'paid' }, ...(replacement && { reassignOrderTo: replacement }) }
}

/**
 * The payment that pays for the order instead of its own, because that went back or was never known. What the shop still has
 * comes first: its owner must not be led to give that back as well.
 */
function findReplacement(kase: SaleCase, own: Payment | undefined): Payment | undefined {
  if (own && !isReturned(own)) return undefined
  const { amount, currency } = own ?? kase.sale
  const isDismissed = ({ id }: Payment) =>
    kase.entries.some(
      (entry) => entry.id === id && entry.state === 'dismissed' && entry.reason !== 'stuck',
    )
  const isSame = (one: Payment) => one.amount === amount && one.currency === currency
  const isFree = (one: Payment) =>
    isSame(one) && one.conflict === null && !openRefundOf(kase, one) && !isDismissed(one)
  const kept = kase.payments.filter((one) => one !== own && isKept(one))
  const returned = own || kept.length > 0 ? undefined : kase.payments.find(isReturned)
  return kept.find(isFree) ?? returned
}

/** What the owner is asked about the order, and when SumUp is asked again. */
type Wanted = { reason?: ReviewReason | undefined; sale: Partial<Sale> }

/** An order that the owner made without SumUp goes on being looked at until its payment was read. */
function confirmOrder(kase: SaleCase, paying: Payment, reading: Reading, now: Date): Wanted {
  const { sale } = kase
  const entry = saleEntry(kase)
  const isUnconfirmed = sale.nextCheckAt !== null || !ordersPayment(kase)
  const isAsked = entry?.state === 'open' && entry.reason === 'refunded'
  if (isReturned(paying))
    return { reason: isUnconfirmed || isAsked ? 'refunded' : undefined, sale: {} }
  if (!isUnconfirmed || isRefundRuledOut(paying, reading, now)) return { sale: {} }
  return {
    sale:
      reading.checkout.type === 'not-asked'
        ? { nextCheckAt: sale.nextCheckAt ?? now }
        : nextCheck(sale, now),
  }
}

/** The owner made the order, and SumUp has shown no payment for it so far. */
function reconcileUnconfirmed(kase: SaleCase, { checkout }: Reading, now: Date): Wanted {
  const { sale } = kase
  const entry = saleEntry(kase)
  const known = entry?.state === 'open' ? reasonOf(entry) : undefined
  // The owner knows, and has said that it is all right. A card at the bank is followed by itself.
  if (entry?.state === 'dismissed') return { sale: {} }
  switch (checkout.type) {
    case 'not-asked':
      return { reason: known, sale: { nextCheckAt: sale.nextCheckAt } }
    case 'other-account':
      return { reason: known, sale: { nextCheckAt: nextReviewCheck('account-changed', now, now) } }
    case 'unreachable':
      return { reason: known, sale: nextCheck(sale, now) }
    case 'missing': {
      const isOverdue = now.getTime() - sale.validUntil.getTime() > lostAfterMs
      // The owner made the order because of that.
      const isToldOf = entry?.reason === 'lost-at-sumup'
      const isStuck = pendingOf(kase).length > 0 && isOlder(pendingSince(kase), stuckAfterMs, now)
      const reason = isOverdue && !isToldOf ? 'not-at-sumup' : known
      return {
        reason: isStuck ? 'stuck' : reason,
        sale: { nextCheckAt: nextReviewCheck('lost-at-sumup', now, now) },
      }
    }
    case 'seen':
      return reconcileUnpaidOrder(kase, checkout.checkout, known, now)
  }
}

function reconcileUnpaidOrder(
  kase: SaleCase,
  seen: SumupCheckout,
  known: ReviewReason | undefined,
  now: Date,
): Wanted {
  const { sale } = kase
  const isTaken =
    seen.status === 'PAID' || seen.payments.some(({ status }) => status === 'SUCCESSFUL')
  if (isTaken || !seen.isReadable) return { reason: known, sale: nextCheck(sale, now) }
  if (pendingOf(kase).length > 0) {
    const since = pendingSince(kase)
    const reason = isOlder(since, stuckAfterMs, now) ? 'stuck' : undefined
    return { reason, sale: { unclearSince: null, ...nextBankCheck(sale, since, now) } }
  }
  // Its data may only be late.
  const unclearSince = sale.unclearSince ?? now
  return isOlder(unclearSince, unclearMs, now)
    ? { reason: 'not-at-sumup', sale: { unclearSince, ...nextCheck(sale, now) } }
    : { reason: known, sale: { unclearSince, nextCheckAt: addMs(now, unclearPauseMs) } }
}

/** Asks the owner about the order of the sale. A question that is open already stays as it is. */
function askAgain(kase: Case, reason: ReviewReason, payment: Payment | undefined, now: Date): Case {
  const id = kase.sale?.id ?? ''
  const entry = kase.entries.find((one) => one.id === id)
  const isAsked = entry?.state === 'open' && entry.reason === reason
  return isAsked ? kase : openEntry(kase, id, reason, payment, now)
}

/** Asks the owner about payments of another amount than the order's, which has no known payment. */
function showOtherAmounts(kase: Case, now: Date): Case {
  const isShown = ({ id }: Payment) =>
    kase.entries.some(
      (entry) => entry.id === id && entry.state !== 'cleared' && entry.reason !== 'stuck',
    )
  return kase.payments
    .filter((one) => isKept(one) && !isShown(one))
    .reduce(
      (known, one) =>
        openEntry(known, one.id, one.conflict ? 'contradiction' : 'mismatch', one, now),
      kase,
    )
}

/** Asks the owner about an order whose payment SumUp does not have. */
export function reconcileMissingPayment(
  kase: Case,
  own: Payment,
  reading: Reading,
  now: Date,
): Case {
  const read = reading.transactions.find((one) => one.transactionId === own.transactionId)
  if (!read || read.result === 'unread' || read.result === 'forbidden') return kase
  const entry = kase.entries.find(({ id }) => id === own.id)
  if (read.result === 'missing')
    return entry && entry.state !== 'cleared'
      ? kase
      : openEntry(kase, own.id, 'not-at-sumup', own, now)
  return entry?.reason === 'not-at-sumup' ? clearEntry(kase, own.id, now) : kase
}

/** What went back of the money of an order since it was last looked at, or before there was an order. */
export function listReturned(
  before: Case,
  { after, order, reassignOrderTo }: Decision,
): Returned[] {
  const find = ({ payments }: Case, id: string | null | undefined) =>
    payments.find(({ transactionId }) => transactionId === id)
  if (order) return listGrown(undefined, find(after, order.payment?.transactionId), [])
  const paidBy = after.order?.transactionId
  const wasDone = ({ id }: Refund) =>
    before.refunds.some((one) => one.id === id && one.state === 'done')
  const isDone = ({ state }: Refund) => state === 'done'
  const isOurs = (one: Refund) => isDone(one) && !wasDone(one)
  return [
    ...listGrown(find(before, paidBy), find(after, paidBy), after.refunds.filter(isOurs)),
    ...(reassignOrderTo
      ? listGrown(
          undefined,
          find(after, reassignOrderTo.transactionId),
          after.refunds.filter(isDone),
        )
      : []),
  ]
}

/** What went back of one payment. `done`: refunds of ours that it shows; the rest was refunded at SumUp. */
function listGrown(
  known: Payment | undefined,
  payment: Payment | undefined,
  done: Refund[],
): Returned[] {
  if (!payment) return []
  const grown = (now: string, then = '0') => toCents(now) - toCents(then)
  const refunded = grown(payment.refunded, known?.refunded)
  const own = done.find(({ paymentId }) => paymentId === payment.id)
  const ownCents = own ? Math.min(toCents(own.amount), refunded) : 0
  const chargedBack = grown(payment.chargedBack, known?.chargedBack)
  return [
    { event: 'refunded' as const, cents: ownCents, by: own?.askedBy ?? 'shop' },
    { event: 'refunded' as const, cents: refunded - ownCents, by: 'shop' },
    { event: 'charged-back' as const, cents: chargedBack, by: 'shop' },
  ].flatMap(({ event, cents, by }) =>
    cents > 0 ? [{ event, amount: formatCents(cents), by }] : [],
  )
}
