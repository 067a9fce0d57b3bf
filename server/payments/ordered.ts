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
  saleQuestion,
  withSale,
  type SaleRecord,
  type Decision,
  type Payment,
  type Refund,
  type Returned,
  type Sale,
  type RecordWithSale,
} from './record.ts'
import { isRefundRuledOut, type Reading } from './observe.ts'
import { clearQuestion, openQuestion, withoutReturned } from './question.ts'
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
export function reconcileOrdered(record: RecordWithSale, reading: Reading, now: Date): Decision {
  const own = ordersPayment(record)
  const replacement = findReplacement(record, own)
  const paying = replacement ?? own
  const wanted = paying
    ? confirmOrder(record, paying, reading, now)
    : reconcileUnconfirmed(record, reading, now)
  let after: SaleRecord = withSale(record, { state: 'paid', nextCheckAt: null, ...wanted.sale })
  after = wanted.reason
    ? askAgain(after, wanted.reason, paying, now)
    : clearQuestion(after, record.sale.id, now)
  after = withoutReturned(after, now)
  if (replacement) after = clearQuestion(after, replacement.id, now)
  if (own) after = reconcileMissingPayment(after, own, reading, now)
  else if (!replacement) after = showOtherAmounts(after, now)
  if (own?.conflict && !after.questions.some(({ id }) => id === own.id))
    after = openQuestion(after, own.id, 'contradiction', own, now)
  return { after, status: { state: 'paid' }, ...(replacement && { reassignOrderTo: replacement }) }
}

/**
 * The payment that pays for the order instead of its own, because that went back or was never known. What the shop still has
 * comes first: its owner must not be led to give that back as well.
 */
function findReplacement(record: RecordWithSale, own: Payment | undefined): Payment | undefined {
  if (own && !isReturned(own)) return undefined
  const { amount, currency } = own ?? record.sale
  const isDismissed = ({ id }: Payment) =>
    record.questions.some(
      (question) =>
        question.id === id && question.state === 'dismissed' && question.reason !== 'stuck',
    )
  const isSame = (one: Payment) => one.amount === amount && one.currency === currency
  const isFree = (one: Payment) =>
    isSame(one) && one.conflict === null && !openRefundOf(record, one) && !isDismissed(one)
  const kept = record.payments.filter((one) => one !== own && isKept(one))
  const returned = own || kept.length > 0 ? undefined : record.payments.find(isReturned)
  return kept.find(isFree) ?? returned
}

/** What the owner is asked about the order, and when SumUp is asked again. */
type Wanted = { reason?: ReviewReason | undefined; sale: Partial<Sale> }

/** An order that the owner made without SumUp goes on being looked at until its payment was read. */
function confirmOrder(
  record: RecordWithSale,
  paying: Payment,
  reading: Reading,
  now: Date,
): Wanted {
  const { sale } = record
  const question = saleQuestion(record)
  const isUnconfirmed = sale.nextCheckAt !== null || !ordersPayment(record)
  const isAsked = question?.state === 'open' && question.reason === 'refunded'
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
function reconcileUnconfirmed(record: RecordWithSale, { checkout }: Reading, now: Date): Wanted {
  const { sale } = record
  const question = saleQuestion(record)
  const known = question?.state === 'open' ? reasonOf(question) : undefined
  // The owner knows, and has said that it is all right. A card at the bank is followed by itself.
  if (question?.state === 'dismissed') return { sale: {} }
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
      const isToldOf = question?.reason === 'lost-at-sumup'
      const isStuck =
        pendingOf(record).length > 0 && isOlder(pendingSince(record), stuckAfterMs, now)
      const reason = isOverdue && !isToldOf ? 'not-at-sumup' : known
      return {
        reason: isStuck ? 'stuck' : reason,
        sale: { nextCheckAt: nextReviewCheck('lost-at-sumup', now, now) },
      }
    }
    case 'seen':
      return reconcileUnpaidOrder(record, checkout.checkout, known, now)
  }
}

function reconcileUnpaidOrder(
  record: RecordWithSale,
  seen: SumupCheckout,
  known: ReviewReason | undefined,
  now: Date,
): Wanted {
  const { sale } = record
  const isTaken =
    seen.status === 'PAID' || seen.payments.some(({ status }) => status === 'SUCCESSFUL')
  if (isTaken || !seen.isReadable) return { reason: known, sale: nextCheck(sale, now) }
  if (pendingOf(record).length > 0) {
    const since = pendingSince(record)
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
function askAgain(
  record: SaleRecord,
  reason: ReviewReason,
  payment: Payment | undefined,
  now: Date,
): SaleRecord {
  const id = record.sale?.id ?? ''
  const question = record.questions.find((one) => one.id === id)
  const isAsked = question?.state === 'open' && question.reason === reason
  return isAsked ? record : openQuestion(record, id, reason, payment, now)
}

/** Asks the owner about payments of another amount than the order's, which has no known payment. */
function showOtherAmounts(record: SaleRecord, now: Date): SaleRecord {
  const isShown = ({ id }: Payment) =>
    record.questions.some(
      (question) =>
        question.id === id && question.state !== 'cleared' && question.reason !== 'stuck',
    )
  return record.payments
    .filter((one) => isKept(one) && !isShown(one))
    .reduce(
      (known, one) =>
        openQuestion(known, one.id, one.conflict ? 'contradiction' : 'mismatch', one, now),
      record,
    )
}

/** Asks the owner about an order whose payment SumUp does not have. */
export function reconcileMissingPayment(
  record: SaleRecord,
  own: Payment,
  reading: Reading,
  now: Date,
): SaleRecord {
  const read = reading.transactions.find((one) => one.transactionId === own.transactionId)
  if (!read || read.result === 'unread' || read.result === 'forbidden') return record
  const question = record.questions.find(({ id }) => id === own.id)
  if (read.result === 'missing')
    return question && question.state !== 'cleared'
      ? record
      : openQuestion(record, own.id, 'not-at-sumup', own, now)
  return question?.reason === 'not-at-sumup' ? clearQuestion(record, own.id, now) : record
}

/** What went back of the money of an order since it was last looked at, or before there was an order. */
export function listReturned(
  before: SaleRecord,
  { after, order, reassignOrderTo }: Decision,
): Returned[] {
  const find = ({ payments }: SaleRecord, id: string | null | undefined) =>
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
