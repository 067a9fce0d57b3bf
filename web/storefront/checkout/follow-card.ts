import { type CheckoutStatus, maxUnseenCardMs } from '#contract/checkouts.ts'

import { isPaying, type Payment } from './payment.ts'
import { hasNoCard, type PollResult } from './status-polling.ts'

/** How long SumUp must have no payment after an error of the widget: up to the third request, as timers are not exact. */
export const noCardAfterErrorMs = 1_400
/** The same where SumUp's own answer is missing: the widget is gone, or the connection was lost. */
const noCardUnansweredMs = maxUnseenCardMs
/** How long a status must last to be believed after a silence of the widget, after a return, and in a review. */
export const steadyMs = 5_000
/** How long a spinner is shown. */
const delayedMs = 60_000

export type FollowOptions = {
  /** How long SumUp must have no payment before the card form is shown again. By default the widget is gone. */
  noCardMs?: number
  /** How long the card must be at the bank before the page says so. */
  bankMs?: number
  /** SumUp's text for the toast. */
  providerMessage?: string | undefined
  /** Another page submitted the card: without a payment, nothing has failed on this one. */
  isOtherPage?: boolean
  /** The card may have reached SumUp although no answer came back. */
  wasConnectionLost?: boolean
}

export type FollowStep =
  | 'wait'
  | 'not-found'
  | 'no-card'
  | 'at-bank'
  | 'delayed'
  /** The status says how it ended, or that a person decides. */
  | 'apply'
  /** The shop reviews the payment no longer, so the page must not say so. */
  | 'review-ended'

/** What an answer of the server means for a page that waits for the outcome of a card. */
export function decideFollow(
  payment: Payment,
  result: PollResult,
  { noCardMs = noCardUnansweredMs, bankMs = 0, wasConnectionLost }: FollowOptions = {},
): FollowStep {
  if (payment.state === 'review') return followReview(payment.reason, result)
  const { status, unchangedMs, waitedMs, isNotFound } = result
  if (isNotFound) return 'not-found'
  if (status && isFinal(status)) return 'apply'
  const wasAtBank = payment.state === 'at-bank'
  const minNoCardMs = wasAtBank
    ? noCardUnansweredMs
    : Math.max(noCardMs, wasConnectionLost ? noCardUnansweredMs : 0)
  if (status && hasNoCard(status) && unchangedMs >= minNoCardMs) return 'no-card'
  if (status?.state === 'at-bank' && !wasAtBank && unchangedMs >= bankMs) return 'at-bank'
  return waitedMs >= delayedMs && isPaying(payment) ? 'delayed' : 'wait'
}

/** A review ends when the shop decides, or when SumUp's status becomes clear. */
function followReview(
  shownReason: string | undefined,
  { status, unchangedMs }: PollResult,
): FollowStep {
  if (status?.state === 'paid') return 'apply'
  if (!status || unchangedMs < steadyMs) return 'wait'
  if (status.state !== 'review') return 'review-ended'
  return status.reason === shownReason ? 'wait' : 'apply'
}

/** Whether nothing has to be waited for any more. */
function isFinal({ state }: CheckoutStatus): boolean {
  return !['open', 'waiting', 'at-bank'].includes(state)
}
