import { reviewReasons, type CheckoutStatus, type ReviewReason } from '#contract/checkouts.ts'
import type { CheckoutDetails } from '#contract/orders.ts'
import type { checkouts } from '#server/db/schema.ts'
import type { SumupCheckout } from '#server/sumup/answers.ts'

/** The types of the state machine (states, events, decisions) and the functions that decisions are built from. */

export type CheckoutRow = typeof checkouts.$inferSelect

export const checkoutStates = [
  /** Stored here; not known whether SumUp has it. */
  'created',
  /** SumUp has it; no details yet. */
  'open',
  /** Details are saved; a card may be in progress. */
  'submitted',
  /** Exactly one order exists. */
  'paid',
  /** A person decides. */
  'review',
  /** Nothing was charged and nothing can be. A late payment still becomes an order. */
  'closed',
  /** Decided by a person: refunded, or nothing to do. */
  'refunded',
  'dismissed',
] as const
export type CheckoutState = (typeof checkoutStates)[number]

/** A successful payment at SumUp. */
export type Payment = { id: string; code: string | undefined; amount: string; currency: string }

export type CheckoutEvent =
  /** SumUp has the checkout. */
  | { type: 'opened'; sumupCheckoutId: string }
  /** The buyer submits contact and delivery, right before a card. */
  | { type: 'details'; details: CheckoutDetails; formId: string }
  /** SumUp's checkout, undefined if not found. Refunds show only in the transactions, so their ids come along. */
  | { type: 'answer'; seen: SumupCheckout | undefined; refundedIds?: string[] }
  /** SumUp could not be reached. */
  | { type: 'unreachable'; why: string }
  /** SumUp notified the shop of a change. */
  | { type: 'webhook' }
  /** The checkout belongs to another SumUp account than the configured one. */
  | { type: 'account-changed' }
  /** SumUp confirmed that the checkout accepts no card any more. */
  | { type: 'ended' }
  /** Too many cards were declined, here or from the same address. */
  | { type: 'too-many-cards' }
  /** The payment already belongs to another sale. */
  | { type: 'payment-reused'; payment: Payment }
  /** An admin's decision about a review entry. */
  | { type: 'order-made'; details: CheckoutDetails; by: string }
  | { type: 'refund-begun' }
  | { type: 'refund-failed' }
  | { type: 'refund-made'; by: string }
  | { type: 'dismissed'; note: string; by: string }
  | { type: 'restored' }

/** The columns that a decision may change. All others are set once, on insert. */
export const mutableColumns = [
  'state',
  'sumupCheckoutId',
  'sumupTransactionId',
  'sumupTransactionCode',
  'paidAmount',
  'paidCurrency',
  'failedIds',
  'seenIds',
  'knownIds',
  'atBankSince',
  'hasTooManyCards',
  'details',
  'detailsAt',
  'formId',
  'startedAt',
  'visitor',
  'toldAt',
  'reviewReason',
  'reviewAt',
  'refundingAt',
  'note',
  'handledAt',
  'handledBy',
  'unclearSince',
  'expiredSince',
  'nextCheckAt',
  'priority',
  'checks',
  'lastError',
] as const
export type Changes = Partial<Pick<CheckoutRow, (typeof mutableColumns)[number]>>

export type Decision = {
  /** Empty if the row stays as it is. */
  changes: Changes
  /** The status afterwards, for the caller. */
  status: StatusWithoutOrder
  /** An order is created for this payment, in the same statement as the changes. */
  orderFor?: Payment
  /** Further payments on the same checkout. */
  extraPayments?: Payment[]
  /** The checkout is to be ended at SumUp. */
  endAtSumup?: boolean
  /** Declined cards seen for the first time. */
  newFailures?: number
}

/** An order's id is known only once it is inserted. */
export type StatusWithoutOrder = Exclude<CheckoutStatus, { state: 'paid' }> | { state: 'paid' }

/** The sweep's order of work, highest first. */
export const priorities = { lazy: 0, submitted: 1, fresh: 2, webhook: 3 } as const

export const second = 1000
export const minute = 60 * second
export const hour = 60 * minute
export const day = 24 * hour

/** The first check after details were saved. */
export const firstCheckMs = 2 * second
export const freshChecks = 6
export const maxPauseMs = 15 * minute
/** At the bank: an hour of frequent checks, then rarer ones, then review. */
export const frequentChecksMs = hour
export const frequentPauseMs = minute
export const stuckAfterMs = 7 * day
/** SumUp's own data is eventually consistent; a contradiction that lasts longer goes to review. */
export const unclearMs = 30 * second
export const unclearPauseMs = 5 * second
/** How much later than ours SumUp's clock may end a checkout. */
export const endMarginMs = 5 * minute
/** Checks of an expired checkout, counted from its end if that was noticed soon, otherwise from when SumUp first said so. */
export const expiredChecksMs = [unclearMs, minute, 5 * minute, 15 * minute]
/** How long past its end a checkout is waited for that SumUp does not find. */
export const lostAfterMs = day

/** Review reasons that a later answer of SumUp may resolve, with the pause between checks. */
export const selfClearing: Partial<Record<ReviewReason, number>> = {
  contradiction: frequentPauseMs,
  unreadable: frequentPauseMs,
  stuck: 6 * hour,
  'lost-at-sumup': 6 * hour,
  // Only if the shop returns to the account of the sale.
  'account-changed': 6 * hour,
}

/** States in which a card may still be charged. */
export const unfinished: CheckoutState[] = ['created', 'open', 'submitted']

/** The status of a row without asking SumUp. */
export function statusOf(row: CheckoutRow): StatusWithoutOrder {
  if (row.state === 'paid') return { state: 'paid' }
  if (row.state === 'refunded') return { state: 'review', reason: 'refunded' }
  if (row.state === 'review' || row.state === 'dismissed')
    return { state: 'review', reason: reasonOf(row) }
  if (row.state === 'submitted' && (row.unclearSince || (row.expiredSince && !row.hasTooManyCards)))
    return { state: 'waiting', reason: 'unclear' }
  if (row.hasTooManyCards) return { state: 'too-many-cards' }
  if (!isUnfinished(row)) return { state: 'closed' }
  if (row.atBankSince) return { state: 'at-bank' }
  return row.state === 'submitted' ? { state: 'waiting', reason: 'no-card' } : { state: 'open' }
}

export function reasonOf({ reviewReason }: Pick<CheckoutRow, 'reviewReason'>): ReviewReason {
  return reviewReasons.find((reason) => reason === reviewReason) ?? 'contradiction'
}

export function unchanged(row: CheckoutRow): Decision {
  return { changes: {}, status: statusOf(row) }
}

export function closed(row: CheckoutRow, changes: Changes = {}): Decision {
  return {
    changes: {
      ...changes,
      state: 'closed',
      reviewReason: null,
      reviewAt: null,
      atBankSince: null,
      unclearSince: null,
      expiredSince: null,
      nextCheckAt: null,
      lastError: null,
    },
    status: row.hasTooManyCards ? { state: 'too-many-cards' } : { state: 'closed' },
  }
}

export function isUnfinished({ state }: Pick<CheckoutRow, 'state'>): boolean {
  return unfinished.some((one) => one === state)
}

/** There is an order, or a person decided about a known payment. */
export function isDecided(row: CheckoutRow): boolean {
  return (
    row.state === 'paid' ||
    row.state === 'refunded' ||
    (row.state === 'dismissed' && !isDismissedUnpaid(row))
  )
}

/** A refund without an answer may be tried again after this. */
const refundTimeoutMs = 2 * minute

export function isRefunding({ refundingAt }: Pick<CheckoutRow, 'refundingAt'>, now: Date): boolean {
  return refundingAt !== null && now.getTime() - refundingAt.getTime() < refundTimeoutMs
}

/** Dismissed while no payment was known: a payment that arrives later reopens it. */
export function isDismissedUnpaid({ state, sumupTransactionId }: CheckoutRow): boolean {
  return state === 'dismissed' && sumupTransactionId === null
}

/** No answer of SumUp changes it any more: once a person was asked about a mismatch, they decide. */
export function isFinal(row: CheckoutRow): boolean {
  return isDecided(row) || (row.state === 'review' && !isSelfClearing(row))
}

export function isSelfClearing({ reviewReason }: Pick<CheckoutRow, 'reviewReason'>): boolean {
  return reviewReason !== null && reviewReason in selfClearing
}

/** A clear answer of SumUp takes a row out of review. */
export function leaveReview({ state }: CheckoutRow): Changes {
  return state === 'review' ? { state: 'submitted', reviewReason: null, reviewAt: null } : {}
}

/** Money may move or have moved: the sale is checked on, even without details or after it was closed. */
export function toSubmitted(row: CheckoutRow): Changes {
  return row.state === 'open' || row.state === 'closed' ? { state: 'submitted' } : leaveReview(row)
}

export function nextReviewCheck(row: Pick<CheckoutRow, 'reviewReason'>, now: Date): Date | null {
  const pauseMs = selfClearing[reasonOf(row)]
  return pauseMs === undefined ? null : addMs(now, pauseMs)
}

export function dueNow(now: Date): Changes {
  return { nextCheckAt: now, priority: priorities.webhook }
}

/** 5 s, 10 s, then 1.5 times longer each, up to 15 min. */
export function nextCheck(
  row: CheckoutRow,
  now: Date,
): { nextCheckAt: Date; checks: number; priority: number } {
  const pauses = [5 * second, 10 * second]
  const pauseMs =
    pauses[row.checks] ?? Math.min(maxPauseMs, 10 * second * 1.5 ** Math.min(row.checks - 1, 20))
  return {
    nextCheckAt: addMs(now, pauseMs),
    checks: row.checks + 1,
    priority: row.checks < freshChecks ? priorities.fresh : priorities.submitted,
  }
}

export function addMs(time: Date, ms: number): Date {
  return new Date(time.getTime() + ms)
}

export function minDate(one: Date, other: Date): Date {
  return one < other ? one : other
}

export function review(
  row: CheckoutRow,
  reason: ReviewReason,
  now: Date,
  found: {
    payment?: Payment | undefined
    /** False for a payment that may belong to another sale: its id is not stored. */
    isClaimed?: boolean
    since?: Date
    changes?: Changes
  } = {},
): Decision {
  const { payment } = found
  const isOther = payment && (payment.amount !== row.amount || payment.currency !== row.currency)
  return {
    changes: {
      ...found.changes,
      state: 'review',
      reviewReason: reason,
      reviewAt: row.state === 'review' && row.reviewAt ? row.reviewAt : now,
      ...(payment && found.isClaimed !== false && { sumupTransactionId: payment.id }),
      ...(payment?.code && { sumupTransactionCode: payment.code }),
      ...(isOther && { paidAmount: payment.amount, paidCurrency: payment.currency }),
      unclearSince: found.since ?? null,
      atBankSince: null,
      expiredSince: null,
      nextCheckAt: nextReviewCheck({ reviewReason: reason }, now),
      priority: priorities.lazy,
      checks: row.checks + 1,
    },
    status: { state: 'review', reason },
  }
}
