import type { ReviewReason } from '#contract/checkouts.ts'
import { formatCents, toCents } from '#contract/money.ts'
import type { SumupCheckout } from '#server/sumup/answers.ts'
import {
  isAgreed,
  isHolding,
  isSaleCase,
  openRefundOf,
  pendingOf,
  reasonOf,
  saleEntry,
  statusOf,
  type Case,
  type Decision,
  type Entry,
  type Returned,
  type Sale,
  type SaleCase,
} from './case.ts'
import {
  clearEntry,
  finishRefunds,
  followPayments,
  openEntry,
  withEntry,
  withSale,
  withStuckCards,
  withoutReturned,
} from './entries.ts'
import { keepInReview, review, unclear } from './outcomes.ts'
import { isKept, isReturned, type Payment, type Refund } from './payment.ts'
import { reconcileMissingPayment, reconcileOrdered } from './ordered.ts'
import { isRefundRuledOut, type Reading } from './reading.ts'
import {
  addMs,
  day,
  isOlder,
  isSelfClearing,
  maxPauseMs,
  minDate,
  nextCheck,
  unreadPaidAfterMs,
} from './schedule.ts'
import {
  reconcileAtBank,
  reconcileExpired,
  reconcileMissing,
  reconcileOtherAccount,
  reconcileUnpaid,
  reconcileUnread,
} from './unpaid.ts'

/**
 * What should be true of a case now: which payment has an order, what a person must decide, what is waited for, what the
 * buyer may be told, and when SumUp is asked again. Pure and total; asked after every reading and every act. `before` is
 * the case that was read, `kase` the same with what was observed since.
 */
export function reconcile(before: Case, kase: Case, reading: Reading, now: Date): Decision {
  const followed = finishRefunds(kase, now)
  const decision = isSaleCase(followed)
    ? reconcileSale(followed, reading, now)
    : reconcileWithoutSale(followed, reading, now)
  return complete(before, decision, now)
}

/** What follows from every decision, whoever made it. */
export function complete(before: Case, decision: Decision, now: Date): Decision {
  const asked = { ...decision, after: withStuckCards(decision.after, now) }
  const after = withoutEndedHold(followPayments(withEveryPayment(asked, now), now))
  return { ...decision, after, returned: listReturned(before, { ...decision, after }) }
}

/** A sale that comes back to life holds nothing until it reserves again. */
function withoutEndedHold(kase: Case): Case {
  const { sale } = kase
  return sale?.heldAt && !isHolding(sale) ? withSale(kase, { heldAt: null }) : kase
}

/** Once there is an order, or a person was asked, every other payment that the shop has kept is shown to them too. */
function withEveryPayment({ after, order, orderMovesTo }: Decision, now: Date): Case {
  const entry = saleEntry(after)
  const isOrdered = order !== undefined || after.order !== undefined
  const isAsked = entry !== undefined && entry.state !== 'cleared'
  if (!after.sale || !(isOrdered || isAsked)) return after
  const paidBy = order
    ? order.payment?.transactionId
    : (orderMovesTo?.transactionId ?? after.order?.transactionId)
  const kept = after.payments.filter((one) => isKept(one) && one.transactionId !== paidBy)
  const [first] = kept
  let known = after
  // They were asked before anybody knew of a payment.
  const isWithout = entry?.state === 'open' && entry.paymentId === null
  if (isWithout && !isReused(entry) && first)
    known = withEntry(after, { ...entry, paymentId: first.id })
  const reason = isOrdered || entry?.state === 'open' ? 'paid-twice' : 'paid-late'
  // It is about to be settled as the sale's own.
  const isOwn = ({ id }: Payment) => isWithout && isReused(entry) && id === first?.id
  const isShown = ({ id }: Payment) =>
    known.entries.some(
      (one) =>
        one.state !== 'cleared' &&
        (one.id === id ? one.reason !== 'stuck' : isAsked && one.paymentId === id),
    )
  for (const one of kept.filter((payment) => !isShown(payment) && !isOwn(payment)))
    known = openEntry(known, one.id, reason, one, now)
  return known
}

/** What went back of the money of an order since it was last looked at, or before there was an order. */
function listReturned(before: Case, { after, order, orderMovesTo }: Decision): Returned[] {
  const find = ({ payments }: Case, id: string | null | undefined) =>
    payments.find(({ transactionId }) => transactionId === id)
  if (order) return listGrown(undefined, find(after, order.payment?.transactionId), [])
  const paidBy = after.order?.transactionId
  const wasDone = ({ id }: Refund) =>
    before.refunds.some((one) => one.id === id && one.state === 'done')
  const isDone = ({ state }: Refund) => state === 'done'
  const isOurs = (one: Refund) => isDone(one) && !wasDone(one)
  return [
    ...listGrown(find(before, paidBy), find(after, paidBy), after.refunds.filter(isOurs)),
    ...(orderMovesTo
      ? listGrown(undefined, find(after, orderMovesTo.transactionId), after.refunds.filter(isDone))
      : []),
  ]
}

/** What went back of one payment. `done`: refunds of ours that it shows; the rest was refunded at SumUp. */
function listGrown(
  known: Payment | undefined,
  payment: Payment | undefined,
  done: Refund[],
): Returned[] {
  if (!payment) return []
  const grown = (now: string, then = '0') => toCents(now) - toCents(then)
  const refunded = grown(payment.refunded, known?.refunded)
  const own = done.find(({ paymentId }) => paymentId === payment.id)
  const ownCents = own ? Math.min(toCents(own.amount), refunded) : 0
  const chargedBack = grown(payment.chargedBack, known?.chargedBack)
  return [
    { event: 'refunded' as const, cents: ownCents, by: own?.askedBy ?? 'shop' },
    { event: 'refunded' as const, cents: refunded - ownCents, by: 'shop' },
    { event: 'charged-back' as const, cents: chargedBack, by: 'shop' },
  ].flatMap(({ event, cents, by }) =>
    cents > 0 ? [{ event, amount: formatCents(cents), by }] : [],
  )
}

/** A payment of this shop whose sale is not here. */
function reconcileWithoutSale(kase: Case, reading: Reading, now: Date): Decision {
  let after = withoutReturned(kase, now)
  const [payment] = after.payments
  const [entry] = after.entries
  if (entry?.reason === 'no-sale' && kase.order) after = clearEntry(after, entry.id, now)
  if (payment && kase.order) after = reconcileMissingPayment(after, payment, reading, now)
  else if (payment && isKept(payment) && (!entry || entry.reason === 'stuck'))
    after = openEntry(clearEntry(after, payment.id, now), payment.id, 'no-sale', payment, now)
  return { after, status: statusOf(after) }
}

function reconcileSale(kase: SaleCase, reading: Reading, now: Date): Decision {
  if (kase.order) return reconcileOrdered(kase, reading, now)
  const entry = saleEntry(kase)
  if (entry && entry.state !== 'open' && entry.state !== 'cleared')
    return reconcileDecided(kase, entry, reading, now)
  const stayed = entry?.state === 'open' && stayWithPerson(kase, entry, now)
  if (stayed) return stayed
  const { checkout } = reading
  switch (checkout.type) {
    case 'other-account':
      return reconcileOtherAccount(kase, now)
    case 'unreachable':
      return reconcileUnread(kase, checkout.why, now)
    case 'missing':
      return reconcileMissing(kase, now)
    case 'seen':
      return reconcileSeen(kase, checkout.checkout, reading, now)
    case 'not-asked': {
      // What is known of its money by another way is settled as soon as possible.
      const isHidden = kase.sale.state === 'closed' && pendingOf(kase).length > 0
      const isTaken = kase.payments.some(isKept) && (entry?.state !== 'open' || isReused(entry))
      const isDue = isTaken || isHidden
      const after = isDue ? withSale(kase, { nextCheckAt: kase.sale.nextCheckAt ?? now }) : kase
      return { after, status: statusOf(after) }
    }
  }
}

/** A person decided. Money that they did not know of brings it back to them. */
function reconcileDecided(kase: SaleCase, entry: Entry, reading: Reading, now: Date): Decision {
  const other = findUndecided(kase, entry)
  if (other && entry.state === 'refunded') return moveQuestion(kase, entry, other, 'paid-late', now)
  const payment = kase.payments.find(isKept)
  const settled = withoutReturned(withSale(kase, scheduleDecided(kase.sale, reading, now)), now)
  const isUnknown = payment && entry.state === 'dismissed' && entry.paymentId === null
  const after = isUnknown
    ? withSale(openEntry(settled, entry.id, 'paid-late', payment, now), { state: 'review' })
    : settled
  return { after, status: statusOf(after) }
}

/** What is announced about a sale that a person has decided is looked at, for a day while SumUp cannot be asked. */
function scheduleDecided({ nextCheckAt, unreadSince }: Sale, { checkout }: Reading, now: Date) {
  const since = unreadSince ?? now
  const isAwaited = checkout.type === 'unreachable' && nextCheckAt && !isOlder(since, day, now)
  return isAwaited
    ? { nextCheckAt: addMs(now, maxPauseMs), unreadSince: since }
    : { nextCheckAt: null, unreadSince: null }
}

/** Asked about a payment of another sale, before one of its own was known. */
function isReused({ reason, paymentId }: Entry): boolean {
  return reason === 'payment-reused' && paymentId === null
}

/** Reasons that no answer of SumUp takes back: once a person was asked, they decide. */
const reasonsForPerson: ReviewReason[] = ['mismatch', 'payment-reused', 'paid-late']

function stayWithPerson(kase: SaleCase, entry: Entry, now: Date): Decision | undefined {
  const payment = kase.payments.find(({ id }) => id === entry.paymentId)
  if (payment && isReturned(payment)) return endReturned(kase, entry, payment, now)
  if (payment && openRefundOf(kase, payment)) return keepInReview(kase, entry, now)
  if (isReused(entry) && kase.payments.some(isKept)) return undefined
  return reasonsForPerson.includes(reasonOf(entry)) ? keepInReview(kase, entry, now) : undefined
}

/** The payment in review went back: by our refund the case is over, otherwise a person is told. */
function endReturned(kase: SaleCase, entry: Entry, payment: Payment, now: Date): Decision {
  const other = findUndecided(kase, entry)
  const reason = kase.sale.details ? 'paid-late' : 'no-details'
  if (other) return moveQuestion(kase, entry, other, reason, now)
  const ended = withoutReturned(kase, now)
  const isOurs = saleEntry(ended)?.state === 'refunded'
  if (isOurs) {
    const after = withSale(ended, { state: 'refunded', nextCheckAt: null })
    return { after, status: statusOf(after), mails: ['payment-returned'] }
  }
  return review(kase, 'refunded', now, { payment })
}

/** Another payment of the sale that the shop has, and that nobody has decided about. */
function findUndecided({ payments, entries }: SaleCase, { paymentId }: Entry): Payment | undefined {
  // That a bank was slow says nothing about the money.
  const decided = entries.filter(
    ({ state, reason }) => state !== 'open' && state !== 'cleared' && reason !== 'stuck',
  )
  const isDecided = ({ id }: Payment) => decided.some((one) => one.id === id)
  return payments.find((one) => one.id !== paymentId && isKept(one) && !isDecided(one))
}

/**
 * The sale stays with a person because of another payment, so that the buyer is not told that all is over. What became of
 * the one before is kept as an entry of its own.
 */
function moveQuestion(
  kase: SaleCase,
  entry: Entry,
  other: Payment,
  reason: ReviewReason,
  now: Date,
): Decision {
  const known = entry.paymentId ? withEntry(kase, { ...entry, id: entry.paymentId }) : kase
  const settled = withoutReturned(clearEntry(known, other.id, now), now)
  return review({ ...settled, sale: kase.sale }, reason, now, { payment: other })
}

const knownStatuses = ['PENDING', 'PAID', 'FAILED', 'EXPIRED']

function reconcileSeen(read: SaleCase, seen: SumupCheckout, reading: Reading, now: Date): Decision {
  const kase = withSale(read, { unreadSince: null, lastError: null })
  const unidentified = (status: string) =>
    seen.payments.some((one) => one.id === undefined && one.status === status)
  const isTaken =
    seen.status === 'PAID' ||
    unidentified('SUCCESSFUL') ||
    kase.payments.some(({ status }) => status === 'successful')
  // One of its own makes the sale, whatever else SumUp names.
  if (reading.reusedIds?.length && !kase.payments.some(isKept))
    return review(kase, 'payment-reused', now)
  if (isTaken) return reconcileTaken(kase, seen, reading, now)
  if (!seen.isReadable || !knownStatuses.includes(seen.status))
    return unclear(kase, 'unreadable', now)
  if (pendingOf(kase).length > 0 || unidentified('PENDING')) return reconcileAtBank(kase, now)
  if (seen.status === 'EXPIRED')
    return reconcileExpired(withSale(kase, { unclearSince: null }), reading, now)
  return reconcileUnpaid(kase, seen, now)
}

/** SumUp has taken money. */
function reconcileTaken(
  kase: SaleCase,
  seen: SumupCheckout,
  reading: Reading,
  now: Date,
): Decision {
  const { sale, payments } = kase
  const successful = payments.filter(({ status }) => status === 'successful')
  const kept = successful.filter(isKept)
  const payment = choosePayment(kase, kept) ?? successful[0]
  if (seen.status !== 'PAID' || !payment)
    return unclear(kase, seen.isReadable ? 'contradiction' : 'unreadable', now, payment)
  const mismatch = findMismatch(sale, seen, payment)
  if (mismatch === 'unreadable') return unclear(kase, 'unreadable', now, payment)
  if (kept.length === 0) return review(kase, 'refunded', now, { payment })
  if (mismatch) return review(kase, 'mismatch', now, { payment })
  if (payment.conflict !== null) return review(kase, 'contradiction', now, { payment })
  // It is being given back: no order before that is known to have failed.
  if (openRefundOf(kase, payment)) return reconcileUnreadPayment(kase, payment, now)
  if (!isRefundRuledOut(payment, reading, now)) return reconcileUnreadPayment(kase, payment, now)
  if (!sale.details || areDetailsRefused(kase)) return review(kase, 'no-details', now, { payment })
  const settled = clearEntry(clearEntry(kase, sale.id, now), payment.id, now)
  const after = withSale(settled, {
    state: 'paid',
    unclearSince: null,
    expiredSince: null,
    nextCheckAt: null,
    visitor: null,
  })
  return { after, status: { state: 'paid' }, order: { payment, details: sale.details } }
}

/** Kept for a person, who was asked, and not accepted since. */
function areDetailsRefused(kase: SaleCase): boolean {
  const { details } = kase.sale
  const entry = saleEntry(kase)
  const isAsked = entry?.state === 'open' && entry.reason === 'no-details'
  return isAsked || (details !== null && !isAgreed(kase.sale, details))
}

/**
 * Which of several payments the order is for: the one that a person was asked about as the sale's, otherwise one that
 * matches, that is not being given back, and that nobody was asked about as a second one.
 */
function choosePayment(kase: SaleCase, kept: Payment[]): Payment | undefined {
  const { sale, entries } = kase
  const isPrice = ({ amount, currency }: Payment) =>
    amount === sale.amount && currency === sale.currency
  const isFree = (one: Payment) => isPrice(one) && !openRefundOf(kase, one)
  const asked = saleEntry(kase)?.paymentId
  return (
    kept.find((one) => isFree(one) && one.id === asked) ??
    kept.find((one) => isFree(one) && !entries.some(({ id }) => id === one.id)) ??
    kept.find(isFree) ??
    kept.find(isPrice) ??
    kept[0]
  )
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

/** SumUp calls it paid, but nobody can read whether it was given back. */
function reconcileUnreadPayment(kase: SaleCase, payment: Payment, now: Date): Decision {
  const { unreadSince } = payment
  if (unreadSince && isOlder(unreadSince, unreadPaidAfterMs, now))
    return review(kase, 'unreadable', now, { payment })
  const entry = saleEntry(kase)
  if (entry?.state === 'open' && isSelfClearing(reasonOf(entry)))
    return keepInReview(kase, entry, now)
  const next = nextCheck(kase.sale, now)
  const reviewAt = unreadSince ? addMs(unreadSince, unreadPaidAfterMs) : next.nextCheckAt
  const nextCheckAt = minDate(next.nextCheckAt, reviewAt)
  const after = withSale(kase, { state: 'submitted', ...next, nextCheckAt })
  return { after, status: { state: 'waiting', reason: 'unclear' } }
}
