import type { ReviewReason } from '#contract/checkouts.ts'
import type { Sale } from './record.ts'

/** When SumUp is asked again. */

export const second = 1000
export const minute = 60 * second
export const hour = 60 * minute
export const day = 24 * hour

/** The sweep's order of work, highest first. */
export const priorities = { lazy: 0, submitted: 1, fresh: 2, webhook: 3 } as const

/** How long after details were saved the first check is made. */
export const firstCheckMs = 2 * second
const freshChecks = 6
export const maxPauseMs = 15 * minute
/** A card at the bank is checked often for an hour, then rarely, then the owner is asked. */
const frequentChecksMs = hour
const frequentPauseMs = minute
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
/** How long nobody can read what happened to a sale with details before the owner is told. */
export const unreadAfterMs = hour
/** The same where SumUp calls the checkout paid: its buyer is waiting. */
export const unreadPaidAfterMs = 5 * minute
/** How long SumUp may show a checkout past its end as open, although it was told to end it, before the owner is told. */
export const unendedAfterMs = hour

/** Review reasons that a later answer of SumUp may resolve, with the pause between checks. */
const selfClearing: Partial<Record<ReviewReason, number>> = {
  contradiction: hour,
  unreadable: frequentPauseMs,
  stuck: 6 * hour,
  'lost-at-sumup': 6 * hour,
  // Only if the shop returns to the account of the sale.
  'account-changed': 6 * hour,
}

export function isSelfClearing(reason: ReviewReason): boolean {
  return reason in selfClearing
}

/** `since`: when the reason began. SumUp's answers often contradict each other for a moment only. */
export function nextReviewCheck(reason: ReviewReason, since: Date, now: Date): Date | null {
  const pauseMs = selfClearing[reason]
  if (pauseMs === undefined) return null
  const isFresh = reason === 'contradiction' && !isOlder(since, frequentChecksMs, now)
  return addMs(now, isFresh ? frequentPauseMs : pauseMs)
}

export function addMs(time: Date, ms: number): Date {
  return new Date(time.getTime() + ms)
}

export function minDate(one: Date, other: Date): Date {
  return one < other ? one : other
}

/** Whether `since` is at least this long ago. */
export function isOlder(since: Date, ms: number, now: Date): boolean {
  return now.getTime() - since.getTime() >= ms
}

type NextCheck = Pick<Sale, 'checks' | 'priority'> & { nextCheckAt: Date }

/** The pauses are 5 s, 10 s, then 1.5 times longer each, up to 15 min. */
export function nextCheck({ checks }: Pick<Sale, 'checks'>, now: Date): NextCheck {
  const pauses = [5 * second, 10 * second]
  const pauseMs =
    pauses[checks] ?? Math.min(maxPauseMs, 10 * second * 1.5 ** Math.min(checks - 1, 20))
  return {
    nextCheckAt: addMs(now, pauseMs),
    checks: checks + 1,
    priority: checks < freshChecks ? priorities.fresh : priorities.submitted,
  }
}

/** How long after Pay now a sale holds its piece while SumUp shows no card, and how long with a card at the bank. */
export const unseenHoldMs = 5 * minute
export const bankHoldMs = hour

/** A check shortly before the checkout's end is made right after it instead: that one sees as much, and that it is over. */
export function nextUnpaidCheck(sale: Sale, now: Date): NextCheck {
  const next = nextCheck(sale, now)
  // Other buyers wait for what it holds.
  const lapsesAt = sale.heldAt && sale.detailsAt && addMs(sale.detailsAt, unseenHoldMs)
  if (lapsesAt && now < lapsesAt && lapsesAt < next.nextCheckAt)
    return { ...next, nextCheckAt: lapsesAt }
  const afterEnd = addMs(sale.validUntil, minute)
  const pauseMs = next.nextCheckAt.getTime() - now.getTime()
  const leftMs = sale.validUntil.getTime() - next.nextCheckAt.getTime()
  const isLast = now < sale.validUntil && leftMs < pauseMs
  return isLast && afterEnd.getTime() - now.getTime() <= maxPauseMs
    ? { ...next, nextCheckAt: afterEnd }
    : next
}

/** The next check of a sale whose card is at the bank. */
export function nextBankCheck(sale: Sale, since: Date, now: Date): NextCheck {
  const next = nextCheck(sale, now)
  const pauseMs = isOlder(since, frequentChecksMs, now) ? maxPauseMs : frequentPauseMs
  return { ...next, nextCheckAt: minDate(next.nextCheckAt, addMs(now, pauseMs)) }
}

/** A card that the bank has not answered about for as long is asked about no more, unless the owner waits for that. */
export const followPendingMs = 30 * day

/** The pauses before a payment is read by itself: often at first, in the end every hour. */
export const paymentPausesMs = Array.from({ length: 20 }, (_pause, reads) =>
  Math.min(hour, 5 * second * 1.5 ** reads),
)

export function nextPaymentRead({ reads }: { reads: number }, now: Date): Date {
  return addMs(now, paymentPausesMs[reads] ?? hour)
}
