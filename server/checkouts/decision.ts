import { reviewReasons, type CheckoutStatus, type ReviewReason } from '#contract/checkouts.ts'
import type { CheckoutDetails } from '#contract/orders.ts'
import type { checkouts } from '#server/db/schema.ts'
import type { SumupCheckout } from '#server/sumup/answers.ts'

/** The words of the state machine: states, events, decisions, and the pieces that decisions are made of. */

export type CheckoutRow = typeof checkouts.$inferSelect

export const checkoutStates = [
  /** Committed here; SumUp is not yet known to have it. */
  'created',
  /** SumUp has it; a form may be shown; no details yet. */
  'open',
  /** Details are kept; a card may be under way. */
  'submitted',
  /** Exactly one order exists. */
  'paid',
  /** A person decides. */
  'review',
  /** Nothing was taken and nothing can be taken. A late payment still wins. */
  'closed',
  /** A person decided: the money was given back, or there was nothing to do. */
  'refunded',
  'dismissed',
] as const
export type CheckoutState = (typeof checkoutStates)[number]

/** A payment that went through at SumUp. */
export type Payment = { id: string; code: string | undefined; amount: string; currency: string }

export type CheckoutEvent =
  /** SumUp has the checkout. */
  | { type: 'opened'; sumupCheckoutId: string }
  /** The buyer hands in contact and delivery, right before a card. */
  | { type: 'details'; details: CheckoutDetails; formId: string }
  /** SumUp's answer, or that it does not find the checkout. Which payments were given back only a full look tells. */
  | { type: 'answer'; seen: SumupCheckout | undefined; refundedIds?: string[] }
  /** SumUp could not be asked. */
  | { type: 'unreachable'; why: string }
  /** SumUp says that something happened. */
  | { type: 'webhook' }
  /** The row was begun under another account than today's. */
  | { type: 'account-changed' }
  /** SumUp confirmed that no card can be paid on it any more. */
  | { type: 'ended' }
  /** Too many cards were declined, here or from the same address. */
  | { type: 'too-many-cards' }
  /** The payment already belongs to another sale. */
  | { type: 'payment-reused'; payment: Payment }
  /** An owner's decision about a review entry. */
  | { type: 'order-made'; details: CheckoutDetails; by: string }
  | { type: 'refund-begun' }
  | { type: 'refund-failed' }
  | { type: 'refund-made'; by: string }
  | { type: 'dismissed'; note: string; by: string }
  | { type: 'restored' }

/** The columns that a decision may change. Everything else of a row is set once, when it is added. */
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
  /** What is written; nothing where the row stays as it is. */
  changes: Changes
  /** How the sale stands afterwards, for whoever asked. The order's id is added once it is booked. */
  standing: Standing
  /** An order is made for this payment, in the same step as the changes. */
  book?: Payment
  /** Further payments on the same checkout. */
  extraPayments?: Payment[]
  /** SumUp should be asked to end the checkout. */
  endAtSumup?: boolean
  /** Declined cards that were not known before. */
  newFailures?: number
}

export type Standing = Exclude<CheckoutStatus, { state: 'paid' }> | { state: 'paid' }

/** What the sweep takes first. */
export const priorities = { lazy: 0, submitted: 1, fresh: 2, webhook: 3 } as const

export const second = 1000
export const minute = 60 * second
export const hour = 60 * minute
export const day = 24 * hour

/** After keeping details, and after a look that brought nothing new. */
export const firstLookMs = 2 * second
export const freshLooks = 6
export const longestPauseMs = 15 * minute
/** At the bank: an hour of close looks, then rarer ones, then a person. */
export const closeLooksMs = hour
export const closePauseMs = minute
export const stuckAfterMs = 7 * day
/** SumUp's parts hear of a payment one after the other; a contradiction that stays longer needs a person. */
export const unclearMs = 30 * second
export const unclearPauseMs = 5 * second
/** Looks after SumUp said EXPIRED, counted from the first time it did. */
export const expiredLooksMs = [minute, 5 * minute, 15 * minute]
/** So long after its time a checkout that SumUp does not find, or never ends, is waited for. */
export const lostAfterMs = day

/** Review entries that SumUp's own word may still clear, and how often it is asked. */
export const selfClearing: Partial<Record<ReviewReason, number>> = {
  contradiction: closePauseMs,
  unreadable: closePauseMs,
  stuck: 6 * hour,
  'lost-at-sumup': 6 * hour,
  // Only where the shop has gone back to the account that the sale was begun under.
  'account-changed': 6 * hour,
}

/** States that a card can still be paid in, as far as we know. */
export const unfinished: CheckoutState[] = ['created', 'open', 'submitted']

/** How a row stands by itself, without asking SumUp. */
export function standingOf(row: CheckoutRow): Standing {
  if (row.state === 'paid') return { state: 'paid' }
  if (row.state === 'refunded') return { state: 'review', reason: 'refunded' }
  if (row.state === 'review' || row.state === 'dismissed')
    return { state: 'review', reason: reasonOf(row) }
  if (row.state === 'submitted' && row.unclearSince) return { state: 'waiting', reason: 'unclear' }
  if (row.hasTooManyCards) return { state: 'too-many-cards' }
  if (!isUnfinished(row)) return { state: 'closed' }
  if (row.atBankSince) return { state: 'at-bank' }
  return row.state === 'submitted' ? { state: 'waiting', reason: 'no-card' } : { state: 'open' }
}

export function reasonOf({ reviewReason }: Pick<CheckoutRow, 'reviewReason'>): ReviewReason {
  return reviewReasons.find((reason) => reason === reviewReason) ?? 'contradiction'
}

export function unchanged(row: CheckoutRow): Decision {
  return { changes: {}, standing: standingOf(row) }
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
    standing: row.hasTooManyCards ? { state: 'too-many-cards' } : { state: 'closed' },
  }
}

export function isUnfinished({ state }: Pick<CheckoutRow, 'state'>): boolean {
  return unfinished.some((one) => one === state)
}

/** There is an order, or a person has decided about a payment that was known. */
export function isDecided(row: CheckoutRow): boolean {
  return (
    row.state === 'paid' ||
    row.state === 'refunded' ||
    (row.state === 'dismissed' && !isDismissedUnpaid(row))
  )
}

/** SumUp is being asked to give the money back; one that got no answer may be tried again after this. */
const refundWithinMs = 2 * minute

export function isRefunding({ refundingAt }: Pick<CheckoutRow, 'refundingAt'>, now: Date): boolean {
  return refundingAt !== null && now.getTime() - refundingAt.getTime() < refundWithinMs
}

/** A person has decided that nothing is to be done, when nobody knew of a payment. Money that comes after all is news. */
export function isDismissedUnpaid({ state, sumupTransactionId }: CheckoutRow): boolean {
  return state === 'dismissed' && sumupTransactionId === null
}

/**
 * Nothing that SumUp says changes it any more. Once something did not fit, a better word later does not make it fit: a
 * person has been asked.
 */
export function isFinal(row: CheckoutRow): boolean {
  return isDecided(row) || (row.state === 'review' && !isSelfClearing(row))
}

export function isSelfClearing({ reviewReason }: Pick<CheckoutRow, 'reviewReason'>): boolean {
  return reviewReason !== null && reviewReason in selfClearing
}

/** A row that SumUp's clear word takes out of review goes on where it was. */
export function backFromReview({ state }: CheckoutRow): Changes {
  return state === 'review' ? { state: 'submitted', reviewReason: null, reviewAt: null } : {}
}

/** Money may move, or have moved: the sale is watched, whether it has details or was believed to be over. */
export function underWay(row: CheckoutRow): Changes {
  return row.state === 'open' || row.state === 'closed'
    ? { state: 'submitted' }
    : backFromReview(row)
}

export function laterInReview(row: Pick<CheckoutRow, 'reviewReason'>, now: Date): Date | null {
  const pauseMs = selfClearing[reasonOf(row)]
  return pauseMs === undefined ? null : after(now, pauseMs)
}

export function dueNow(now: Date): Changes {
  return { nextCheckAt: now, priority: priorities.webhook }
}

/** 2 s, 5 s, 10 s, then half as long again up to 15 min. */
export function nextLook(
  row: CheckoutRow,
  now: Date,
): { nextCheckAt: Date; checks: number; priority: number } {
  const pauses = [5 * second, 10 * second]
  const pauseMs =
    pauses[row.checks] ??
    Math.min(longestPauseMs, 10 * second * 1.5 ** Math.min(row.checks - 1, 20))
  return {
    nextCheckAt: after(now, pauseMs),
    checks: row.checks + 1,
    priority: row.checks < freshLooks ? priorities.fresh : priorities.submitted,
  }
}

export function after(time: Date, ms: number): Date {
  return new Date(time.getTime() + ms)
}

export function earlier(one: Date, other: Date): Date {
  return one < other ? one : other
}

export function isSameList(one: string[], other: string[]): boolean {
  return one.length === other.length && one.every((id, index) => id === other[index])
}

export function review(
  row: CheckoutRow,
  reason: ReviewReason,
  now: Date,
  found: {
    payment?: Payment | undefined
    /** Whether the payment is kept as this row's own. */
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
      // A payment id that may belong to another sale is not taken from it.
      ...(payment && found.isClaimed !== false && { sumupTransactionId: payment.id }),
      ...(payment?.code && { sumupTransactionCode: payment.code }),
      ...(isOther && { paidAmount: payment.amount, paidCurrency: payment.currency }),
      unclearSince: found.since ?? null,
      atBankSince: null,
      expiredSince: null,
      nextCheckAt: laterInReview({ reviewReason: reason }, now),
      priority: priorities.lazy,
      checks: row.checks + 1,
    },
    standing: { state: 'review', reason },
  }
}
