import type { CheckoutDetails } from '#contract/orders.ts'
import { decideAnswer } from './answer.ts'
import {
  type CheckoutEvent,
  type CheckoutRow,
  type Decision,
  type StatusWithoutOrder,
  addMs,
  closed,
  dueNow,
  firstCheckMs,
  isDecided,
  isFinal,
  isRefunding,
  isUnfinished,
  nextReviewCheck,
  priorities,
  review,
  second,
  statusOf,
  unchanged,
} from './decision.ts'

/**
 * The state machine of a sale: what an event means for a row of the ledger. Pure functions, without database or HTTP;
 * state.test.ts covers the whole table of events and states. `now` is the database's clock.
 */
export function decide(row: CheckoutRow, event: CheckoutEvent, now: Date): Decision {
  switch (event.type) {
    case 'answer':
      return decideAnswer(row, event, now)
    case 'opened':
      return decideOpened(row, event.sumupCheckoutId)
    case 'details':
      return decideDetails(row, event, now)
    case 'unreachable':
      return decideUnreachable(row, event.why, now)
    case 'webhook':
      return isFinal(row) ? unchanged(row) : { changes: dueNow(now), status: statusOf(row) }
    case 'account-changed':
      return decideAccountChanged(row, now)
    case 'ended':
      return isUnfinished(row) ? closed(row) : unchanged(row)
    case 'too-many-cards':
      return isUnfinished(row)
        ? {
            changes: { hasTooManyCards: true, nextCheckAt: addMs(now, 5 * second) },
            status: { state: 'too-many-cards' },
            endAtSumup: true,
          }
        : unchanged(row)
    case 'payment-reused':
      return isDecided(row)
        ? unchanged(row)
        : review(row, 'payment-reused', now, { payment: event.payment, isClaimed: false })
    case 'refund-begun':
      return row.state === 'review' && !isRefunding(row, now)
        ? { changes: { refundingAt: now }, status: statusOf(row) }
        : unchanged(row)
    case 'refund-failed':
      return { changes: { refundingAt: null }, status: statusOf(row) }
    case 'order-made':
    case 'refund-made':
    case 'dismissed':
    case 'restored':
      return decideByAdmin(row, event, now)
  }
}

function decideOpened(row: CheckoutRow, sumupCheckoutId: string): Decision {
  if (row.sumupCheckoutId || !['created', 'closed'].includes(row.state)) return unchanged(row)
  return {
    // Not checked before it has details: it expires, or a webhook reports a payment.
    changes: { state: 'open', sumupCheckoutId, nextCheckAt: null, priority: priorities.lazy },
    status: { state: 'open' },
  }
}

/**
 * With details the server can finish the sale alone. Those of a card in progress are frozen; the caller has asked SumUp
 * before it submits others.
 */
function decideDetails(
  row: CheckoutRow,
  { details, formId }: { details: CheckoutDetails; formId: string },
  now: Date,
): Decision {
  const isMissingOnly = row.state === 'review' && row.reviewReason === 'no-details'
  if (row.state !== 'open' && row.state !== 'submitted' && !isMissingOnly) return unchanged(row)
  if (isMissingOnly && isRefunding(row, now)) return unchanged(row)
  if (blocksDetails(row, formId, now)) return unchanged(row)
  const changes = {
    state: 'submitted',
    details,
    detailsAt: now,
    formId,
    startedAt: row.startedAt ?? now,
    knownIds: row.seenIds,
    reviewReason: null,
    reviewAt: null,
    expiredSince: null,
    checks: 0,
    priority: priorities.fresh,
    nextCheckAt: addMs(now, firstCheckMs),
  }
  return { changes, status: statusOf({ ...row, ...changes }) }
}

/** How long a submitted card blocks other forms before SumUp shows a payment attempt. */
const formHoldMs = 20 * second

/** Whether the saved details may not be replaced, because their card may be in progress. */
export function blocksDetails(row: CheckoutRow, formId: string, now: Date): boolean {
  if (row.state !== 'submitted' || !row.detailsAt) return false
  if (row.atBankSince) return true
  const hasFailedSince = row.failedIds.some((id) => !row.knownIds.includes(id))
  const isBlocked = now.getTime() - row.detailsAt.getTime() < formHoldMs
  return row.formId !== formId && isBlocked && !hasFailedSince
}

/** Nothing is known, so nothing changes, and the check does not count: it is repeated as soon as SumUp answers. */
function decideUnreachable(row: CheckoutRow, why: string, now: Date): Decision {
  if (isDecided(row)) return unchanged(row)
  const status: StatusWithoutOrder =
    statusOf(row).state === 'waiting' ? { state: 'waiting', reason: 'unreachable' } : statusOf(row)
  const isOverdue = row.nextCheckAt !== null && row.nextCheckAt <= now
  return {
    changes: {
      ...(row.lastError === null && { lastError: why.slice(0, 500) }),
      ...(isOverdue && { nextCheckAt: addMs(now, 10 * second) }),
    },
    status,
  }
}

function decideAccountChanged(row: CheckoutRow, now: Date): Decision {
  // A webhook of the old account for a closed sale: its meaning cannot be looked up.
  const isNotified = row.state === 'closed' && row.startedAt !== null && row.nextCheckAt !== null
  if (row.state === 'submitted' || isNotified) return review(row, 'account-changed', now)
  if (isUnfinished(row)) return closed(row)
  // The other account cannot be queried, so there is nothing to check.
  const nextCheckAt = row.state === 'review' ? nextReviewCheck(row, now) : null
  return { changes: { nextCheckAt }, status: statusOf(row) }
}

function decideByAdmin(
  row: CheckoutRow,
  event: Extract<CheckoutEvent, { type: 'order-made' | 'refund-made' | 'dismissed' | 'restored' }>,
  now: Date,
): Decision {
  const isRestoring = event.type === 'restored'
  if (row.state !== (isRestoring ? 'dismissed' : 'review')) return unchanged(row)
  if (event.type !== 'refund-made' && isRefunding(row, now)) return unchanged(row)
  if (isRestoring)
    return {
      changes: {
        state: 'review',
        note: null,
        handledAt: null,
        handledBy: null,
        nextCheckAt: nextReviewCheck(row, now),
      },
      status: statusOf({ ...row, state: 'review' }),
    }
  const done = { handledAt: now, handledBy: event.by, nextCheckAt: null }
  switch (event.type) {
    case 'order-made':
      return {
        changes: {
          ...done,
          state: 'paid',
          details: event.details,
          detailsAt: row.detailsAt ?? now,
          startedAt: row.startedAt ?? now,
          visitor: null,
        },
        status: { state: 'paid' },
        orderFor: {
          id: row.sumupTransactionId ?? '',
          code: row.sumupTransactionCode ?? undefined,
          amount: row.paidAmount ?? row.amount,
          currency: row.paidCurrency ?? row.currency,
        },
      }
    case 'refund-made':
      return {
        changes: { ...done, state: 'refunded', refundingAt: null },
        status: { state: 'review', reason: 'refunded' },
      }
    case 'dismissed':
      return {
        changes: { ...done, state: 'dismissed', note: event.note },
        status: statusOf(row),
      }
  }
}
