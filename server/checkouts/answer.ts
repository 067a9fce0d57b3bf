import type { SumupCheckout, SumupPayment } from '#server/sumup/answers.ts'
import {
  type Changes,
  type CheckoutRow,
  type Decision,
  type Payment,
  type Standing,
  after,
  backFromReview,
  closeLooksMs,
  closePauseMs,
  closed,
  earlier,
  expiredLooksMs,
  isDecided,
  isSameList,
  isSelfClearing,
  laterInReview,
  longestPauseMs,
  lostAfterMs,
  nextLook,
  priorities,
  review,
  standingOf,
  stuckAfterMs,
  unchanged,
  unclearMs,
  unclearPauseMs,
} from './decision.ts'

/** What SumUp's answer means for a sale. */

type Answer = { seen: SumupCheckout | undefined; isRefunded?: boolean }

export function decideAnswer(row: CheckoutRow, { seen, isRefunded }: Answer, now: Date): Decision {
  // Once something did not fit, a better word later does not make it fit: a person has been asked.
  if (isDecided(row) || (row.state === 'review' && !isSelfClearing(row))) return unchanged(row)
  if (!seen) return decideMissing(row, now)
  const known = withSeen(row, seen)
  const { paid, reading } = seen
  if (seen.status === 'PAID' || paid.length > 0)
    return decidePaid(known, seen, isRefunded ?? false, now)
  if (reading === 'unreadable') return unclear(known, 'unreadable', now)
  if (seen.pendingIds.length > 0) return atBank(known, now)
  const calm = { ...known, changes: { ...known.changes, atBankSince: null, unclearSince: null } }
  if (seen.status === 'EXPIRED') return expired(calm, now)
  return decideUnpaid(calm, seen, now)
}

/** A row with what this answer adds to it. */
type Known = { row: CheckoutRow; changes: Changes; newFailures: number }

function withSeen(row: CheckoutRow, seen: SumupCheckout): Known {
  const fresh = seen.failedIds.filter((id) => !row.failedIds.includes(id))
  return {
    row,
    newFailures: fresh.length,
    changes: {
      lastError: null,
      ...(fresh.length > 0 && { failedIds: [...row.failedIds, ...fresh] }),
      ...(!isSameList(seen.allIds, row.seenIds) && { seenIds: seen.allIds }),
    },
  }
}

function decidePaid(known: Known, seen: SumupCheckout, isRefunded: boolean, now: Date): Decision {
  const { row } = known
  const [first, ...further] = seen.paid
  if (seen.status !== 'PAID' || !first) {
    const isReadable = seen.reading === 'clear'
    return unclear(known, isReadable ? 'contradiction' : 'unreadable', now, first)
  }
  const misfit = findMisfit(row, seen, first)
  if (misfit === 'unreadable') return unclear(known, 'unreadable', now, first)
  const payment = asPayment(row, first)
  if (misfit) return review(row, 'mismatch', now, { payment, changes: known.changes })
  const isGivenBack = isRefunded || first.status === 'REFUNDED'
  if (isGivenBack) return review(row, 'refunded', now, { payment, changes: known.changes })
  if (!row.details) return review(row, 'no-details', now, { payment, changes: known.changes })
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
    standing: { state: 'paid' },
    book: payment,
    extraPayments: further.flatMap((one) => (one.id ? [asPayment(row, one)] : [])),
  }
}

/** Whether what was paid is what was sold: in full, to us, for this sale. */
function findMisfit(
  row: CheckoutRow,
  seen: SumupCheckout,
  paid: SumupPayment,
): 'mismatch' | 'unreadable' | undefined {
  const told = [
    [seen.id, row.sumupCheckoutId],
    [seen.reference, row.id],
    [seen.merchantCode, row.merchantCode || seen.merchantCode],
    [seen.amount, row.amount],
    [seen.currency, row.currency],
    [paid.amount, row.amount],
    [paid.currency, row.currency],
  ]
  if (!paid.id || told.some(([is]) => is === undefined)) return 'unreadable'
  return told.some(([is, shouldBe]) => is !== shouldBe) ? 'mismatch' : undefined
}

function asPayment(row: CheckoutRow, { id, code, amount, currency }: SumupPayment): Payment {
  return { id: id ?? '', code, amount: amount ?? row.amount, currency: currency ?? row.currency }
}

/** Nothing paid, nothing at the bank, not over: a decline, or nothing yet. */
function decideUnpaid(known: Known, seen: SumupCheckout, now: Date): Decision {
  const { row, newFailures } = known
  const isDeclined =
    seen.status === 'FAILED' && seen.failedIds.some((id) => !row.knownIds.includes(id))
  const standing: Standing = row.hasTooManyCards
    ? { state: 'too-many-cards' }
    : isDeclined
      ? { state: 'declined' }
      : standingOf(row)
  // What is open without details, or closed, is not looked at by itself.
  if (row.state === 'closed' || row.state === 'open')
    return { changes: { ...known.changes, nextCheckAt: null }, standing, newFailures }
  const overdueMs = now.getTime() - row.validUntil.getTime()
  return {
    changes: {
      ...known.changes,
      ...backFromReview(row),
      ...nextLook(row, now),
      expiredSince: null,
    },
    standing,
    newFailures,
    ...((row.hasTooManyCards || overdueMs > lostAfterMs) && { endAtSumup: true }),
  }
}

/** A card is with the buyer's bank: whatever else SumUp says, nothing is over. */
function atBank({ row, changes, newFailures }: Known, now: Date): Decision {
  const since = row.atBankSince ?? now
  const forMs = now.getTime() - since.getTime()
  if (forMs > stuckAfterMs) return review(row, 'stuck', now, { changes })
  const looked = nextLook(row, now)
  const pauseMs = forMs < closeLooksMs ? closePauseMs : longestPauseMs
  return {
    changes: {
      ...changes,
      ...backFromReview(row),
      // A card that left before its details: from now on it is watched like any other.
      ...(row.state === 'open' && { state: 'submitted' as const }),
      atBankSince: since,
      unclearSince: null,
      expiredSince: null,
      ...looked,
      nextCheckAt: earlier(looked.nextCheckAt, after(now, pauseMs)),
    },
    standing: row.hasTooManyCards ? { state: 'too-many-cards' } : { state: 'at-bank' },
    newFailures,
  }
}

/** SumUp says that it is over. Where a card may have been under way it is believed only after further looks. */
function expired({ row, changes, newFailures }: Known, now: Date): Decision {
  if (!row.details || row.hasTooManyCards || row.state === 'closed')
    return { ...closed(row, changes), newFailures }
  const since = row.expiredSince ?? now
  const forMs = now.getTime() - since.getTime()
  const next = expiredLooksMs.find((ms) => ms > forMs)
  if (next === undefined) return { ...closed(row, changes), newFailures }
  return {
    changes: {
      ...changes,
      ...backFromReview(row),
      expiredSince: since,
      nextCheckAt: after(since, next),
      priority: priorities.submitted,
    },
    standing: { state: 'closed' },
    newFailures,
  }
}

/** SumUp does not find it: it may be late, or it never got to know of it. */
function decideMissing(row: CheckoutRow, now: Date): Decision {
  if (row.state === 'created' || row.state === 'open' || !row.details) return closed(row)
  if (row.state === 'review')
    return { changes: { nextCheckAt: laterInReview(row, now) }, standing: standingOf(row) }
  if (row.state === 'closed')
    return { changes: { nextCheckAt: null }, standing: { state: 'closed' } }
  const isLost = now.getTime() - row.validUntil.getTime() > lostAfterMs
  if (isLost) return review(row, 'lost-at-sumup', now)
  return {
    changes: { ...nextLook(row, now), lastError: null },
    standing: { state: 'waiting', reason: 'unclear' },
  }
}

/** SumUp's word cannot be made sense of. It may only be early; if it stays so, the owner sees it. */
function unclear(
  { row, changes, newFailures }: Known,
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
      nextCheckAt: after(now, unclearPauseMs),
      priority: priorities.fresh,
      // Money may have moved: it is watched like a sale with details.
      ...(row.state === 'open' && { state: 'submitted' as const }),
    },
    standing: { state: 'waiting', reason: 'unclear' },
    newFailures,
  }
}
