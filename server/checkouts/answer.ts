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
  isFinal,
  isSameList,
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
  underWay,
} from './decision.ts'

/** What SumUp's answer means for a sale. */

type Answer = { seen: SumupCheckout | undefined; refundedIds?: string[] }

/** The others are not documented: what they mean for money nobody knows. */
const knownStatuses = ['PENDING', 'PAID', 'FAILED', 'EXPIRED']

export function decideAnswer(
  row: CheckoutRow,
  { seen, refundedIds = [] }: Answer,
  now: Date,
): Decision {
  if (isFinal(row)) return unchanged(row)
  if (row.state === 'dismissed') return decideDismissed(row, seen, now)
  if (!seen) return decideMissing(row, now)
  const known = withSeen(row, seen)
  if (seen.status === 'PAID' || seen.paid.length > 0)
    return decidePaid(known, seen, refundedIds, now)
  if (seen.reading === 'unreadable' || !knownStatuses.includes(seen.status))
    return unclear(known, 'unreadable', now)
  if (seen.pendingIds.length > 0) return atBank(known, now)
  const calm = { ...known, changes: { ...known.changes, atBankSince: null, unclearSince: null } }
  if (seen.status === 'EXPIRED') return expired(calm, now)
  return decideUnpaid(calm, seen, now)
}

/** Money that came after a person had dismissed the sale: they decide once more, whatever it looks like. */
function decideDismissed(row: CheckoutRow, seen: SumupCheckout | undefined, now: Date): Decision {
  const [first] = seen?.paid ?? []
  if (!first?.id) return { changes: { nextCheckAt: null }, standing: standingOf(row) }
  const payment = asPayment(row, first)
  const undone = { note: null, handledAt: null, handledBy: null, reviewAt: now }
  return review(row, 'paid-late', now, { payment, changes: undone })
}

/** A row with what this answer adds to it. */
type Known = { row: CheckoutRow; changes: Changes; newFailures: number }

/** Somebody who tries as many cards as this on one sale is trying stolen ones. */
const maxDeclinedCards = 5

function withSeen(row: CheckoutRow, seen: SumupCheckout): Known {
  const fresh = seen.failedIds.filter((id) => !row.failedIds.includes(id))
  const failedIds = [...row.failedIds, ...fresh]
  const hasTooManyCards = row.hasTooManyCards || failedIds.length >= maxDeclinedCards
  return {
    row: { ...row, hasTooManyCards },
    newFailures: fresh.length,
    changes: {
      lastError: null,
      ...(fresh.length > 0 && { failedIds }),
      ...(hasTooManyCards !== row.hasTooManyCards && { hasTooManyCards }),
      ...(!isSameList(seen.allIds, row.seenIds) && { seenIds: seen.allIds }),
    },
  }
}

function decidePaid(known: Known, seen: SumupCheckout, refundedIds: string[], now: Date): Decision {
  const { row } = known
  const kept = seen.paid.filter(
    ({ id, status }) => status !== 'REFUNDED' && !refundedIds.some((one) => one === id),
  )
  const [first = seen.paid[0], ...further] = kept
  if (seen.status !== 'PAID' || !first) {
    const isReadable = seen.reading === 'clear'
    return unclear(known, isReadable ? 'contradiction' : 'unreadable', now, first)
  }
  const misfit = findMisfit(row, seen, first)
  if (misfit === 'unreadable') return unclear(known, 'unreadable', now, first)
  const payment = asPayment(row, first)
  const extraPayments = further.flatMap((one) => (one.id ? [asPayment(row, one)] : []))
  const reason =
    misfit ?? (kept.length === 0 ? 'refunded' : row.details === null ? 'no-details' : undefined)
  if (reason)
    return { ...review(row, reason, now, { payment, changes: known.changes }), extraPayments }
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
    extraPayments,
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
  // What is open without details, or closed, is not looked at by itself.
  if (row.state === 'closed' || row.state === 'open') {
    const changes = { ...known.changes, nextCheckAt: null }
    return { changes, standing: standingOf({ ...row, ...changes }), newFailures }
  }
  const overdueMs = now.getTime() - row.validUntil.getTime()
  const changes = {
    ...known.changes,
    ...backFromReview(row),
    ...nextLook(row, now),
    expiredSince: null,
  }
  const isDeclined = seen.status === 'FAILED' && seen.failed.some((one) => isOfThisCard(row, one))
  const standing: Standing =
    isDeclined && !row.hasTooManyCards ? { state: 'declined' } : standingOf({ ...row, ...changes })
  return {
    changes,
    standing,
    newFailures,
    ...((row.hasTooManyCards || overdueMs > lostAfterMs) && { endAtSumup: true }),
  }
}

/** SumUp's clock need not be ours. */
const clockSkewMs = 2_000

/** Whether a failed payment is of the card under way, and not of one before whose decline was only late. */
function isOfThisCard(
  row: CheckoutRow,
  { id, madeAt }: { id: string; madeAt: Date | undefined },
): boolean {
  const isBefore =
    madeAt && row.detailsAt && madeAt.getTime() < row.detailsAt.getTime() - clockSkewMs
  return !row.knownIds.includes(id) && !isBefore
}

/** A card is with the buyer's bank: whatever else SumUp says, nothing is over. */
function atBank({ row, changes, newFailures }: Known, now: Date): Decision {
  const since = row.atBankSince ?? now
  const forMs = now.getTime() - since.getTime()
  const isKnownStuck = row.state === 'review' && row.reviewReason === 'stuck'
  if (forMs > stuckAfterMs || isKnownStuck) return review(row, 'stuck', now, { changes })
  const looked = nextLook(row, now)
  const pauseMs = forMs < closeLooksMs ? closePauseMs : longestPauseMs
  return {
    changes: {
      ...changes,
      ...underWay(row),
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
  if (row.state === 'open' || row.state === 'closed' || row.hasTooManyCards)
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
  if (row.state === 'created' || row.state === 'open') return closed(row)
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
      ...underWay(row),
    },
    standing: { state: 'waiting', reason: 'unclear' },
    newFailures,
  }
}
