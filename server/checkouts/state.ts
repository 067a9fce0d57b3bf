import type { CheckoutDetails } from '#contract/orders.ts'
import { decideAnswer } from './answer.ts'
import {
  type CheckoutEvent,
  type CheckoutRow,
  type Decision,
  type Standing,
  after,
  closed,
  dueNow,
  firstLookMs,
  isDecided,
  isFinal,
  isRefunding,
  isUnfinished,
  laterInReview,
  priorities,
  review,
  second,
  standingOf,
  unchanged,
} from './decision.ts'

/**
 * The state machine of a sale: what an event means for a row of the ledger. It knows no database and no HTTP; the
 * table of events and decisions is sale.md's, and state.test.ts goes through all of it.
 */

/** What an event means for a row, `now` by the database's clock. */
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
      return isFinal(row) ? unchanged(row) : { changes: dueNow(now), standing: standingOf(row) }
    case 'account-changed':
      return decideAccountChanged(row, now)
    case 'ended':
      return isUnfinished(row) ? closed(row) : unchanged(row)
    case 'too-many-cards':
      return isUnfinished(row)
        ? {
            changes: { hasTooManyCards: true, nextCheckAt: after(now, 5 * second) },
            standing: { state: 'too-many-cards' },
            endAtSumup: true,
          }
        : unchanged(row)
    case 'payment-reused':
      return isDecided(row)
        ? unchanged(row)
        : review(row, 'payment-reused', now, { payment: event.payment, isClaimed: false })
    case 'refund-begun':
      return row.state === 'review' && !isRefunding(row, now)
        ? { changes: { refundingAt: now }, standing: standingOf(row) }
        : unchanged(row)
    case 'refund-failed':
      return { changes: { refundingAt: null }, standing: standingOf(row) }
    case 'order-made':
    case 'refund-made':
    case 'dismissed':
    case 'restored':
      return decideOwner(row, event, now)
  }
}

function decideOpened(row: CheckoutRow, sumupCheckoutId: string): Decision {
  if (row.sumupCheckoutId || !['created', 'closed'].includes(row.state)) return unchanged(row)
  return {
    // Nobody looks at an open row before it has details: it is closed by its time, or found by a webhook.
    changes: { state: 'open', sumupCheckoutId, nextCheckAt: null, priority: priorities.lazy },
    standing: { state: 'open' },
  }
}

/**
 * Details make the sale one that the server can finish alone. Those of a card under way are frozen; the caller has looked
 * at SumUp before it hands in further ones.
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
    nextCheckAt: after(now, firstLookMs),
  }
  return { changes, standing: standingOf({ ...row, ...changes }) }
}

/** How long the page that submitted a card has it to itself, before SumUp shows anything of it. */
const formHoldMs = 20 * second

/** Whether other details may not take the place of those kept: their card may be under way. */
export function blocksDetails(row: CheckoutRow, formId: string, now: Date): boolean {
  if (row.state !== 'submitted' || !row.detailsAt) return false
  if (row.atBankSince) return true
  const hasFailedSince = row.failedIds.some((id) => !row.knownIds.includes(id))
  const isHeld = now.getTime() - row.detailsAt.getTime() < formHoldMs
  return row.formId !== formId && isHeld && !hasFailedSince
}

/** Nothing is known, so nothing changes, and the look does not count: it is made again as soon as SumUp answers. */
function decideUnreachable(row: CheckoutRow, why: string, now: Date): Decision {
  if (isDecided(row)) return unchanged(row)
  const standing: Standing =
    standingOf(row).state === 'waiting'
      ? { state: 'waiting', reason: 'unreachable' }
      : standingOf(row)
  const isOverdue = row.nextCheckAt !== null && row.nextCheckAt <= now
  return {
    changes: {
      ...(row.lastError === null && { lastError: why.slice(0, 500) }),
      ...(isOverdue && { nextCheckAt: after(now, 10 * second) }),
    },
    standing,
  }
}

function decideAccountChanged(row: CheckoutRow, now: Date): Decision {
  // A webhook of the old account for a sale that was believed to be over: nobody else can tell what it means.
  const isTold = row.state === 'closed' && row.details !== null && row.nextCheckAt !== null
  if (row.state === 'submitted' || isTold) return review(row, 'account-changed', now)
  if (isUnfinished(row)) return closed(row)
  // Nobody can be asked about it, so it is not looked at either.
  const nextCheckAt = row.state === 'review' ? laterInReview(row, now) : null
  return { changes: { nextCheckAt }, standing: standingOf(row) }
}

function decideOwner(
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
        nextCheckAt: laterInReview(row, now),
      },
      standing: standingOf({ ...row, state: 'review' }),
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
        standing: { state: 'paid' },
        book: {
          id: row.sumupTransactionId ?? '',
          code: row.sumupTransactionCode ?? undefined,
          amount: row.paidAmount ?? row.amount,
          currency: row.paidCurrency ?? row.currency,
        },
      }
    case 'refund-made':
      return {
        changes: { ...done, state: 'refunded', refundingAt: null },
        standing: { state: 'review', reason: 'refunded' },
      }
    case 'dismissed':
      return {
        changes: { ...done, state: 'dismissed', note: event.note },
        standing: standingOf(row),
      }
  }
}
