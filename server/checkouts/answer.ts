import type { SumupCheckout, SumupPayment } from '#server/sumup/answers.ts'
import {
  type Changes,
  type CheckoutRow,
  type Decision,
  type Payment,
  type StatusWithoutOrder,
  addMs,
  leaveReview,
  frequentChecksMs,
  frequentPauseMs,
  closed,
  minDate,
  expiredChecksMs,
  isFinal,
  nextReviewCheck,
  maxPauseMs,
  lostAfterMs,
  endMarginMs,
  minute,
  nextCheck,
  priorities,
  review,
  statusOf,
  stuckAfterMs,
  unchanged,
  unclearMs,
  unclearPauseMs,
  toSubmitted,
} from './decision.ts'

/** The part of the state machine for SumUp's answers. */

type Answer = { seen: SumupCheckout | undefined; refundedIds?: string[] }

/** Anything else is undocumented. */
const knownStatuses = ['PENDING', 'PAID', 'FAILED', 'EXPIRED']

export function decideAnswer(
  row: CheckoutRow,
  { seen, refundedIds = [] }: Answer,
  now: Date,
): Decision {
  if (isFinal(row)) return unchanged(row)
  if (row.state === 'dismissed') return decideDismissed(row, seen, now)
  if (!seen) return decideMissing(row, now)
  const known = withSeen(row, seen)
  if (seen.status === 'PAID' || seen.paid.length > 0)
    return decidePaid(known, seen, refundedIds, now)
  if (!seen.isReadable || !knownStatuses.includes(seen.status))
    return decideUnclear(known, 'unreadable', now)
  if (seen.pendingIds.length > 0) return decideAtBank(known, now)
  const settled = { ...known, changes: { ...known.changes, atBankSince: null, unclearSince: null } }
  if (seen.status === 'EXPIRED') return decideExpired(settled, seen, now)
  return decideUnpaid(settled, seen, now)
}

/** A payment after a person dismissed the sale: they decide again. */
function decideDismissed(row: CheckoutRow, seen: SumupCheckout | undefined, now: Date): Decision {
  const [first] = seen?.paid ?? []
  if (!first?.id) return { changes: { nextCheckAt: null }, status: statusOf(row) }
  const payment = asPayment(row, first)
  const undone = { note: null, handledAt: null, handledBy: null, reviewAt: now }
  return review(row, 'paid-late', now, { payment, changes: undone })
}

/** A row with what this answer adds to it. */
type Updated = { row: CheckoutRow; changes: Changes; newFailures: number }

/** This many declined cards on one sale suggest card testing. */
const maxDeclinedCards = 5

function withSeen(row: CheckoutRow, seen: SumupCheckout): Updated {
  const newIds = seen.failedIds.filter((id) => !row.failedIds.includes(id))
  const failedIds = [...row.failedIds, ...newIds]
  const hasTooManyCards = row.hasTooManyCards || failedIds.length >= maxDeclinedCards
  // Only added to: an answer that shows less must not make an earlier card look like the current one.
  const seenIds = [...new Set([...row.seenIds, ...seen.allIds])]
  return {
    row: { ...row, hasTooManyCards },
    newFailures: newIds.length,
    changes: {
      lastError: null,
      ...(newIds.length > 0 && { failedIds }),
      ...(hasTooManyCards !== row.hasTooManyCards && { hasTooManyCards }),
      ...(seenIds.length > row.seenIds.length && { seenIds }),
    },
  }
}

function decidePaid(
  known: Updated,
  seen: SumupCheckout,
  refundedIds: string[],
  now: Date,
): Decision {
  const { row } = known
  const notRefunded = seen.paid.filter(
    ({ id, status }) => status !== 'REFUNDED' && !refundedIds.some((one) => one === id),
  )
  const [first = seen.paid[0], ...further] = notRefunded
  if (seen.status !== 'PAID' || !first) {
    return decideUnclear(known, seen.isReadable ? 'contradiction' : 'unreadable', now, first)
  }
  const mismatch = findMismatch(row, seen, first)
  if (mismatch === 'unreadable') return decideUnclear(known, 'unreadable', now, first)
  const payment = asPayment(row, first)
  const extraPayments = further.flatMap((one) => (one.id ? [asPayment(row, one)] : []))
  const reason =
    mismatch ??
    (notRefunded.length === 0 ? 'refunded' : row.details === null ? 'no-details' : undefined)
  if (reason)
    return { ...review(row, reason, now, { payment, changes: known.changes }), extraPayments }
  return {
    changes: {
      ...known.changes,
      state: 'paid',
      sumupTransactionId: payment.id,
      sumupTransactionCode: payment.code ?? null,
      reviewReason: null,
      reviewAt: null,
      atBankSince: null,
      unclearSince: null,
      expiredSince: null,
      nextCheckAt: null,
      visitor: null,
    },
    status: { state: 'paid' },
    orderFor: payment,
    extraPayments,
  }
}

/** Whether the payment matches the sale: its amount, account and reference. */
function findMismatch(
  row: CheckoutRow,
  seen: SumupCheckout,
  paid: SumupPayment,
): 'mismatch' | 'unreadable' | undefined {
  const pairs = [
    [seen.id, row.sumupCheckoutId],
    [seen.reference, row.id],
    [seen.merchantCode, row.merchantCode || seen.merchantCode],
    [seen.amount, row.amount],
    [seen.currency, row.currency],
    [paid.amount, row.amount],
    [paid.currency, row.currency],
  ]
  if (!paid.id || pairs.some(([actual]) => actual === undefined)) return 'unreadable'
  return pairs.some(([actual, expected]) => actual !== expected) ? 'mismatch' : undefined
}

function asPayment(row: CheckoutRow, { id, code, amount, currency }: SumupPayment): Payment {
  return { id: id ?? '', code, amount: amount ?? row.amount, currency: currency ?? row.currency }
}

/** Not paid, not at the bank, not expired: declined, or no card yet. */
function decideUnpaid(known: Updated, seen: SumupCheckout, now: Date): Decision {
  const { row, newFailures } = known
  // Without details, or closed: not checked until something happens.
  if (row.state === 'closed' || row.state === 'open') {
    const changes = { ...known.changes, nextCheckAt: null }
    return { changes, status: statusOf({ ...row, ...changes }), newFailures }
  }
  const overdueMs = now.getTime() - row.validUntil.getTime()
  const changes = {
    ...known.changes,
    ...leaveReview(row),
    ...nextUnpaidCheck(row, now),
    expiredSince: null,
  }
  const isDeclined =
    seen.status === 'FAILED' && seen.failed.some((one) => isOfCurrentCard(row, one))
  const status: StatusWithoutOrder =
    isDeclined && !row.hasTooManyCards ? { state: 'declined' } : statusOf({ ...row, ...changes })
  return {
    changes,
    status,
    newFailures,
    // Past its end SumUp takes no card on it, whether or not SumUp says so: only ending it makes that certain.
    ...((row.hasTooManyCards || overdueMs > endMarginMs) && { endAtSumup: true }),
  }
}

/** A check shortly before the checkout's end is made right after it instead: that one sees as much, and that it is over. */
function nextUnpaidCheck(row: CheckoutRow, now: Date): ReturnType<typeof nextCheck> {
  const next = nextCheck(row, now)
  const afterEnd = addMs(row.validUntil, minute)
  const pauseMs = next.nextCheckAt.getTime() - now.getTime()
  const leftMs = row.validUntil.getTime() - next.nextCheckAt.getTime()
  const isLast = now < row.validUntil && leftMs < pauseMs
  return isLast && afterEnd.getTime() - now.getTime() <= maxPauseMs
    ? { ...next, nextCheckAt: afterEnd }
    : next
}

/** SumUp's clock may differ from ours. */
const clockSkewMs = 2_000

/** Whether a failed payment belongs to the current card, and not to an earlier one whose decline arrived late. */
function isOfCurrentCard(
  row: CheckoutRow,
  { id, madeAt }: { id: string; madeAt: Date | undefined },
): boolean {
  const isBefore =
    madeAt && row.detailsAt && madeAt.getTime() < row.detailsAt.getTime() - clockSkewMs
  return !row.knownIds.includes(id) && !isBefore
}

/** A card is at the buyer's bank, so the sale goes on whatever else SumUp says. */
function decideAtBank({ row, changes, newFailures }: Updated, now: Date): Decision {
  const since = row.atBankSince ?? now
  const forMs = now.getTime() - since.getTime()
  const isKnownStuck = row.state === 'review' && row.reviewReason === 'stuck'
  if (forMs > stuckAfterMs || isKnownStuck) return review(row, 'stuck', now, { changes })
  const next = nextCheck(row, now)
  const pauseMs = forMs < frequentChecksMs ? frequentPauseMs : maxPauseMs
  return {
    changes: {
      ...changes,
      ...toSubmitted(row),
      atBankSince: since,
      unclearSince: null,
      expiredSince: null,
      ...next,
      nextCheckAt: minDate(next.nextCheckAt, addMs(now, pauseMs)),
    },
    status: row.hasTooManyCards ? { state: 'too-many-cards' } : { state: 'at-bank' },
    newFailures,
  }
}

/**
 * SumUp says EXPIRED and shows no payment in progress. If a card may have been sent, that is confirmed by further checks, and
 * the first of them must agree before the buyer is told: reads lag, and a new form beside a hidden card charges twice.
 */
function decideExpired(
  { row, changes, newFailures }: Updated,
  seen: SumupCheckout,
  now: Date,
): Decision {
  if (row.state === 'open' || row.state === 'closed' || row.hasTooManyCards)
    return { ...closed(row, changes), newFailures }
  const since = row.expiredSince ?? now
  const forMs = now.getTime() - since.getTime()
  const endedAt = isSoonAfter(row.validUntil, since) ? row.validUntil : since
  const next = expiredChecksMs.find((ms) => ms > now.getTime() - endedAt.getTime())
  if (next === undefined) return { ...closed(row, changes), newFailures }
  const isCardDeclined = seen.failed.some((one) => isOfCurrentCard(row, one))
  const isConfirmed = isCardDeclined || forMs >= unclearMs
  return {
    changes: {
      ...changes,
      ...leaveReview(row),
      expiredSince: since,
      nextCheckAt: addMs(endedAt, next),
      priority: priorities.submitted,
    },
    status: isConfirmed ? { state: 'closed' } : { state: 'waiting', reason: 'unclear' },
    newFailures,
  }
}

/** Whether the expiry was seen so soon after the checkout's end that the checks can be counted from that end. */
function isSoonAfter(end: Date, seenAt: Date): boolean {
  const afterMs = seenAt.getTime() - end.getTime()
  return afterMs >= 0 && afterMs <= endMarginMs
}

/** SumUp does not find the checkout: it may be delayed, or never have received it. */
function decideMissing(row: CheckoutRow, now: Date): Decision {
  if (row.state === 'created' || row.state === 'open') return closed(row)
  if (row.state === 'review')
    return { changes: { nextCheckAt: nextReviewCheck(row, now) }, status: statusOf(row) }
  if (row.state === 'closed') return { changes: { nextCheckAt: null }, status: { state: 'closed' } }
  const isLost = now.getTime() - row.validUntil.getTime() > lostAfterMs
  if (isLost) return review(row, 'lost-at-sumup', now)
  return {
    changes: { ...nextCheck(row, now), lastError: null },
    status: { state: 'waiting', reason: 'unclear' },
  }
}

/** SumUp's answer makes no sense. It may only be early; if it stays so, it goes to review. */
function decideUnclear(
  { row, changes, newFailures }: Updated,
  reason: 'contradiction' | 'unreadable',
  now: Date,
  paid?: SumupPayment,
): Decision {
  const since = row.unclearSince ?? now
  const isLong = now.getTime() - since.getTime() >= unclearMs
  if (row.state === 'review' || isLong) {
    const payment = paid?.id ? asPayment(row, paid) : undefined
    return review(row, reason, now, { payment, isClaimed: false, since, changes })
  }
  return {
    changes: {
      ...changes,
      unclearSince: since,
      nextCheckAt: addMs(now, unclearPauseMs),
      priority: priorities.fresh,
      ...toSubmitted(row),
    },
    status: { state: 'waiting', reason: 'unclear' },
    newFailures,
  }
}
