import type { SumupCheckout } from '#server/sumup/answers.ts'
import {
  isEveryCardDeclined,
  isUnfinished,
  pendingOf,
  pendingSince,
  saleEntry,
  statusOf,
  type Decision,
  type Sale,
  type SaleCase,
} from './case.ts'
import { clearEntry, withSale } from './entries.ts'
import { close, keepInReview, review } from './outcomes.ts'
import { isKept } from './payment.ts'
import type { Reading } from './reading.ts'
import {
  addMs,
  bankHoldMs,
  endMarginMs,
  expiredChecksMs,
  isOlder,
  lostAfterMs,
  minute,
  nextBankCheck,
  nextCheck,
  nextUnpaidCheck,
  priorities,
  second,
  stuckAfterMs,
  unendedAfterMs,
  unclearMs,
  unseenHoldMs,
  unreadAfterMs,
} from './schedule.ts'

/** The part of reconcile for sales of which SumUp shows no money taken. */

/** Others get what is held for a card that SumUp does not show minutes after Pay now. The sale goes on without it. */
function withoutUnseenHold(kase: SaleCase, now: Date): SaleCase {
  const { heldAt, detailsAt } = kase.sale
  const isOver = heldAt && detailsAt && isOlder(detailsAt, unseenHoldMs, now)
  return isOver ? withSale(kase, { heldAt: null }) : kase
}

/** Not paid, not at the bank, not expired: declined, or no card yet. */
export function reconcileUnpaid(read: SaleCase, seen: SumupCheckout, now: Date): Decision {
  const kase = withoutUnseenHold(read, now)
  const { sale } = kase
  // Without details, or closed: not checked until something happens.
  if (sale.state === 'closed' || sale.state === 'open') {
    const after = withSale(kase, { unclearSince: null, nextCheckAt: null })
    return { after, status: statusOf(after) }
  }
  const isOverdue = now.getTime() - sale.validUntil.getTime() > endMarginMs
  const unclearSince = isOverdue ? (sale.unclearSince ?? now) : null
  if (unclearSince && isOlder(unclearSince, unendedAfterMs, now))
    return { ...review(kase, 'contradiction', now, { since: unclearSince }), endAtSumup: true }
  const known = withSale(clearEntry(kase, sale.id, now), {
    state: sale.state === 'review' ? 'submitted' : sale.state,
    ...nextUnpaidCheck(sale, now),
    unclearSince: null,
    expiredSince: null,
  })
  const isDeclined = seen.status === 'FAILED' && isEveryCardDeclined(kase) && !sale.hasTooManyCards
  return {
    after: withSale(known, { unclearSince }),
    status: isDeclined ? { state: 'declined' } : statusOf(known),
    // Past its end SumUp takes no card on it, whether or not SumUp says so: only ending it makes that certain.
    ...((sale.hasTooManyCards || isOverdue) && { endAtSumup: true }),
  }
}

/** A card is at the buyer's bank, so the sale goes on whatever else SumUp says. */
export function reconcileAtBank(kase: SaleCase, now: Date): Decision {
  const { sale } = kase
  const entry = saleEntry(kase)
  const since = pendingSince(kase)
  const isKnownStuck = entry?.state === 'open' && entry.reason === 'stuck'
  if (isKnownStuck || isOlder(since, stuckAfterMs, now)) return review(kase, 'stuck', now)
  const after = withSale(clearEntry(kase, sale.id, now), {
    state: 'submitted',
    heldAt: isOlder(since, bankHoldMs, now) ? null : sale.heldAt,
    unclearSince: null,
    expiredSince: null,
    ...nextBankCheck(sale, since, now),
  })
  return {
    after,
    status: sale.hasTooManyCards ? { state: 'too-many-cards' } : { state: 'at-bank' },
  }
}

/**
 * SumUp says EXPIRED and shows no payment in progress. If a card may have been sent, that is confirmed by further checks, and
 * the first of them must agree before the buyer is told: reads lag, and a new form beside a hidden card charges twice.
 */
export function reconcileExpired(read: SaleCase, reading: Reading, now: Date): Decision {
  const kase = withoutUnseenHold(read, now)
  const { sale } = kase
  const since = sale.expiredSince ?? now
  const isConfirmed = isEveryCardDeclined(kase) || isOlder(since, unclearMs, now)
  const isEnded = reading.isEnding && (isConfirmed || !endsByItself(sale, now))
  if (sale.state === 'open' || sale.state === 'closed' || sale.hasTooManyCards || isEnded)
    return close(kase, now)
  const endedAt = isSoonAfter(sale.validUntil, since) ? sale.validUntil : since
  const next = expiredChecksMs.find((ms) => ms > now.getTime() - endedAt.getTime())
  if (next === undefined) return close(kase, now)
  const after = withSale(clearEntry(kase, sale.id, now), {
    state: sale.state === 'review' ? 'submitted' : sale.state,
    expiredSince: since,
    nextCheckAt: addMs(endedAt, next),
    priority: priorities.submitted,
  })
  return {
    after,
    status: isConfirmed ? { state: 'closed' } : { state: 'waiting', reason: 'unclear' },
  }
}

/** Around its own end, EXPIRED does not say that SumUp has ended the checkout on request: a card may be hidden behind it. */
function endsByItself({ validUntil }: Sale, now: Date): boolean {
  const leftMs = validUntil.getTime() - now.getTime()
  return leftMs < minute && leftMs > -endMarginMs
}

/** Whether the expiry was seen so soon after the checkout's end that the checks can be counted from that end. */
function isSoonAfter(end: Date, seenAt: Date): boolean {
  const afterMs = seenAt.getTime() - end.getTime()
  return afterMs >= 0 && afterMs <= endMarginMs
}

/** SumUp does not find the checkout: it may be delayed, or never have received it. */
export function reconcileMissing(read: SaleCase, now: Date): Decision {
  const kase = withSale(read, { unreadSince: null, lastError: null })
  const { sale } = kase
  const entry = saleEntry(kase)
  const paid = kase.payments.find(isKept)
  if (paid && entry?.state !== 'open') return review(kase, 'lost-at-sumup', now, { payment: paid })
  if (sale.state === 'created' || sale.state === 'open') return close(kase, now)
  if (entry?.state === 'open') return keepInReview(kase, entry, now)
  if (sale.state === 'closed') {
    const after = withSale(kase, { nextCheckAt: null })
    return { after, status: statusOf(after) }
  }
  if (now.getTime() - sale.validUntil.getTime() > lostAfterMs)
    return review(kase, 'lost-at-sumup', now)
  const isAtBank = pendingOf(kase).length > 0
  const after = withSale(isAtBank ? kase : withoutUnseenHold(kase, now), nextCheck(sale, now))
  return { after, status: { state: 'waiting', reason: 'unclear' } }
}

/**
 * Nothing is known, so nothing changes, and the check does not count: it is repeated as soon as SumUp answers. What nobody
 * can read for an hour, a person must see.
 */
export function reconcileUnread(kase: SaleCase, why: string, now: Date): Decision {
  const { sale } = kase
  const unreadSince = sale.unreadSince ?? now
  const isOverdue = sale.nextCheckAt !== null && sale.nextCheckAt <= now
  const known = withSale(kase, {
    unreadSince,
    lastError: sale.lastError ?? why.slice(0, 500),
    ...(isOverdue && { nextCheckAt: addMs(now, 10 * second) }),
  })
  const payment = kase.payments.find(isKept)
  // A closed one is looked at again because something was announced.
  const isAwaited = sale.state === 'submitted' || (sale.state === 'closed' && sale.nextCheckAt)
  const isMeant = payment !== undefined || (isAwaited && sale.details !== null)
  if (isMeant && isOlder(unreadSince, unreadAfterMs, now))
    return review(known, 'unreadable', now, { payment })
  const status = statusOf(known)
  return {
    after: known,
    status: status.state === 'waiting' ? { state: 'waiting', reason: 'unreachable' } : status,
  }
}

export function reconcileOtherAccount(kase: SaleCase, now: Date): Decision {
  const { sale } = kase
  const entry = saleEntry(kase)
  // A webhook of the old account for a closed sale: its meaning cannot be looked up.
  const isNotified = sale.state === 'closed' && sale.startedAt !== null && sale.nextCheckAt !== null
  if (sale.state === 'submitted' || isNotified)
    return review(kase, 'account-changed', now, { payment: kase.payments.find(isKept) })
  if (isUnfinished(sale)) return close(kase, now)
  // The other account cannot be queried, so there is nothing to check.
  if (entry?.state === 'open') return keepInReview(kase, entry, now)
  const after = withSale(kase, { nextCheckAt: null })
  return { after, status: statusOf(after) }
}
