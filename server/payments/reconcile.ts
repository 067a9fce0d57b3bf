import { randomUUID } from 'node:crypto'
import type { SumupCheckout } from '#server/sumup/answers.ts'
import {
  failedOf,
  isAgreed,
  isEveryCardDeclined,
  isHolding,
  isKept,
  hasSale,
  isUnfinished,
  openRefundOf,
  pendingOf,
  pendingSince,
  reasonOf,
  saleQuestion,
  statusOf,
  withSale,
  type SaleRecord,
  type Decision,
  type Payment,
  type Refund,
  type Sale,
  type RecordWithSale,
} from './record.ts'
import {
  followRefund,
  isRefundRuledOut,
  mergeReading,
  type CheckoutReading,
  type Reading,
} from './observe.ts'
import { listReturned, reconcileMissingPayment, reconcileOrdered } from './ordered.ts'
import {
  clearQuestion,
  findStuckCard,
  isReused,
  isSaleAsked,
  keepInReview,
  openQuestion,
  reconcileAsked,
  review,
  withEveryPayment,
  withStuckCards,
  withoutReturned,
} from './question.ts'
import {
  addMs,
  bankHoldMs,
  endMarginMs,
  expiredChecksMs,
  followPendingMs,
  isOlder,
  isSelfClearing,
  lostAfterMs,
  minDate,
  minute,
  nextBankCheck,
  nextCheck,
  nextPaymentRead,
  nextUnpaidCheck,
  priorities,
  second,
  stuckAfterMs,
  unclearMs,
  unclearPauseMs,
  unendedAfterMs,
  unreadAfterMs,
  unreadPaidAfterMs,
  unseenHoldMs,
} from './schedule.ts'

/**
 * What follows from what SumUp says of a sale. The ordinary sale is read from top to bottom: its form is open and a card is
 * typed (reconcileUnpaid), the buyer's bank asks about it (reconcileAtBank), SumUp has the money and the sale gets its order
 * (reconcileTaken), or the form ends unused (reconcileExpired). What happens rarely follows below; sales that have an order
 * are in ordered.ts, and those that the owner was asked about in question.ts.
 */

type CreateId = (transactionId: string) => string

/** This many declined cards on one sale suggest card testing. */
const maxDeclinedCards = 5

export function decideReading(
  record: SaleRecord,
  reading: Reading,
  now: Date,
  createId: CreateId = () => randomUUID(),
): Decision {
  const merged = mergeReading(record, reading, now, createId)
  const newFailures = countNewFailures(record, merged, reading)
  const hasTooManyCards =
    record.sale?.hasTooManyCards || failedOf(merged).length >= maxDeclinedCards || false
  const known = merged.sale ? withSale(merged, { hasTooManyCards }) : merged
  return { ...reconcile(record, known, reading, now), newFailures }
}

/** How many cards were declined since the last reading. A card that the buyer cancelled was not declined. */
function countNewFailures(before: SaleRecord, merged: SaleRecord, { checkout }: Reading): number {
  const attempts = checkout.type === 'seen' ? checkout.checkout.payments : []
  const isNew = ({ transactionId }: Payment) =>
    !failedOf(before).some((one) => one.transactionId === transactionId) &&
    !attempts.some(({ id, status }) => id === transactionId && status === 'CANCELLED')
  return failedOf(merged).filter(isNew).length
}

/**
 * What should be true of a record now: which payment has an order, what the owner must decide, what is waited for, what the
 * buyer may be told, and when SumUp is asked again. Pure and total; asked after every reading and every act. `before` is
 * the record that was read, `record` the same with what was observed since.
 */
export function reconcile(
  before: SaleRecord,
  record: SaleRecord,
  reading: Reading,
  now: Date,
): Decision {
  const followed = finishRefunds(record, now)
  const decision = hasSale(followed)
    ? reconcileSale(followed, reading, now)
    : reconcileWithoutSale(followed, reading, now)
  return complete(before, decision, now)
}

function reconcileSale(record: RecordWithSale, reading: Reading, now: Date): Decision {
  if (record.order) return reconcileOrdered(record, reading, now)
  const asked = reconcileAsked(record, reading, now)
  if (asked) return asked
  const { checkout } = reading
  return checkout.type === 'seen'
    ? reconcileSeen(record, checkout.checkout, reading, now)
    : reconcileUnseen(record, checkout, now)
}

const knownStatuses = ['PENDING', 'PAID', 'FAILED', 'EXPIRED']

/** What SumUp shows of the checkout: money, a card at the bank, the checkout's end, or none of these. */
function reconcileSeen(
  read: RecordWithSale,
  seen: SumupCheckout,
  reading: Reading,
  now: Date,
): Decision {
  const record = withSale(read, { unreadSince: null, lastError: null })
  const unidentified = (status: string) =>
    seen.payments.some((one) => one.id === undefined && one.status === status)
  const isTaken =
    seen.status === 'PAID' ||
    unidentified('SUCCESSFUL') ||
    record.payments.some(({ status }) => status === 'successful')
  // A payment of its own makes the sale, whatever else SumUp names.
  if (reading.reusedIds?.length && !record.payments.some(isKept))
    return review(record, 'payment-reused', now)
  if (isTaken) return reconcileTaken(record, seen, reading, now)
  if (!seen.isReadable || !knownStatuses.includes(seen.status))
    return unclear(record, 'unreadable', now)
  if (pendingOf(record).length > 0 || unidentified('PENDING')) return reconcileAtBank(record, now)
  if (seen.status === 'EXPIRED')
    return reconcileExpired(withSale(record, { unclearSince: null }), reading, now)
  return reconcileUnpaid(record, seen, now)
}

/** No card was sent yet, or each one was declined. */
function reconcileUnpaid(read: RecordWithSale, seen: SumupCheckout, now: Date): Decision {
  const record = withoutUnseenHold(read, now)
  const { sale } = record
  // It has no details or is closed, so it is not checked until something happens.
  if (sale.state === 'closed' || sale.state === 'open') {
    const after = withSale(record, { unclearSince: null, nextCheckAt: null })
    return { after, status: statusOf(after) }
  }
  const known = withSale(clearQuestion(record, sale.id, now), {
    state: sale.state === 'review' ? 'submitted' : sale.state,
    ...nextUnpaidCheck(sale, now),
    unclearSince: null,
    expiredSince: null,
  })
  const isDeclined =
    seen.status === 'FAILED' && isEveryCardDeclined(record) && !sale.hasTooManyCards
  const decision: Decision = {
    after: known,
    status: isDeclined ? { state: 'declined' } : statusOf(known),
    ...(sale.hasTooManyCards && { endAtSumup: true }),
  }
  const isOverdue = now.getTime() - sale.validUntil.getTime() > endMarginMs
  return isOverdue ? endOverdue(record, decision, now) : decision
}

/** Others get what is held for a card that SumUp does not show minutes after Pay now. The sale goes on without it. */
function withoutUnseenHold(record: RecordWithSale, now: Date): RecordWithSale {
  const { heldAt, detailsAt } = record.sale
  const isOver = heldAt && detailsAt && isOlder(detailsAt, unseenHoldMs, now)
  return isOver ? withSale(record, { heldAt: null }) : record
}

/** A card is at the buyer's bank, so the sale goes on whatever else SumUp says. */
function reconcileAtBank(record: RecordWithSale, now: Date): Decision {
  const { sale } = record
  const question = saleQuestion(record)
  const since = pendingSince(record)
  const isKnownStuck = question?.state === 'open' && question.reason === 'stuck'
  if (isKnownStuck || isOlder(since, stuckAfterMs, now)) return review(record, 'stuck', now)
  const after = withSale(clearQuestion(record, sale.id, now), {
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

/** SumUp has taken money: the sale gets its order, unless something is wrong with the payment or the details. */
function reconcileTaken(
  record: RecordWithSale,
  seen: SumupCheckout,
  reading: Reading,
  now: Date,
): Decision {
  const { sale, payments } = record
  const payment = choosePayment(record) ?? payments.find(({ status }) => status === 'successful')
  if (seen.status !== 'PAID' || !payment)
    return unclear(record, seen.isReadable ? 'contradiction' : 'unreadable', now, payment)
  const doubtful = reconcileDoubtful(record, seen, payment, reading, now)
  if (doubtful) return doubtful
  if (!sale.details || areDetailsRefused(record))
    return review(record, 'no-details', now, { payment })
  const settled = clearQuestion(clearQuestion(record, sale.id, now), payment.id, now)
  const after = withSale(settled, {
    state: 'paid',
    unclearSince: null,
    expiredSince: null,
    nextCheckAt: null,
    visitor: null,
  })
  return { after, status: { state: 'paid' }, order: { payment, details: sale.details } }
}

/**
 * Which of several payments the order is for: the one that the owner was asked about as the sale's, otherwise one that
 * matches, that is not being given back, and that nobody was asked about as a second one.
 */
function choosePayment(record: RecordWithSale): Payment | undefined {
  const { sale, questions } = record
  const kept = record.payments.filter(isKept)
  const isPrice = ({ amount, currency }: Payment) =>
    amount === sale.amount && currency === sale.currency
  const isFree = (one: Payment) => isPrice(one) && !openRefundOf(record, one)
  const asked = saleQuestion(record)?.paymentId
  return (
    kept.find((one) => isFree(one) && one.id === asked) ??
    kept.find((one) => isFree(one) && !questions.some(({ id }) => id === one.id)) ??
    kept.find(isFree) ??
    kept.find(isPrice) ??
    kept[0]
  )
}

/** Whether the details are only kept for the owner: the shop refused them, or the owner was asked for them. */
function areDetailsRefused(record: RecordWithSale): boolean {
  const { details } = record.sale
  const question = saleQuestion(record)
  const isAsked = question?.state === 'open' && question.reason === 'no-details'
  return isAsked || (details !== null && !isAgreed(record.sale, details))
}

/**
 * SumUp says EXPIRED and shows no payment in progress. If a card may have been sent, that is confirmed by further checks, and
 * the first of them must agree before the buyer is told: reads lag, and a new form beside a hidden card charges twice.
 */
function reconcileExpired(read: RecordWithSale, reading: Reading, now: Date): Decision {
  const record = withoutUnseenHold(read, now)
  const { sale } = record
  const since = sale.expiredSince ?? now
  const isConfirmed = isEveryCardDeclined(record) || isOlder(since, unclearMs, now)
  const isEnded = reading.isEnding && (isConfirmed || !endsByItself(sale, now))
  if (sale.state === 'open' || sale.state === 'closed' || sale.hasTooManyCards || isEnded)
    return close(record, now)
  const endedAt = isSoonAfter(sale.validUntil, since) ? sale.validUntil : since
  const next = expiredChecksMs.find((ms) => ms > now.getTime() - endedAt.getTime())
  if (next === undefined) return close(record, now)
  const after = withSale(clearQuestion(record, sale.id, now), {
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

/** Ends a sale: nothing was charged, and nothing can be. */
function close(record: RecordWithSale, now: Date): Decision {
  const wasReviewed = saleQuestion(record) !== undefined
  const after = withSale(clearQuestion(record, record.sale.id, now), {
    state: 'closed',
    unclearSince: null,
    expiredSince: null,
    unreadSince: null,
    nextCheckAt: null,
    lastError: null,
  })
  const status = record.sale.hasTooManyCards ? 'too-many-cards' : 'closed'
  return { after, status: { state: status }, ...(wasReviewed && { mails: ['not-charged'] }) }
}

/** The rare answers of SumUp follow: unclear ones, those that do not match the sale, and none at all. */

/** SumUp's answer makes no sense. It may only be early; if it stays so, it goes to review. */
function unclear(
  record: RecordWithSale,
  reason: 'contradiction' | 'unreadable',
  now: Date,
  payment?: Payment,
): Decision {
  const { sale } = record
  const since = sale.unclearSince ?? now
  if (sale.state === 'review' || isOlder(since, unclearMs, now))
    return review(record, reason, now, { payment, since })
  const after = withSale(record, {
    state: 'submitted',
    unclearSince: since,
    nextCheckAt: addMs(now, unclearPauseMs),
    priority: priorities.fresh,
  })
  return { after, status: { state: 'waiting', reason: 'unclear' } }
}

/** Why a payment is no order, or none yet: it does not match the sale, or went back, or nobody knows whether it did. */
function reconcileDoubtful(
  record: RecordWithSale,
  seen: SumupCheckout,
  payment: Payment,
  reading: Reading,
  now: Date,
): Decision | undefined {
  const mismatch = findMismatch(record.sale, seen, payment)
  if (mismatch === 'unreadable') return unclear(record, 'unreadable', now, payment)
  if (!record.payments.some(isKept)) return review(record, 'refunded', now, { payment })
  if (mismatch) return review(record, 'mismatch', now, { payment })
  if (payment.conflict !== null) return review(record, 'contradiction', now, { payment })
  // It is being given back: no order before that is known to have failed.
  const isGivenBack = openRefundOf(record, payment) !== undefined
  if (isGivenBack || !isRefundRuledOut(payment, reading, now))
    return reconcileUnreadPayment(record, payment, now)
  return undefined
}

/** Whether the payment matches the sale: its amount, account and reference. */
function findMismatch(
  sale: Sale,
  seen: SumupCheckout,
  paid: Payment,
): 'mismatch' | 'unreadable' | undefined {
  const pairs = [
    [seen.id, sale.sumupCheckoutId],
    [seen.reference, sale.id],
    [seen.merchantCode, sale.merchantCode || seen.merchantCode],
    [seen.amount, sale.amount],
    [seen.currency, sale.currency],
    [paid.amount ?? undefined, sale.amount],
    [paid.currency ?? undefined, sale.currency],
  ]
  if (pairs.some(([actual]) => actual === undefined)) return 'unreadable'
  return pairs.some(([actual, expected]) => actual !== expected) ? 'mismatch' : undefined
}

/** SumUp calls the sale paid, but nobody can read whether the money went back. */
function reconcileUnreadPayment(record: RecordWithSale, payment: Payment, now: Date): Decision {
  const { unreadSince } = payment
  if (unreadSince && isOlder(unreadSince, unreadPaidAfterMs, now))
    return review(record, 'unreadable', now, { payment })
  const question = saleQuestion(record)
  if (question?.state === 'open' && isSelfClearing(reasonOf(question)))
    return keepInReview(record, question, now)
  const next = nextCheck(record.sale, now)
  const reviewAt = unreadSince ? addMs(unreadSince, unreadPaidAfterMs) : next.nextCheckAt
  const nextCheckAt = minDate(next.nextCheckAt, reviewAt)
  const after = withSale(record, { state: 'submitted', ...next, nextCheckAt })
  return { after, status: { state: 'waiting', reason: 'unclear' } }
}

/** Past its end SumUp takes no card on it, whether or not SumUp says so: only ending it makes that certain. */
function endOverdue(record: RecordWithSale, decision: Decision, now: Date): Decision {
  const unclearSince = record.sale.unclearSince ?? now
  const ended = isOlder(unclearSince, unendedAfterMs, now)
    ? review(record, 'contradiction', now, { since: unclearSince })
    : { ...decision, after: withSale(decision.after, { unclearSince }) }
  return { ...ended, endAtSumup: true }
}

/** SumUp does not show the checkout, or was not asked about it. */
function reconcileUnseen(
  record: RecordWithSale,
  checkout: Exclude<CheckoutReading, { type: 'seen' }>,
  now: Date,
): Decision {
  switch (checkout.type) {
    case 'other-account':
      return reconcileOtherAccount(record, now)
    case 'unreachable':
      return reconcileUnread(record, checkout.why, now)
    case 'missing':
      return reconcileMissing(record, now)
    case 'not-asked':
      return reconcileNotAsked(record, now)
  }
}

function reconcileOtherAccount(record: RecordWithSale, now: Date): Decision {
  const { sale } = record
  const question = saleQuestion(record)
  // A webhook of the old account for a closed sale: its meaning cannot be looked up.
  const isNotified = sale.state === 'closed' && sale.startedAt !== null && sale.nextCheckAt !== null
  if (sale.state === 'submitted' || isNotified)
    return review(record, 'account-changed', now, { payment: record.payments.find(isKept) })
  if (isUnfinished(sale)) return close(record, now)
  // The other account cannot be queried, so there is nothing to check.
  if (question?.state === 'open') return keepInReview(record, question, now)
  const after = withSale(record, { nextCheckAt: null })
  return { after, status: statusOf(after) }
}

/**
 * Nothing is known, so nothing changes, and the check does not count: it is repeated as soon as SumUp answers. What nobody
 * can read for an hour, the owner must see.
 */
function reconcileUnread(record: RecordWithSale, why: string, now: Date): Decision {
  const { sale } = record
  const unreadSince = sale.unreadSince ?? now
  const isOverdue = sale.nextCheckAt !== null && sale.nextCheckAt <= now
  const known = withSale(record, {
    unreadSince,
    lastError: sale.lastError ?? why.slice(0, 500),
    ...(isOverdue && { nextCheckAt: addMs(now, 10 * second) }),
  })
  const payment = record.payments.find(isKept)
  // A closed sale is looked at again because something was announced.
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

/** SumUp does not find the checkout: it may be delayed, or never have received it. */
function reconcileMissing(read: RecordWithSale, now: Date): Decision {
  const record = withSale(read, { unreadSince: null, lastError: null })
  const { sale } = record
  const question = saleQuestion(record)
  const paid = record.payments.find(isKept)
  if (paid && question?.state !== 'open')
    return review(record, 'lost-at-sumup', now, { payment: paid })
  if (sale.state === 'created' || sale.state === 'open') return close(record, now)
  if (question?.state === 'open') return keepInReview(record, question, now)
  if (sale.state === 'closed') {
    const after = withSale(record, { nextCheckAt: null })
    return { after, status: statusOf(after) }
  }
  if (now.getTime() - sale.validUntil.getTime() > lostAfterMs)
    return review(record, 'lost-at-sumup', now)
  const isAtBank = pendingOf(record).length > 0
  const after = withSale(isAtBank ? record : withoutUnseenHold(record, now), nextCheck(sale, now))
  return { after, status: { state: 'waiting', reason: 'unclear' } }
}

/** Money that was learned of in another way makes the sale due at once. */
function reconcileNotAsked(record: RecordWithSale, now: Date): Decision {
  const question = saleQuestion(record)
  const isHidden = record.sale.state === 'closed' && pendingOf(record).length > 0
  const isTaken = record.payments.some(isKept) && (question?.state !== 'open' || isReused(question))
  const isDue = isTaken || isHidden
  const after = isDue ? withSale(record, { nextCheckAt: record.sale.nextCheckAt ?? now }) : record
  return { after, status: statusOf(after) }
}

/** A payment of this shop whose sale is not here. */
function reconcileWithoutSale(record: SaleRecord, reading: Reading, now: Date): Decision {
  let after = withoutReturned(record, now)
  const [payment] = after.payments
  const [question] = after.questions
  if (question?.reason === 'no-sale' && record.order) after = clearQuestion(after, question.id, now)
  if (payment && record.order) after = reconcileMissingPayment(after, payment, reading, now)
  else if (payment && isKept(payment) && (!question || question.reason === 'stuck'))
    after = openQuestion(clearQuestion(after, payment.id, now), payment.id, 'no-sale', payment, now)
  return { after, status: statusOf(after) }
}

/** Adds what follows from every decision, whoever made it. */
export function complete(before: SaleRecord, decision: Decision, now: Date): Decision {
  const asked = { ...decision, after: withStuckCards(decision.after, now) }
  const after = withoutEndedHold(followPayments(withEveryPayment(asked, now), now))
  return { ...decision, after, returned: listReturned(before, { ...decision, after }) }
}

/** A sale that comes back to life holds nothing until it reserves again. */
function withoutEndedHold(record: SaleRecord): SaleRecord {
  const { sale } = record
  return sale?.heldAt && !isHolding(sale) ? withSale(record, { heldAt: null }) : record
}

/** Ends the refunds that SumUp shows as done or failed. */
function finishRefunds<Of extends SaleRecord>(record: Of, now: Date): Of {
  const refunds = record.refunds.map((refund): Refund => {
    const payment = record.payments.find(({ id }) => id === refund.paymentId)
    const state = payment ? followRefund(refund, payment, { isRefused: false }) : refund.state
    return state === refund.state ? refund : { ...refund, state, endedAt: now }
  })
  return { ...record, refunds }
}

/**
 * A payment is read by itself while one of its refunds is open, and while its card is at the bank although nobody asks about
 * its sale any more: SumUp's history lists it by the time when it began, which may be long ago when the bank says yes.
 */
export function followPayments<Of extends SaleRecord>(record: Of, now: Date): Of {
  const isAsked = isSaleAsked(record)
  const payments = record.payments.map((payment) => {
    const isWaitedFor =
      !isOlder(payment.foundAt, followPendingMs, now) ||
      findStuckCard(record, payment) !== undefined
    const isFollowed =
      payment.isRefundPending ||
      openRefundOf(record, payment) !== undefined ||
      (payment.status === 'pending' && isWaitedFor && !isAsked)
    if (!isFollowed)
      return payment.nextReadAt ? { ...payment, nextReadAt: null, reads: 0 } : payment
    if (payment.nextReadAt && payment.nextReadAt > now) return payment
    return { ...payment, nextReadAt: nextPaymentRead(payment, now), reads: payment.reads + 1 }
  })
  return { ...record, payments }
}
