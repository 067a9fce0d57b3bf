import type { CheckoutStatus } from '#contract/checkouts.ts'

import { isPaying, type Payment } from './payment.ts'
import { hasNoCard, type PollResult } from './status-polling.ts'

/** How long SumUp must have no payment after an error of the widget: up to the third request, as timers are not exact. */
export const noCardAfterErrorMs = 1_400
/** The same where the widget is gone. */
const noCardAfterLeavingMs = 15_000
/** How long a status must last to be believed after a silence of the widget, and in a review. */
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
}

export type FollowStep =
  | { type: 'wait' | 'not-found' | 'no-card' | 'at-bank' | 'delayed' }
  /** The outcome is known, or a person decides about it. */
  | { type: 'apply'; status: CheckoutStatus }
  /** The shop reviews the payment no longer, so the page must not say so. */
  | { type: 'review-ended' }

const wait: FollowStep = { type: 'wait' }

/** What an answer of the server means for a page that waits for the outcome of a card. */
export function decideFollow(
  payment: Payment,
  result: PollResult,
  { noCardMs = noCardAfterLeavingMs, bankMs = 0 }: FollowOptions = {},
): FollowStep {
  if (payment.state === 'review') return followReview(payment.reason, result)
  const { status, unchangedMs, waitedMs, isNotFound } = result
  if (isNotFound) return { type: 'not-found' }
  if (status && isFinal(status)) return { type: 'apply', status }
  const wasAtBank = payment.state === 'at-bank'
  const minNoCardMs = wasAtBank ? noCardAfterLeavingMs : noCardMs
  if (status && hasNoCard(status) && unchangedMs >= minNoCardMs) return { type: 'no-card' }
  if (status?.state === 'at-bank' && !wasAtBank && unchangedMs >= bankMs) return { type: 'at-bank' }
  return waitedMs >= delayedMs && isPaying(payment) ? { type: 'delayed' } : wait
}

/** A review ends when the shop decides, or when SumUp's status becomes clear. */
function followReview(
  shownReason: string | undefined,
  { status, unchangedMs }: PollResult,
): FollowStep {
  if (status?.state === 'paid') return { type: 'apply', status }
  if (!status || unchangedMs < steadyMs) return wait
  if (status.state === 'review' && status.reason === shownReason) return wait
  const isOver = status.state !== 'review' && status.state !== 'too-many-cards'
  return isOver ? { type: 'review-ended' } : { type: 'apply', status }
}

/** Whether nothing has to be waited for any more. */
function isFinal({ state }: CheckoutStatus): boolean {
  return state !== 'open' && state !== 'waiting' && state !== 'at-bank'
}
