import { hash } from 'node:crypto'
import type { ReviewEntry, ReviewReason, ReviewState } from '#contract/checkouts.ts'
import { toCents } from '#contract/money.ts'
import {
  isKept,
  isReturned,
  openRefundOf,
  ordersPayment,
  pendingOf,
  reasonOf,
  remainingCents,
  saleEntry,
  statusOf,
  withSale,
  type Case,
  type Decision,
  type Entry,
  type Payment,
  type Refund,
  type Sale,
  type SaleCase,
} from './case.ts'
import type { Reading } from './observe.ts'
import {
  addMs,
  day,
  hour,
  isOlder,
  maxPauseMs,
  nextReviewCheck,
  priorities,
  stuckAfterMs,
} from './schedule.ts'

/** Questions for the owner about money: when one is asked, how it ends by itself, what is seen of it, and what may be decided. */

export function withEntry(kase: Case, entry: Entry): Case {
  const others = kase.entries.filter(({ id }) => id !== entry.id)
  return { ...kase, entries: [...others, entry] }
}

/** Asks the owner. A question that is open already keeps its time; a resolved one is asked anew. */
export function openEntry(
  kase: Case,
  id: string,
  reason: ReviewReason,
  payment: Payment | undefined,
  now: Date,
): Case {
  const known = kase.entries.find((one) => one.id === id)
  return withEntry(kase, {
    id,
    saleId: kase.sale?.id ?? null,
    paymentId: payment?.id ?? null,
    reason,
    state: 'open',
    isTest: kase.sale?.isTest ?? payment?.isTest ?? false,
    openedAt: known?.state === 'open' ? known.openedAt : now,
    note: null,
    handledAt: null,
    handledBy: null,
  })
}

/** Ends a question that SumUp's word made unnecessary. */
export function clearEntry<Of extends Case>(kase: Of, id: string, now: Date): Of {
  return endEntry(kase, id, { state: 'cleared', handledAt: now, handledBy: null })
}

export function endEntry<Of extends Case>(kase: Of, id: string, changes: Partial<Entry>): Of {
  const entries = kase.entries.map((one) =>
    one.id === id && one.state === 'open' ? { ...one, ...changes } : one,
  )
  return { ...kase, entries }
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

/** The sale stays with the owner, who was asked about it. */
export function keepInReview(kase: SaleCase, entry: Entry, now: Date): Decision {
  const after = withSale(kase, {
    state: 'review',
    nextCheckAt: nextReviewCheck(reasonOf(entry), entry.openedAt, now),
  })
  return { after, status: statusOf(after) }
}

/**
 * What the owner was asked, or has decided, about a sale without an order. Undefined if nobody was, or if SumUp's next word
 * may end the question.
 */
export function reconcileAsked(kase: SaleCase, reading: Reading, now: Date): Decision | undefined {
  const entry = saleEntry(kase)
  if (!entry || entry.state === 'cleared') return undefined
  return entry.state === 'open'
    ? stayWithOwner(kase, entry, now)
    : reconcileDecided(kase, entry, reading, now)
}

/** Reasons that no answer of SumUp takes back: once the owner was asked, they decide. */
const reasonsForOwner: ReviewReason[] = ['mismatch', 'payment-reused', 'paid-late']

function stayWithOwner(kase: SaleCase, entry: Entry, now: Date): Decision | undefined {
  const payment = kase.payments.find(({ id }) => id === entry.paymentId)
  if (payment && isReturned(payment)) return endReturned(kase, entry, payment, now)
  if (payment && openRefundOf(kase, payment)) return keepInReview(kase, entry, now)
  if (isReused(entry) && kase.payments.some(isKept)) return undefined
  return reasonsForOwner.includes(reasonOf(entry)) ? keepInReview(kase, entry, now) : undefined
}

/** Whether the owner was asked about a payment of another sale before one of its own was known. */
export function isReused({ reason, paymentId }: Entry): boolean {
  return reason === 'payment-reused' && paymentId === null
}

/** The payment in review went back: by our refund the sale is over, otherwise the owner is told. */
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

/** Finds another payment of the sale that the shop has, and that nobody has decided about. */
function findUndecided({ payments, entries }: SaleCase, { paymentId }: Entry): Payment | undefined {
  // That a bank was slow says nothing about the money.
  const decided = entries.filter(
    ({ state, reason }) => state !== 'open' && state !== 'cleared' && reason !== 'stuck',
  )
  const isDecided = ({ id }: Payment) => decided.some((one) => one.id === id)
  return payments.find((one) => one.id !== paymentId && isKept(one) && !isDecided(one))
}

/**
 * The sale stays with the owner because of another payment, so that the buyer is not told that all is over. What became of
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

/** The owner decided. Money that they did not know of brings it back to them. */
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

/** What is announced about a sale that the owner has decided is looked at, for a day while SumUp cannot be asked. */
function scheduleDecided({ nextCheckAt, unreadSince }: Sale, { checkout }: Reading, now: Date) {
  const since = unreadSince ?? now
  const isAwaited = checkout.type === 'unreachable' && nextCheckAt && !isOlder(since, day, now)
  return isAwaited
    ? { nextCheckAt: addMs(now, maxPauseMs), unreadSince: since }
    : { nextCheckAt: null, unreadSince: null }
}

/** Ends entries about payments that went back to the buyer; the sale's own only if that was our refund. */
export function withoutReturned<Of extends Case>(kase: Of, now: Date): Of {
  const entries = kase.entries.map((entry) => {
    const payment = kase.payments.find(({ id }) => id === entry.paymentId)
    if (entry.state !== 'open' || !payment || !isReturned(payment)) return entry
    const refund = kase.refunds.find(
      ({ paymentId, state }) => paymentId === payment.id && state === 'done',
    )
    if (!refund && entry.id === kase.sale?.id) return entry
    const handledBy = refund ? refund.askedBy : null
    return { ...entry, state: 'refunded', handledAt: now, handledBy }
  })
  return { ...kase, entries }
}

/** Once there is an order, or the owner was asked, every other payment that the shop has kept is shown to them too. */
export function withEveryPayment({ after, order, reassignOrderTo }: Decision, now: Date): Case {
  const entry = saleEntry(after)
  const isOrdered = order !== undefined || after.order !== undefined
  const isAsked = entry !== undefined && entry.state !== 'cleared'
  if (!after.sale || !(isOrdered || isAsked)) return after
  const paidBy = order
    ? order.payment?.transactionId
    : (reassignOrderTo?.transactionId ?? after.order?.transactionId)
  const kept = after.payments.filter((one) => isKept(one) && one.transactionId !== paidBy)
  const [first] = kept
  let known = after
  // The owner was asked before anybody knew of a payment.
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

/** With the sale, what its cards do is read too. */
export const isSaleAsked = ({ sale }: Case) => sale !== undefined && sale.nextCheckAt !== null

/** Asks the owner about cards that the bank has not answered about for a week, although nobody asks about their sale any more. */
export function withStuckCards(kase: Case, now: Date): Case {
  const isBefore = (one: Date, other: Date | null) => other === null || one <= other
  const isTold = ({ id, foundAt }: Payment) =>
    kase.entries.some(
      (entry) =>
        entry.reason === 'stuck' &&
        entry.state !== 'cleared' &&
        (entry.id === id || (entry.id === kase.sale?.id && isBefore(foundAt, entry.handledAt))),
    )
  const stuck = isSaleAsked(kase)
    ? []
    : pendingOf(kase).filter((one) => isOlder(one.foundAt, stuckAfterMs, now) && !isTold(one))
  const ended = kase.payments.filter(
    (one) => one.status !== 'pending' && findStuckCard(kase, one) !== undefined,
  )
  const settled = ended.reduce((known, { id }) => clearEntry(known, id, now), kase)
  return stuck.reduce((known, one) => openEntry(known, one.id, 'stuck', one, now), settled)
}

export function findStuckCard({ entries }: Case, { id }: Payment): Entry | undefined {
  return entries.find((one) => one.id === id && one.reason === 'stuck' && one.state === 'open')
}

/** What the owner may decide, and what they see. */

/** There is an order already, the money was returned, or it belongs to another sale. */
const reasonsWithoutOrder: ReviewReason[] = [
  'paid-twice',
  'refunded',
  'payment-reused',
  'not-at-sumup',
]
/** Reasons that say themselves that SumUp cannot be asked: then the owner's word counts. */
export const unaskableReasons: ReviewReason[] = ['account-changed', 'lost-at-sumup', 'unreadable']
/** SumUp cannot be asked, or does not make sense: only the owner can look at what happened. */
const reasonsWithoutPayment: ReviewReason[] = [...unaskableReasons, 'contradiction']
const reasonsWithoutRefund: ReviewReason[] = ['refunded', 'payment-reused', 'not-at-sumup']

/** A refund of which SumUp shows no trace may be tried again after this. */
const retryRefundMs = hour

export function findEntry(kase: Case, id: string): Entry | undefined {
  return kase.entries.find((one) => one.id === id)
}

export function entryPayment(kase: Case, entry: Entry): Payment | undefined {
  return kase.payments.find(({ id }) => id === entry.paymentId)
}

/** Why no order can be made of an entry; undefined if one can. */
export function whyNoOrder(
  kase: Case,
  entry: Entry,
): 'order-impossible' | 'payment-returned' | 'refund-running' | undefined {
  const payment = entryPayment(kase, entry)
  const reason = reasonOf(entry)
  if (payment && isReturned(payment)) return 'payment-returned'
  if (payment && openRefundOf(kase, payment)) return 'refund-running'
  if (kase.order || reasonsWithoutOrder.includes(reason)) return 'order-impossible'
  if (payment) return remainingCents(payment) > 0 ? undefined : 'order-impossible'
  const isOnlyKnownByHand = reasonsWithoutPayment.includes(reason) && pendingOf(kase).length === 0
  return isOnlyKnownByHand ? undefined : 'order-impossible'
}

type NoRefund = 'refund-impossible' | 'payment-returned' | 'refund-running' | 'refund-part-unknown'

/** Why a payment in review cannot be refunded; undefined if it can. What pays for an order is refunded from there. */
export function whyNoRefund(kase: Case, entry: Entry, now: Date): NoRefund | undefined {
  const payment = entryPayment(kase, entry)
  if (!payment) return 'refund-impossible'
  if (isReturned(payment)) return 'payment-returned'
  const isOrders = payment === ordersPayment(kase)
  if (isOrders || reasonsWithoutRefund.includes(reasonOf(entry))) return 'refund-impossible'
  return whyNotRefundable(kase, payment, now)
}

/** Why so much of an order's payment cannot be refunded; undefined if it can. Without an amount: all that is left. */
export function whyNoOrderRefund(
  kase: Case,
  now: Date,
  cents?: number,
): NoRefund | 'refund-without-payment' | undefined {
  const payment = ordersPayment(kase)
  return payment ? whyNotRefundable(kase, payment, now, cents) : 'refund-without-payment'
}

function whyNotRefundable(
  kase: Case,
  payment: Payment,
  now: Date,
  cents?: number,
): NoRefund | undefined {
  const left = remainingCents(payment)
  if (isReturned(payment)) return 'payment-returned'
  if (left === 0 || payment.currency === null) return 'refund-impossible'
  const open = openRefundOf(kase, payment)
  return open && whyNotAfter(open, payment, now, cents ?? left)
}

/**
 * Why a refund cannot follow one that is open, with the payment read right before. If SumUp shows the first late after all,
 * it refuses what is more than all: so one of both must be all that is left, or the buyer could get a part twice.
 */
function whyNotAfter(
  open: Refund,
  payment: Payment,
  now: Date,
  cents: number,
): NoRefund | undefined {
  // `asked`: the node died before it was known whether SumUp was asked.
  const isTraceless = !payment.isRefundPending && isOlder(open.askedAt, retryRefundMs, now)
  if (!isTraceless) return 'refund-running'
  const largest = Math.max(cents, toCents(open.amount))
  return largest >= remainingCents(payment) ? undefined : 'refund-part-unknown'
}

/** Whether a refund was asked for so lately that nothing else is decided about the payment. */
export function isRefundFresh(kase: Case, entry: Entry, now: Date): boolean {
  const payment = entryPayment(kase, entry)
  const open = payment && openRefundOf(kase, payment)
  return open !== undefined && !isOlder(open.askedAt, retryRefundMs, now)
}

/** A short name of what the screen showed: a decision is about that, and nothing else. */
export function versionOf(kase: Case, entry: Entry): string {
  const payment = entryPayment(kase, entry)
  const refund = payment && openRefundOf(kase, payment)
  const shown = [
    entry.state,
    entry.reason,
    kase.sale?.details ?? null,
    payment && factsOf(payment),
    payment?.conflict,
    refund && [refund.id, refund.state],
  ]
  return nameOf(shown)
}

/** The same for what the screen shows of an order's payment. */
export function orderVersionOf(kase: Case): string {
  const payment = ordersPayment(kase)
  const refund = payment && openRefundOf(kase, payment)
  return nameOf([payment && [payment.id, factsOf(payment)], refund?.id])
}

const factsOf = ({ amount, currency, status, refunded, chargedBack }: Payment) => [
  amount,
  currency,
  status,
  refunded,
  chargedBack,
]

const nameOf = (shown: unknown[]) => hash('sha256', JSON.stringify(shown)).slice(0, 16)

/** What an admin sees of a review entry. */
export function showEntry(
  { isOwn }: { isOwn: (account: Pick<Sale, 'merchantCode' | 'isTest'>) => boolean },
  kase: Case,
  entry: Entry,
  now: Date,
  handledByEmail: string | null,
): ReviewEntry {
  const { sale, order } = kase
  const payment = entryPayment(kase, entry)
  const isOpen = entry.state === 'open'
  const isOther =
    sale && payment && (payment.amount !== sale.amount || payment.currency !== sale.currency)
  const refund = payment && openRefundOf(kase, payment)
  const isSales = entry.id === sale?.id
  // An order of it is one of what was sold.
  const isOfSale = isSales || entry.reason === 'paid-late'
  return {
    id: entry.id,
    version: versionOf(kase, entry),
    state: showState(entry.state),
    reason: reasonOf(entry),
    product: sale && isOfSale ? showProduct(sale) : null,
    amount: (isSales ? sale?.amount : payment?.amount) ?? null,
    currency: (isSales ? sale?.currency : payment?.currency) ?? null,
    paid:
      isSales && isOther && payment.amount !== null && payment.currency !== null
        ? { amount: payment.amount, currency: payment.currency }
        : null,
    refundedAmount: payment?.refunded ?? '0.00',
    chargedBackAmount: payment?.chargedBack ?? '0.00',
    refund: refund
      ? {
          amount: refund.amount,
          askedAt: refund.askedAt.toISOString(),
          ...(!isOwn(payment) && { isOtherAccount: true as const }),
        }
      : null,
    conflict: payment?.conflict ?? null,
    transactionCode: payment?.transactionCode ?? null,
    paymentMethod: payment?.method ?? null,
    isTest: entry.isTest,
    details: isOfSale ? (sale?.details ?? null) : null,
    createdAt: ((isSales ? sale?.createdAt : payment?.madeAt) ?? entry.openedAt).toISOString(),
    isPaid: payment !== undefined && isKept(payment) && entry.reason !== 'not-at-sumup',
    canOrder: isOpen && whyNoOrder(kase, entry) === undefined,
    canRefund:
      isOpen &&
      payment !== undefined &&
      isOwn(payment) &&
      whyNoRefund(kase, entry, now) === undefined,
    canDismiss: isOpen && !isRefundFresh(kase, entry, now),
    orderId: order?.id ?? null,
    note: entry.note,
    handledAt: entry.handledAt?.toISOString() ?? null,
    handledBy: handledByEmail,
  }
}

function showProduct({ productId, product: { name, choice } }: Sale): ReviewEntry['product'] {
  return { id: productId, name, ...(choice && { choice }) }
}

function showState(state: string): ReviewState {
  return state === 'ordered' || state === 'refunded' || state === 'dismissed' ? state : 'open'
}
