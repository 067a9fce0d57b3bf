import type { ReviewReason } from '#contract/checkouts.ts'
import { reasonOf, saleEntry, statusOf, type Decision, type Entry, type SaleCase } from './case.ts'
import { clearEntry, openEntry, withSale } from './entries.ts'
import type { Payment } from './payment.ts'
import {
  addMs,
  isOlder,
  nextReviewCheck,
  priorities,
  unclearMs,
  unclearPauseMs,
} from './schedule.ts'

/** How a reading can end for a sale without an order. */

/** SumUp's answer makes no sense. It may only be early; if it stays so, it goes to review. */
export function unclear(
  kase: SaleCase,
  reason: 'contradiction' | 'unreadable',
  now: Date,
  payment?: Payment,
): Decision {
  const { sale } = kase
  const since = sale.unclearSince ?? now
  if (sale.state === 'review' || isOlder(since, unclearMs, now))
    return review(kase, reason, now, { payment, since })
  const after = withSale(kase, {
    state: 'submitted',
    unclearSince: since,
    nextCheckAt: addMs(now, unclearPauseMs),
    priority: priorities.fresh,
  })
  return { after, status: { state: 'waiting', reason: 'unclear' } }
}

/** Nothing was charged, and nothing can be. */
export function close(kase: SaleCase, now: Date): Decision {
  const wasReviewed = saleEntry(kase) !== undefined
  const after = withSale(clearEntry(kase, kase.sale.id, now), {
    state: 'closed',
    unclearSince: null,
    expiredSince: null,
    unreadSince: null,
    nextCheckAt: null,
    lastError: null,
  })
  const status = kase.sale.hasTooManyCards ? 'too-many-cards' : 'closed'
  return { after, status: { state: status }, ...(wasReviewed && { mails: ['not-charged'] }) }
}

export function review(
  kase: SaleCase,
  reason: ReviewReason,
  now: Date,
  { payment, since }: { payment?: Payment | undefined; since?: Date } = {},
): Decision {
  const { sale } = kase
  const opened = openEntry(kase, sale.id, reason, payment, now)
  const entry = saleEntry(kase)
  const isSame = entry?.state === 'open' && entry.reason === reason
  const began = since ?? (isSame ? entry.openedAt : now)
  const after = withSale(opened, {
    state: 'review',
    unclearSince: since ?? null,
    expiredSince: null,
    nextCheckAt: nextReviewCheck(reason, began, now),
    priority: priorities.lazy,
    checks: sale.checks + 1,
  })
  return { after, status: { state: 'review', reason } }
}

/** The sale stays with the person who was asked. */
export function keepInReview(kase: SaleCase, entry: Entry, now: Date): Decision {
  const after = withSale(kase, {
    state: 'review',
    nextCheckAt: nextReviewCheck(reasonOf(entry), entry.openedAt, now),
  })
  return { after, status: statusOf(after) }
}
