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
  saleQuestion,
  statusOf,
  withSale,
  type SaleRecord,
  type Decision,
  type Question,
  type Payment,
  type Refund,
  type Sale,
  type RecordWithSale,
} from './record.ts'
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

export function withQuestion(record: SaleRecord, question: Question): SaleRecord {
  const others = record.questions.filter(({ id }) => id !== question.id)
  return { ...record, questions: [...others, question] }
}

/** Asks the owner. A question that is open already keeps its time; a resolved one is asked anew. */
export function openQuestion(
  record: SaleRecord,
  id: string,
  reason: ReviewReason,
  payment: Payment | undefined,
  now: Date,
): SaleRecord {
  const known = record.questions.find((one) => one.id === id)
  return withQuestion(record, {
    id,
    saleId: record.sale?.id ?? null,
    paymentId: payment?.id ?? null,
    reason,
    state: 'open',
    isTest: record.sale?.isTest ?? payment?.isTest ?? false,
    openedAt: known?.state === 'open' ? known.openedAt : now,
    note: null,
    handledAt: null,
    handledBy: null,
  })
}

/** Ends a question that SumUp's word made unnecessary. */
export function clearQuestion<Of extends SaleRecord>(record: Of, id: string, now: Date): Of {
  return endQuestion(record, id, { state: 'cleared', handledAt: now, handledBy: null })
}

export function endQuestion<Of extends SaleRecord>(
  record: Of,
  id: string,
  changes: Partial<Question>,
): Of {
  const questions = record.questions.map((one) =>
    one.id === id && one.state === 'open' ? { ...one, ...changes } : one,
  )
  return { ...record, questions }
}

export function review(
  record: RecordWithSale,
  reason: ReviewReason,
  now: Date,
  { payment, since }: { payment?: Payment | undefined; since?: Date } = {},
): Decision {
  const { sale } = record
  const opened = openQuestion(record, sale.id, reason, payment, now)
  const question = saleQuestion(record)
  const isSame = question?.state === 'open' && question.reason === reason
  const began = since ?? (isSame ? question.openedAt : now)
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
export function keepInReview(record: RecordWithSale, question: Question, now: Date): Decision {
  const after = withSale(record, {
    state: 'review',
    nextCheckAt: nextReviewCheck(reasonOf(question), question.openedAt, now),
  })
  return { after, status: statusOf(after) }
}

/**
 * What the owner was asked, or has decided, about a sale without an order. Undefined if nobody was, or if SumUp's next word
 * may end the question.
 */
export function reconcileAsked(
  record: RecordWithSale,
  reading: Reading,
  now: Date,
): Decision | undefined {
  const question = saleQuestion(record)
  if (!question || question.state === 'cleared') return undefined
  return question.state === 'open'
    ? stayWithOwner(record, question, now)
    : reconcileDecided(record, question, reading, now)
}

/** Reasons that no answer of SumUp takes back: once the owner was asked, they decide. */
const reasonsForOwner: ReviewReason[] = ['mismatch', 'payment-reused', 'paid-late']

function stayWithOwner(
  record: RecordWithSale,
  question: Question,
  now: Date,
): Decision | undefined {
  const payment = record.payments.find(({ id }) => id === question.paymentId)
  if (payment && isReturned(payment)) return endReturned(record, question, payment, now)
  if (payment && openRefundOf(record, payment)) return keepInReview(record, question, now)
  if (isReused(question) && record.payments.some(isKept)) return undefined
  return reasonsForOwner.includes(reasonOf(question))
    ? keepInReview(record, question, now)
    : undefined
}

/** Whether the owner was asked about a payment of another sale before one of its own was known. */
export function isReused({ reason, paymentId }: Question): boolean {
  return reason === 'payment-reused' && paymentId === null
}

/** The payment in review went back: by our refund the sale is over, otherwise the owner is told. */
function endReturned(
  record: RecordWithSale,
  question: Question,
  payment: Payment,
  now: Date,
): Decision {
  const other = findUndecided(record, question)
  const reason = record.sale.details ? 'paid-late' : 'no-details'
  if (other) return moveQuestion(record, question, other, reason, now)
  const ended = withoutReturned(record, now)
  const isOurs = saleQuestion(ended)?.state === 'refunded'
  if (isOurs) {
    const after = withSale(ended, { state: 'refunded', nextCheckAt: null })
    return { after, status: statusOf(after), mails: ['payment-returned'] }
  }
  return review(record, 'refunded', now, { payment })
}

/** Finds another payment of the sale that the shop has, and that nobody has decided about. */
function findUndecided(
  { payments, questions }: RecordWithSale,
  { paymentId }: Question,
): Payment | undefined {
  // That a bank was slow says nothing about the money.
  const decided = questions.filter(
    ({ state, reason }) => state !== 'open' && state !== 'cleared' && reason !== 'stuck',
  )
  const isDecided = ({ id }: Payment) => decided.some((one) => one.id === id)
  return payments.find((one) => one.id !== paymentId && isKept(one) && !isDecided(one))
}

/**
 * The sale stays with the owner because of another payment, so that the buyer is not told that all is over. What became of
 * the one before is kept as a question of its own.
 */
function moveQuestion(
  record: RecordWithSale,
  question: Question,
  other: Payment,
  reason: ReviewReason,
  now: Date,
): Decision {
  const known = question.paymentId
    ? withQuestion(record, { ...question, id: question.paymentId })
    : record
  const settled = withoutReturned(clearQuestion(known, other.id, now), now)
  return review({ ...settled, sale: record.sale }, reason, now, { payment: other })
}

/** The owner decided. Money that they did not know of brings it back to them. */
function reconcileDecided(
  record: RecordWithSale,
  question: Question,
  reading: Reading,
  now: Date,
): Decision {
  const other = findUndecided(record, question)
  if (other && question.state === 'refunded')
    return moveQuestion(record, question, other, 'paid-late', now)
  const payment = record.payments.find(isKept)
  const settled = withoutReturned(withSale(record, scheduleDecided(record.sale, reading, now)), now)
  const isUnknown = payment && question.state === 'dismissed' && question.paymentId === null
  const after = isUnknown
    ? withSale(openQuestion(settled, question.id, 'paid-late', payment, now), { state: 'review' })
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

/** Ends questions about payments that went back to the buyer; the sale's own only if that was our refund. */
export function withoutReturned<Of extends SaleRecord>(record: Of, now: Date): Of {
  const questions = record.questions.map((question) => {
    const payment = record.payments.find(({ id }) => id === question.paymentId)
    if (question.state !== 'open' || !payment || !isReturned(payment)) return question
    const refund = record.refunds.find(
      ({ paymentId, state }) => paymentId === payment.id && state === 'done',
    )
    if (!refund && question.id === record.sale?.id) return question
    const handledBy = refund ? refund.askedBy : null
    return { ...question, state: 'refunded', handledAt: now, handledBy }
  })
  return { ...record, questions }
}

/** Once there is an order, or the owner was asked, every other payment that the shop has kept is shown to them too. */
export function withEveryPayment(
  { after, order, reassignOrderTo }: Decision,
  now: Date,
): SaleRecord {
  const question = saleQuestion(after)
  const isOrdered = order !== undefined || after.order !== undefined
  const isAsked = question !== undefined && question.state !== 'cleared'
  if (!after.sale || !(isOrdered || isAsked)) return after
  const paidBy = order
    ? order.payment?.transactionId
    : (reassignOrderTo?.transactionId ?? after.order?.transactionId)
  const kept = after.payments.filter((one) => isKept(one) && one.transactionId !== paidBy)
  const [first] = kept
  let known = after
  // The owner was asked before anybody knew of a payment.
  const isWithout = question?.state === 'open' && question.paymentId === null
  if (isWithout && !isReused(question) && first)
    known = withQuestion(after, { ...question, paymentId: first.id })
  const reason = isOrdered || question?.state === 'open' ? 'paid-twice' : 'paid-late'
  // It is about to be settled as the sale's own.
  const isOwn = ({ id }: Payment) => isWithout && isReused(question) && id === first?.id
  const isShown = ({ id }: Payment) =>
    known.questions.some(
      (one) =>
        one.state !== 'cleared' &&
        (one.id === id ? one.reason !== 'stuck' : isAsked && one.paymentId === id),
    )
  for (const one of kept.filter((payment) => !isShown(payment) && !isOwn(payment)))
    known = openQuestion(known, one.id, reason, one, now)
  return known
}

/** With the sale, what its cards do is read too. */
export const isSaleAsked = ({ sale }: SaleRecord) => sale !== undefined && sale.nextCheckAt !== null

/** Asks the owner about cards that the bank has not answered about for a week, although nobody asks about their sale any more. */
export function withStuckCards(record: SaleRecord, now: Date): SaleRecord {
  const isBefore = (one: Date, other: Date | null) => other === null || one <= other
  const isTold = ({ id, foundAt }: Payment) =>
    record.questions.some(
      (question) =>
        question.reason === 'stuck' &&
        question.state !== 'cleared' &&
        (question.id === id ||
          (question.id === record.sale?.id && isBefore(foundAt, question.handledAt))),
    )
  const stuck = isSaleAsked(record)
    ? []
    : pendingOf(record).filter((one) => isOlder(one.foundAt, stuckAfterMs, now) && !isTold(one))
  const ended = record.payments.filter(
    (one) => one.status !== 'pending' && findStuckCard(record, one) !== undefined,
  )
  const settled = ended.reduce((known, { id }) => clearQuestion(known, id, now), record)
  return stuck.reduce((known, one) => openQuestion(known, one.id, 'stuck', one, now), settled)
}

export function findStuckCard({ questions }: SaleRecord, { id }: Payment): Question | undefined {
  return questions.find((one) => one.id === id && one.reason === 'stuck' && one.state === 'open')
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

export function findQuestion(record: SaleRecord, id: string): Question | undefined {
  return record.questions.find((one) => one.id === id)
}

export function questionPayment(record: SaleRecord, question: Question): Payment | undefined {
  return record.payments.find(({ id }) => id === question.paymentId)
}

/** Why no order can be made of a question; undefined if one can. */
export function whyNoOrder(
  record: SaleRecord,
  question: Question,
): 'order-impossible' | 'payment-returned' | 'refund-running' | undefined {
  const payment = questionPayment(record, question)
  const reason = reasonOf(question)
  if (payment && isReturned(payment)) return 'payment-returned'
  if (payment && openRefundOf(record, payment)) return 'refund-running'
  if (record.order || reasonsWithoutOrder.includes(reason)) return 'order-impossible'
  if (payment) return remainingCents(payment) > 0 ? undefined : 'order-impossible'
  const isOnlyKnownByHand = reasonsWithoutPayment.includes(reason) && pendingOf(record).length === 0
  return isOnlyKnownByHand ? undefined : 'order-impossible'
}

type NoRefund = 'refund-impossible' | 'payment-returned' | 'refund-running' | 'refund-part-unknown'

/** Why a payment in review cannot be refunded; undefined if it can. What pays for an order is refunded from there. */
export function whyNoRefund(
  record: SaleRecord,
  question: Question,
  now: Date,
): NoRefund | undefined {
  const payment = questionPayment(record, question)
  if (!payment) return 'refund-impossible'
  if (isReturned(payment)) return 'payment-returned'
  const isOrders = payment === ordersPayment(record)
  if (isOrders || reasonsWithoutRefund.includes(reasonOf(question))) return 'refund-impossible'
  return whyNotRefundable(record, payment, now)
}

/** Why so much of an order's payment cannot be refunded; undefined if it can. Without an amount: all that is left. */
export function whyNoOrderRefund(
  record: SaleRecord,
  now: Date,
  cents?: number,
): NoRefund | 'refund-without-payment' | undefined {
  const payment = ordersPayment(record)
  return payment ? whyNotRefundable(record, payment, now, cents) : 'refund-without-payment'
}

function whyNotRefundable(
  record: SaleRecord,
  payment: Payment,
  now: Date,
  cents?: number,
): NoRefund | undefined {
  const left = remainingCents(payment)
  if (isReturned(payment)) return 'payment-returned'
  if (left === 0 || payment.currency === null) return 'refund-impossible'
  const open = openRefundOf(record, payment)
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
export function isRefundFresh(record: SaleRecord, question: Question, now: Date): boolean {
  const payment = questionPayment(record, question)
  const open = payment && openRefundOf(record, payment)
  return open !== undefined && !isOlder(open.askedAt, retryRefundMs, now)
}

/** A short name of what the screen showed: a decision is about that, and nothing else. */
export function versionOf(record: SaleRecord, question: Question): string {
  const payment = questionPayment(record, question)
  const refund = payment && openRefundOf(record, payment)
  const shown = [
    question.state,
    question.reason,
    record.sale?.details ?? null,
    payment && factsOf(payment),
    payment?.conflict,
    refund && [refund.id, refund.state],
  ]
  return nameOf(shown)
}

/** The same for what the screen shows of an order's payment. */
export function orderVersionOf(record: SaleRecord): string {
  const payment = ordersPayment(record)
  const refund = payment && openRefundOf(record, payment)
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

/** What an admin sees of a question. */
export function showQuestion(
  { isOwn }: { isOwn: (account: Pick<Sale, 'merchantCode' | 'isTest'>) => boolean },
  record: SaleRecord,
  question: Question,
  now: Date,
  handledByEmail: string | null,
): ReviewEntry {
  const { sale, order } = record
  const payment = questionPayment(record, question)
  const isOpen = question.state === 'open'
  const isOther =
    sale && payment && (payment.amount !== sale.amount || payment.currency !== sale.currency)
  const refund = payment && openRefundOf(record, payment)
  const isSales = question.id === sale?.id
  // An order of it is one of what was sold.
  const isOfSale = isSales || question.reason === 'paid-late'
  return {
    id: question.id,
    version: versionOf(record, question),
    state: showState(question.state),
    reason: reasonOf(question),
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
    isTest: question.isTest,
    details: isOfSale ? (sale?.details ?? null) : null,
    createdAt: ((isSales ? sale?.createdAt : payment?.madeAt) ?? question.openedAt).toISOString(),
    isPaid: payment !== undefined && isKept(payment) && question.reason !== 'not-at-sumup',
    canOrder: isOpen && whyNoOrder(record, question) === undefined,
    canRefund:
      isOpen &&
      payment !== undefined &&
      isOwn(payment) &&
      whyNoRefund(record, question, now) === undefined,
    canDismiss: isOpen && !isRefundFresh(record, question, now),
    orderId: order?.id ?? null,
    note: question.note,
    handledAt: question.handledAt?.toISOString() ?? null,
    handledBy: handledByEmail,
  }
}

function showProduct({ productId, product: { name, choice } }: Sale): ReviewEntry['product'] {
  return { id: productId, name, ...(choice && { choice }) }
}

function showState(state: string): ReviewState {
  return state === 'ordered' || state === 'refunded' || state === 'dismissed' ? state : 'open'
}
