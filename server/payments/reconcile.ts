import type { ReviewReason } from '#contract/checkouts.ts'
import { formatCents, toCents } from '#contract/money.ts'
import type { SumupCheckout } from '#server/sumup/answers.ts'
import {
  isEveryCardDeclined,
  isSaleCase,
  isUnfinished,
  openRefundOf,
  pendingOf,
  reasonOf,
  saleEntry,
  statusOf,
  type Case,
  type Decision,
  type Entry,
  type Sale,
  type SaleCase,
} from './case.ts'
import { clearEntry, finishRefunds, openEntry, withSale, withoutReturned } from './entries.ts'
import { isKept, isReturned, type Payment } from './payment.ts'
import type { Reading } from './reading.ts'
import {
  addMs,
  endMarginMs,
  expiredChecksMs,
  isOlder,
  isSelfClearing,
  lostAfterMs,
  minute,
  nextBankCheck,
  nextCheck,
  nextReviewCheck,
  nextUnpaidCheck,
  priorities,
  second,
  stuckAfterMs,
  unclearMs,
  unclearPauseMs,
  unreadAfterMs,
} from './schedule.ts'

/**
 * What should be true of a case now: which payment has an order, what a person must decide, what is waited for, what the
 * buyer may be told, and when SumUp is asked again. Pure and total; asked after every reading and every act. `before` is
 * the case that was read, `kase` the same with what was observed since.
 */
export function reconcile(before: Case, kase: Case, reading: Reading, now: Date): Decision {
  const followed = finishRefunds(kase, now)
  const decision = isSaleCase(followed)
    ? reconcileSale(followed, reading, now)
    : reconcileLone(followed, now)
  return { ...decision, returned: listReturned(before, decision) }
}

/** What went back of the money of an order since it was last looked at, or before there was an order. */
function listReturned(before: Case, { after, order, orderMovesTo }: Decision) {
  const paidBy = orderMovesTo?.transactionId ?? after.order?.transactionId
  const isOrders = (one: Payment) =>
    order ? one.id === order.payment?.id : after.order !== undefined && one.transactionId === paidBy
  const payment = after.payments.find(isOrders)
  if (!payment) return []
  const known = order ? undefined : before.payments.find(({ id }) => id === payment.id)
  const grown = (now: string, then = '0') => toCents(now) - toCents(then)
  return [
    { event: 'refunded' as const, cents: grown(payment.refunded, known?.refunded) },
    { event: 'charged-back' as const, cents: grown(payment.chargedBack, known?.chargedBack) },
  ].flatMap(({ event, cents }) => (cents > 0 ? [{ event, amount: formatCents(cents) }] : []))
}

/** A payment of this shop whose sale is not here. */
function reconcileLone(kase: Case, now: Date): Decision {
  const settled = withoutReturned(kase, now)
  const after = settled.payments.reduce(
    (known, one) =>
      isKept(one) && !kase.order && !known.entries.some(({ id }) => id === one.id)
        ? openEntry(known, one.id, 'no-sale', one, now)
        : known,
    settled,
  )
  return { after, status: statusOf(after) }
}

function reconcileSale(kase: SaleCase, reading: Reading, now: Date): Decision {
  if (kase.order) return reconcilePaid(kase, reading, now)
  const entry = saleEntry(kase)
  if (entry && entry.state !== 'open' && entry.state !== 'cleared')
    return reconcileDecided(kase, entry, now)
  const sticky = entry?.state === 'open' && findSticky(kase, entry, now)
  if (sticky) return sticky
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
    case 'not-asked':
      return { after: kase, status: statusOf(kase) }
  }
}

/** There is an order. Whatever else was paid on the same checkout, a person must know. */
function reconcilePaid(kase: SaleCase, reading: Reading, now: Date): Decision {
  const { order, payments } = kase
  const own = payments.find(({ transactionId }) => transactionId === order?.transactionId)
  const others = payments.filter((one) => one !== own && isKept(one))
  const isSame = (one: Payment) =>
    !own || (one.amount === own.amount && one.currency === own.currency)
  // The order is paid by what the shop still has: its owner must not be led to give that back as well.
  const isFree = (one: Payment) => isSame(one) && !openRefundOf(kase, one)
  const heir = !own || isReturned(own) ? others.find(isFree) : undefined
  const extra = others.filter((one) => one !== heir)
  const unknown = extra.filter(({ id }) => !kase.entries.some((entry) => entry.id === id))
  let after: Case = withoutReturned(withSale(kase, { state: 'paid', nextCheckAt: null }), now)
  for (const one of unknown) after = openEntry(after, one.id, 'paid-twice', one, now)
  if (heir) after = clearEntry(after, heir.id, now)
  if (own) after = reconcileMissingPayment(after, own, reading, now)
  return { after, status: { state: 'paid' }, ...(heir && { orderMovesTo: heir }) }
}

/** An order whose payment SumUp does not have. */
function reconcileMissingPayment(kase: Case, own: Payment, reading: Reading, now: Date): Case {
  const read = reading.transactions.find((one) => one.transactionId === own.transactionId)
  if (!read || read.result === 'unread' || read.result === 'forbidden') return kase
  const entry = kase.entries.find(({ id }) => id === own.id)
  if (read.result === 'missing')
    return entry ? kase : openEntry(kase, own.id, 'not-at-sumup', own, now)
  return entry?.reason === 'not-at-sumup' ? clearEntry(kase, own.id, now) : kase
}

/** A person decided. Money that they did not know of brings it back to them. */
function reconcileDecided(kase: SaleCase, entry: Entry, now: Date): Decision {
  const unknown = kase.payments.filter(
    (one) =>
      isKept(one) && one.id !== entry.paymentId && !kase.entries.some(({ id }) => id === one.id),
  )
  const [first] = unknown
  let after: Case = withoutReturned(withSale(kase, { nextCheckAt: null }), now)
  if (first && entry.state === 'dismissed' && entry.paymentId === null) {
    after = withSale(openEntry(after, entry.id, 'paid-late', first, now), { state: 'review' })
    return { after, status: statusOf(after) }
  }
  for (const one of unknown) after = openEntry(after, one.id, 'paid-late', one, now)
  return { after, status: statusOf(after) }
}

/** Reasons that no answer of SumUp takes back: once a person was asked, they decide. */
const stickyReasons: ReviewReason[] = ['mismatch', 'payment-reused', 'paid-late']

function findSticky(kase: SaleCase, entry: Entry, now: Date): Decision | undefined {
  const payment = kase.payments.find(({ id }) => id === entry.paymentId)
  if (payment && isReturned(payment)) return endReturned(kase, payment, now)
  if (payment && openRefundOf(kase, payment)) return stay(kase, entry, now)
  return stickyReasons.includes(reasonOf(entry)) ? stay(kase, entry, now) : undefined
}

function stay(kase: SaleCase, entry: Entry, now: Date): Decision {
  const after = withSale(kase, {
    state: 'review',
    nextCheckAt: nextReviewCheck(reasonOf(entry), now),
  })
  return { after, status: statusOf(after) }
}

/** The payment in review went back: by our refund the case is over, otherwise a person is told. */
function endReturned(kase: SaleCase, payment: Payment, now: Date): Decision | undefined {
  const isKeptElse = kase.payments.some(isKept)
  const ended = withoutReturned(kase, now)
  const isOurs = saleEntry(ended)?.state === 'refunded'
  if (isOurs) {
    const after = withSale(ended, { state: 'refunded', nextCheckAt: null })
    return { after, status: statusOf(after), mails: ['payment-returned'] }
  }
  if (isKeptElse) return undefined
  return review(kase, 'refunded', now, { payment })
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
  if (reading.reusedIds?.length) return review(kase, 'payment-reused', now)
  if (isTaken) return reconcileTaken(kase, seen, reading, now)
  if (!seen.isReadable || !knownStatuses.includes(seen.status))
    return unclear(kase, 'unreadable', now)
  if (pendingOf(kase).length > 0 || unidentified('PENDING')) return reconcileAtBank(kase, now)
  const clear = withSale(kase, { unclearSince: null })
  if (seen.status === 'EXPIRED') return reconcileExpired(clear, reading, now)
  return reconcileUnpaid(clear, seen, now)
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
  const isPrice = ({ amount, currency }: Payment) =>
    amount === sale.amount && currency === sale.currency
  const payment = kept.find(isPrice) ?? kept[0] ?? successful[0]
  if (seen.status !== 'PAID' || !payment)
    return unclear(kase, seen.isReadable ? 'contradiction' : 'unreadable', now, payment)
  const mismatch = findMismatch(sale, seen, payment)
  if (mismatch === 'unreadable') return unclear(kase, 'unreadable', now, payment)
  let extra: Case = kase
  for (const one of kept.filter((other) => other !== payment))
    if (!kase.entries.some(({ id }) => id === one.id))
      extra = openEntry(extra, one.id, 'paid-twice', one, now)
  const known: SaleCase = { ...extra, sale }
  if (mismatch) return review(known, 'mismatch', now, { payment })
  if (kept.length === 0) return review(known, 'refunded', now, { payment })
  if (payment.conflict !== null) return review(known, 'contradiction', now, { payment })
  if (!isVouched(payment, reading, now)) return reconcileUnvouched(known, payment, now)
  if (!sale.details) return review(known, 'no-details', now, { payment })
  const after = withSale(clearEntry(known, sale.id, now), {
    state: 'paid',
    unclearSince: null,
    expiredSince: null,
    nextCheckAt: null,
    visitor: null,
  })
  return { after, status: { state: 'paid' }, order: { payment, details: sale.details } }
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

/** A payment younger than this cannot have been refunded yet. */
const youngPaymentMs = 60 * second

/** A refund shows only in the transaction itself, so that is read before an order, unless there was no time for one. */
export function isVouched(payment: Payment, reading: Reading, now: Date): boolean {
  const isFresh = ({ readAt }: Payment) => readAt !== null && !isOlder(readAt, youngPaymentMs, now)
  const isForbidden = reading.transactions.some(
    ({ transactionId, result }) =>
      transactionId === payment.transactionId && result === 'forbidden',
  )
  const isAsked = reading.transactions.some((one) => one.transactionId === payment.transactionId)
  const isYoung = payment.madeAt !== null && !isOlder(payment.madeAt, youngPaymentMs, now)
  // An API key without access to transactions must not stop sales.
  return isFresh(payment) || isForbidden || (isYoung && !isAsked)
}

/** Taken, but nobody can read whether it was given back. */
function reconcileUnvouched(kase: SaleCase, payment: Payment, now: Date): Decision {
  if (payment.unreadSince && isOlder(payment.unreadSince, unreadAfterMs, now))
    return review(kase, 'unreadable', now, { payment })
  const entry = saleEntry(kase)
  if (entry?.state === 'open' && isSelfClearing(reasonOf(entry))) return stay(kase, entry, now)
  const after = withSale(kase, { state: 'submitted', ...nextCheck(kase.sale, now) })
  return { after, status: { state: 'waiting', reason: 'unclear' } }
}

/** Not paid, not at the bank, not expired: declined, or no card yet. */
function reconcileUnpaid(kase: SaleCase, seen: SumupCheckout, now: Date): Decision {
  const { sale } = kase
  // Without details, or closed: not checked until something happens.
  if (sale.state === 'closed' || sale.state === 'open') {
    const after = withSale(kase, { nextCheckAt: null })
    return { after, status: statusOf(after) }
  }
  const overdueMs = now.getTime() - sale.validUntil.getTime()
  const after = withSale(clearEntry(kase, sale.id, now), {
    state: sale.state === 'review' ? 'submitted' : sale.state,
    ...nextUnpaidCheck(sale, now),
    expiredSince: null,
  })
  const isDeclined = seen.status === 'FAILED' && isEveryCardDeclined(kase) && !sale.hasTooManyCards
  return {
    after,
    status: isDeclined ? { state: 'declined' } : statusOf(after),
    // Past its end SumUp takes no card on it, whether or not SumUp says so: only ending it makes that certain.
    ...((sale.hasTooManyCards || overdueMs > endMarginMs) && { endAtSumup: true }),
  }
}

/** A card is at the buyer's bank, so the sale goes on whatever else SumUp says. */
function reconcileAtBank(kase: SaleCase, now: Date): Decision {
  const { sale } = kase
  const entry = saleEntry(kase)
  const since = pendingOf(kase).reduce(
    (first, { foundAt }) => (foundAt < first ? foundAt : first),
    now,
  )
  const isKnownStuck = entry?.state === 'open' && entry.reason === 'stuck'
  if (isKnownStuck || isOlder(since, stuckAfterMs, now)) return review(kase, 'stuck', now)
  const after = withSale(clearEntry(kase, sale.id, now), {
    state: 'submitted',
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
function reconcileExpired(kase: SaleCase, reading: Reading, now: Date): Decision {
  const { sale } = kase
  const isEnded = reading.isEnding && !endsByItself(sale, now)
  if (sale.state === 'open' || sale.state === 'closed' || sale.hasTooManyCards || isEnded)
    return close(kase, now)
  const since = sale.expiredSince ?? now
  const endedAt = isSoonAfter(sale.validUntil, since) ? sale.validUntil : since
  const next = expiredChecksMs.find((ms) => ms > now.getTime() - endedAt.getTime())
  if (next === undefined) return close(kase, now)
  const isConfirmed = isEveryCardDeclined(kase) || isOlder(since, unclearMs, now)
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
function reconcileMissing(read: SaleCase, now: Date): Decision {
  const kase = withSale(read, { unreadSince: null, lastError: null })
  const { sale } = kase
  const entry = saleEntry(kase)
  const paid = kase.payments.find(isKept)
  if (paid && entry?.state !== 'open') return review(kase, 'lost-at-sumup', now, { payment: paid })
  if (sale.state === 'created' || sale.state === 'open') return close(kase, now)
  if (entry?.state === 'open') return stay(kase, entry, now)
  if (sale.state === 'closed') {
    const after = withSale(kase, { nextCheckAt: null })
    return { after, status: statusOf(after) }
  }
  if (now.getTime() - sale.validUntil.getTime() > lostAfterMs)
    return review(kase, 'lost-at-sumup', now)
  const after = withSale(kase, nextCheck(sale, now))
  return { after, status: { state: 'waiting', reason: 'unclear' } }
}

/**
 * Nothing is known, so nothing changes, and the check does not count: it is repeated as soon as SumUp answers. What nobody
 * can read for an hour, a person must see.
 */
function reconcileUnread(kase: SaleCase, why: string, now: Date): Decision {
  const { sale } = kase
  const unreadSince = sale.unreadSince ?? now
  const isOverdue = sale.nextCheckAt !== null && sale.nextCheckAt <= now
  const known = withSale(kase, {
    unreadSince,
    lastError: sale.lastError ?? why.slice(0, 500),
    ...(isOverdue && { nextCheckAt: addMs(now, 10 * second) }),
  })
  const isLong = sale.state === 'submitted' && isOlder(unreadSince, unreadAfterMs, now)
  if (isLong && sale.details)
    return review(known, 'unreadable', now, { payment: kase.payments.find(isKept) })
  const status = statusOf(known)
  return {
    after: known,
    status: status.state === 'waiting' ? { state: 'waiting', reason: 'unreachable' } : status,
  }
}

function reconcileOtherAccount(kase: SaleCase, now: Date): Decision {
  const { sale } = kase
  const entry = saleEntry(kase)
  // A webhook of the old account for a closed sale: its meaning cannot be looked up.
  const isNotified = sale.state === 'closed' && sale.startedAt !== null && sale.nextCheckAt !== null
  if (sale.state === 'submitted' || isNotified)
    return review(kase, 'account-changed', now, { payment: kase.payments.find(isKept) })
  if (isUnfinished(sale)) return close(kase, now)
  // The other account cannot be queried, so there is nothing to check.
  if (entry?.state === 'open') return stay(kase, entry, now)
  const after = withSale(kase, { nextCheckAt: null })
  return { after, status: statusOf(after) }
}

/** SumUp's answer makes no sense. It may only be early; if it stays so, it goes to review. */
function unclear(
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

function review(
  kase: SaleCase,
  reason: ReviewReason,
  now: Date,
  { payment, since }: { payment?: Payment | undefined; since?: Date } = {},
): Decision {
  const { sale } = kase
  const opened = openEntry(kase, sale.id, reason, payment, now)
  const after = withSale(opened, {
    state: 'review',
    unclearSince: since ?? null,
    expiredSince: null,
    nextCheckAt: nextReviewCheck(reason, now),
    priority: priorities.lazy,
    checks: sale.checks + 1,
  })
  return { after, status: { state: 'review', reason } }
}
