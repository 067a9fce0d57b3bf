import type { AuditAction } from '#contract/audit.ts'
import type { ReviewReason } from '#contract/checkouts.ts'
import { formatCents, toCents } from '#contract/money.ts'
import type { CheckoutDetails, Chosen } from '#contract/orders.ts'
import { noTrace } from '#contract/refunds.ts'
import { Refusal, type RefusalCode } from '#contract/refusals.ts'
import {
  isKept,
  isOpenRefund,
  isReturned,
  hasSale,
  ordersPayment,
  reasonOf,
  remainingCents,
  statusOf,
  withSale,
  type Bought,
  type SaleRecord,
  type Decision,
  type Question,
  type Loaded,
  type Payment,
  type Refund,
} from './record.ts'
import {
  ask,
  end,
  load,
  readAgain,
  readPayment,
  retryWhileStale,
  write,
  type ActNote,
  type Context,
  type Flow,
  type RefundAnswer,
} from './flow.ts'
import { followRefund, notAsked } from './observe.ts'
import {
  endQuestion,
  questionPayment,
  findQuestion,
  isRefundFresh,
  orderVersionOf,
  unaskableReasons,
  versionOf,
  whyNoOrder,
  whyNoOrderRefund,
  whyNoRefund,
  withQuestion,
} from './question.ts'
import { complete, followPayments, reconcile } from './reconcile.ts'
import { nextCheck, nextReviewCheck } from './schedule.ts'

/** What the owner decides about questions and refunds: on what was on their screen, and on what SumUp says now. */

export type Act = {
  /** The sale or payment that the question is about. */
  recordId: string
  questionId: string
  /** The version of the question that was shown. */
  version: string
  /** The admin's id. */
  by: string
}

function getQuestion(record: SaleRecord | undefined, act: Act): Question {
  const question = record && findQuestion(record, act.questionId)
  if (!question) throw new Refusal('review-missing')
  return question
}

function getOpen(loaded: Loaded | undefined, act: Act): { record: SaleRecord; question: Question } {
  const question = getQuestion(loaded?.record, act)
  if (!loaded) throw new Refusal('review-missing')
  assertShown(loaded.record, question, act)
  return { record: loaded.record, question }
}

function assertShown(record: SaleRecord, question: Question, { version }: Act): void {
  if (question.state !== 'open') throw new Refusal('review-done')
  if (versionOf(record, question) !== version) throw new Refusal('review-changed')
}

/** Money that went back becomes neither an order nor a refund, whatever else has changed. */
function assertNotReturned(record: SaleRecord, question: Question): void {
  const payment = questionPayment(record, question)
  if (question.state === 'open' && payment && isReturned(payment))
    throw new Refusal('payment-returned')
}

/** What was written of a record, unless it is gone or others kept changing it. */
function orRefuse<Written>(
  written: Written | 'stale' | undefined,
  missing: RefusalCode,
  changed: RefusalCode,
): Written {
  if (written === undefined) throw new Refusal(missing)
  if (written === 'stale') throw new Refusal(changed)
  return written
}

/** Creates the order of a payment. */
export function* createOrder(
  context: Context,
  act: Act,
  given: {
    details?: CheckoutDetails | undefined
    bought?: Bought | undefined
    chosen?: Chosen | undefined
  },
): Flow<SaleRecord> {
  const shown = getOpen(yield* load(act.recordId), act)
  yield* readBeforeAct(context, act, shown.question)
  const ordered = yield* retryWhileStale(act.recordId, function* (loaded): Flow<
    SaleRecord | 'stale'
  > {
    assertNotReturned(loaded.record, getQuestion(loaded.record, act))
    const { record, question } = getOpen(loaded, act)
    const refused = whyNoOrder(record, question)
    if (refused) throw new Refusal(refused)
    const { bought } = given
    if (!record.sale && !bought)
      throw new Refusal('bad-request', { text: 'Choose the product that was bought' })
    const details = record.sale?.details ?? given.details
    if (!details) throw new Refusal('bad-request', { text: 'Enter an address to deliver to' })
    const { chosen } = given
    const typed = { details, chosen, ...(!record.sale && bought && { bought }) }
    const decision = decideOrder(record, question, typed, act.by, loaded.now)
    const written = yield* write(loaded, decision, { action: 'review-ordered' })
    if (written.type === 'reused') throw new Refusal('order-impossible')
    return written.type === 'written' ? written.record : 'stale'
  })
  return orRefuse(ordered, 'review-missing', 'review-changed')
}

/** What SumUp says now counts, not what the screen showed. */
function* readBeforeAct(context: Context, act: Act, question: Question): Flow<void> {
  const again = yield* readAgain(context, act.recordId, question)
  if (again === 'stale') throw new Refusal('review-changed')
  if (again?.isUnreachable && !unaskableReasons.includes(reasonOf(question)))
    throw new Refusal('payments-away', { retryAfter: 5 })
}

/** Creates the order. The payment was read right before, as far as SumUp can be asked. */
export function decideOrder(
  record: SaleRecord,
  question: Question,
  given: { details: CheckoutDetails; bought?: Bought; chosen?: Chosen | undefined },
  by: string,
  now: Date,
): Decision {
  const handled = { state: 'ordered', handledAt: now, handledBy: by }
  const ended = endQuestion(record, question.id, handled)
  const { sale } = ended
  const payment = questionPayment(record, question)
  // What SumUp could not be asked about is looked at until it can.
  const isRead = payment !== undefined && payment.unreadSince === null
  const after = sale
    ? withSale(ended, {
        state: 'paid',
        chosen: given.chosen ?? sale.chosen,
        details: given.details,
        detailsAt: sale.detailsAt ?? now,
        startedAt: sale.startedAt ?? now,
        unclearSince: null,
        expiredSince: null,
        visitor: null,
        ...(isRead ? { nextCheckAt: null } : nextCheck({ checks: 0 }, now)),
      })
    : ended
  const order = {
    payment,
    details: given.details,
    ...(given.bought && {
      bought: { ...given.bought, product: { ...given.bought.product, ...given.chosen } },
    }),
  }
  return complete(record, { after, status: { state: 'paid' }, order }, now)
}

/** A refund of what pays for an order, as the admin saw it on the screen. */
export type OrderRefund = {
  recordId: string
  orderId: string
  /** The version of the order's payment that was shown. */
  version: string
  /** Undefined for all that is left. */
  amount?: string | undefined
  /** The refund is refused unless it is of all that is left. */
  isWhole?: boolean
  by: string
}

/** `pending`: SumUp says itself that it is working on it. */
type RefundResult = {
  state: 'done' | 'failed' | 'pending' | 'unknown'
  amount: string
  /** Why it failed, in SumUp's words. */
  problem: string | null
}

/**
 * Refunds a payment: our row first, then SumUp is asked, then the payment is read, and only that counts. A refund of which
 * nobody knows what became of it stays open, so that neither an order nor another refund is made of it.
 */
export function* refund(context: Context, act: Act | OrderRefund): Flow<RefundResult> {
  const subject = 'orderId' in act ? refundOfOrder(act) : refundOfQuestion(act)
  const { record, payment } = subject.find(yield* load(act.recordId))
  if (!context.isOwn(payment)) throw new Refusal('refund-other-account')
  // What pays for the order may have gone back meanwhile: then another payment does, and stays.
  const counted = ordersPayment(record)
  if (counted && counted.id !== payment.id)
    yield* readBeforeRefund(context, act.recordId, counted, subject)
  yield* readBeforeRefund(context, act.recordId, payment, subject)
  const asked = yield* beginRefund(context, act, subject, payment)
  const answer = yield* ask({
    call: 'refund',
    transactionId: payment.transactionId,
    amount: asked.amount,
  })
  const read = yield* readPayment(context, act.recordId, payment.id)
  const isRead = typeof read === 'object' && typeof read.result === 'object'
  const ended = yield* retryWhileStale(act.recordId, function* (loaded): Flow<
    RefundResult | 'stale' | undefined
  > {
    const { record, now } = loaded
    if (!record.refunds.some(({ id }) => id === asked.id)) return undefined
    const decision = decideRefundAnswer(record, asked.id, answer, isRead, now)
    const result = describeRefund(decision.after, asked)
    const written = yield* write(loaded, decision, noteOf(result, subject))
    return written.type === 'written' ? result : 'stale'
  })
  if (ended === undefined) throw new Refusal(subject.missing)
  return ended === 'stale' ? { state: 'unknown', amount: asked.amount, problem: null } : ended
}

function* readBeforeRefund(
  context: Context,
  recordId: string,
  { id }: Payment,
  { changed }: RefundSubject,
): Flow<void> {
  const read = yield* readPayment(context, recordId, id)
  if (read === 'stale') throw new Refusal(changed)
  if (!read || read.result === 'unread') throw new Refusal('payments-away', { retryAfter: 5 })
  // Nobody could tell what became of it.
  if (typeof read.result === 'string') throw new Refusal('refund-impossible')
}

/** `read`: the payment that SumUp was just asked about. */
function* beginRefund(
  { createId }: Context,
  { recordId, by }: Act | OrderRefund,
  { choose, name, actions, changed }: RefundSubject,
  read: Payment,
): Flow<Refund> {
  const begun = yield* retryWhileStale(recordId, function* (loaded): Flow<Refund | 'stale'> {
    const { record, now } = loaded
    const { payment, cents } = choose(loaded)
    if (payment.id !== read.id) throw new Refusal(changed)
    const newId = () => createId(`refund ${record.refunds.length + 1} of ${name(payment)}`)
    const { refund, decision } = decideRefund(record, payment, cents, { by, now, createId: newId })
    const note = { action: actions.begun, amount: refund.amount }
    const written = yield* write(loaded, decision, note)
    return written.type === 'written' ? refund : 'stale'
  })
  return orRefuse(begun, changed, changed)
}

/** Stores that SumUp will be asked to give back so much. An older try without a trace counts as failed. */
export function decideRefund(
  record: SaleRecord,
  payment: Payment,
  cents: number,
  { by, now, createId }: { by: string; now: Date; createId: () => string },
): { decision: Decision; refund: Refund } {
  if (payment.currency === null || cents <= 0 || cents > remainingCents(payment))
    throw new Error('there is not as much to refund')
  const refund: Refund = {
    id: createId(),
    paymentId: payment.id,
    amount: formatCents(cents),
    currency: payment.currency,
    state: 'asked',
    refundedBefore: payment.refunded,
    failedBefore: payment.failedRefunds,
    askedBy: by,
    askedAt: now,
    endedAt: null,
    problem: null,
  }
  const earlier = record.refunds.map((one): Refund =>
    one.paymentId === payment.id && isOpenRefund(one)
      ? { ...one, state: 'failed', endedAt: now, problem: noTrace }
      : one,
  )
  const refunds = [...earlier, refund]
  const after = followPayments({ ...record, refunds }, now)
  return { refund, decision: { after, status: statusOf(after) } }
}

/** Ends a refund as far as the reading after it shows, which `record` already contains. */
export function decideRefundAnswer(
  record: SaleRecord,
  refundId: string,
  answer: RefundAnswer,
  isRead: boolean,
  now: Date,
): Decision {
  const refunds = record.refunds.map((one): Refund => {
    const payment = record.payments.find(({ id }) => id === one.paymentId)
    if (one.id !== refundId || !payment) return one
    const isRefused = answer.type === 'refused' && isRead
    const state = followRefund(one, payment, { isRefused })
    if (state === 'asked') return { ...one, state: 'unknown' }
    if (state === 'unknown') return one
    const problem =
      answer.type === 'refused' && state === 'failed' ? answer.problem.slice(0, 500) : one.problem
    return { ...one, state, problem, endedAt: one.endedAt ?? now }
  })
  return reconcile(record, { ...record, refunds }, notAsked, now)
}

function describeRefund({ refunds, payments }: SaleRecord, asked: Refund): RefundResult {
  const { state, amount, problem } = refunds.find(({ id }) => id === asked.id) ?? asked
  if (state === 'done' || state === 'failed') return { state, amount, problem }
  const isPending = payments.some(
    ({ id, isRefundPending }) => id === asked.paymentId && isRefundPending,
  )
  return { state: isPending ? 'pending' : 'unknown', amount, problem: null }
}

function noteOf({ state, amount, problem }: RefundResult, { actions }: RefundSubject): ActNote {
  if (state === 'done') return { action: actions.done, amount }
  const reason = state === 'failed' ? (problem ?? undefined) : 'refund-unknown'
  return { action: actions.failed, amount, reason }
}

/** Says which payment of a record is refunded, and how much of it goes back. */
type RefundSubject = {
  /** The payment that was on the screen. */
  find: (loaded: Loaded | undefined) => { record: SaleRecord; payment: Payment }
  /** Refuses unless the record is still as it was on the screen, and SumUp may be asked. */
  choose: (loaded: Loaded) => { payment: Payment; cents: number }
  /** The first words of the ids of its refunds. */
  name: (payment: Payment) => string
  actions: { begun: AuditAction; done: AuditAction; failed: AuditAction }
  missing: RefusalCode
  changed: RefusalCode
}

function refundOfQuestion(act: Act): RefundSubject {
  const find = (loaded: Loaded | undefined) => {
    const { record, question } = getOpen(loaded, act)
    const payment = questionPayment(record, question)
    if (!payment) throw new Refusal('refund-impossible')
    return { record, question, payment }
  }
  return {
    find,
    choose(loaded) {
      assertNotReturned(loaded.record, getQuestion(loaded.record, act))
      const { record, question, payment } = find(loaded)
      const refused = whyNoRefund(record, question, loaded.now)
      if (refused) throw new Refusal(refused)
      return { payment, cents: remainingCents(payment) }
    },
    name: () => act.questionId,
    actions: {
      begun: 'review-refund-begun',
      done: 'review-refunded',
      failed: 'review-refund-failed',
    },
    missing: 'review-missing',
    changed: 'review-changed',
  }
}

const notWhole = 'A piece comes back into stock only with a refund of all that is left'

function refundOfOrder(act: OrderRefund): RefundSubject {
  const find = (loaded: Loaded | undefined) => {
    if (!loaded || loaded.record.order?.id !== act.orderId) throw new Refusal('order-missing')
    const payment = ordersPayment(loaded.record)
    if (!payment) throw new Refusal('refund-without-payment')
    return { record: loaded.record, payment }
  }
  return {
    find,
    choose(loaded) {
      const { record, payment } = find(loaded)
      const left = remainingCents(payment)
      const facts = { left: formatCents(left) }
      const cents = act.amount === undefined ? left : toCents(act.amount)
      const refused = whyNoOrderRefund(record, loaded.now, cents)
      if (refused) throw new Refusal(refused, { facts })
      if (orderVersionOf(record) !== act.version) throw new Refusal('refund-changed', { facts })
      if (cents > left) throw new Refusal('refund-too-much', { facts })
      if (act.isWhole && cents < left) throw new Refusal('bad-request', { text: notWhole })
      return { payment, cents }
    },
    name: ({ id }) => id,
    actions: {
      begun: 'order-refund-begun',
      done: 'order-refunded',
      failed: 'order-refund-failed',
    },
    missing: 'order-missing',
    changed: 'refund-changed',
  }
}

/**
 * What SumUp says by now may settle it after all. A checkout without a known payment is ended first, so that none can
 * follow; if that ends the question, nothing is left to dismiss, and the owner is told so.
 */
export function* dismiss(context: Context, act: Act, note: string): Flow<SaleRecord> {
  const { record: first, question: shown } = getOpen(yield* load(act.recordId), act)
  if (shown.id === first.sale?.id && context.isOwn(first.sale)) {
    const isPaid = first.payments.some(isKept)
    if (isPaid) yield* readAgain(context, act.recordId, shown)
    else yield* end(context, first.sale)
  }
  const dismissed = yield* retryWhileStale(act.recordId, function* (loaded): Flow<
    SaleRecord | 'stale'
  > {
    const { record, question } = getOpen(loaded, act)
    if (isRefundFresh(record, question, loaded.now)) throw new Refusal('refund-running')
    const decision = decideDismissal(record, question, note, act.by, loaded.now)
    const written = yield* write(loaded, decision, { action: 'review-dismissed' })
    return written.type === 'written' ? written.record : 'stale'
  })
  return orRefuse(dismissed, 'review-missing', 'review-changed')
}

export function decideDismissal(
  record: SaleRecord,
  question: Question,
  note: string,
  by: string,
  now: Date,
): Decision {
  const ended = endQuestion(record, question.id, {
    state: 'dismissed',
    note,
    handledAt: now,
    handledBy: by,
  })
  const isSale = question.id === record.sale?.id && !record.order
  const after = isSale ? withSale(ended, { state: 'dismissed', nextCheckAt: null }) : ended
  const decision: Decision = { after, status: statusOf(after) }
  return complete(record, isSale ? { ...decision, mails: ['payment-closed'] } : decision, now)
}

/** What the owner is asked although there is an order. */
const aboutOrders: ReviewReason[] = ['refunded', 'not-at-sumup', 'stuck', 'contradiction']

/** Undoes a dismissal. */
export function* restore(act: Act): Flow<SaleRecord> {
  const restored = yield* retryWhileStale(act.recordId, function* (loaded): Flow<
    SaleRecord | 'stale'
  > {
    const { record, now } = loaded
    const question = getQuestion(record, act)
    const isSales = hasSale(record) && question.id === record.sale.id
    const payment = questionPayment(record, question)
    const isOrders = payment && payment === ordersPayment(record)
    const isOrdered =
      record.order && (isSales || isOrders) && !aboutOrders.includes(reasonOf(question))
    if (question.state !== 'dismissed' || isOrdered) throw new Refusal('review-done')
    if (versionOf(record, question) !== act.version) throw new Refusal('review-changed')
    const decision = decideRestore(record, question, now)
    const written = yield* write(loaded, decision, { action: 'review-restored' })
    return written.type === 'written' ? written.record : 'stale'
  })
  return orRefuse(restored, 'review-missing', 'review-changed')
}

/** Asks the dismissed question anew. What became of the money since counts at once. */
function decideRestore(record: SaleRecord, question: Question, now: Date): Decision {
  const open = { ...question, state: 'open', note: null, handledAt: null, handledBy: null }
  const restored = withQuestion(record, open)
  if (question.id !== record.sale?.id) return reconcile(record, restored, notAsked, now)
  const asked = record.order
    ? { nextCheckAt: record.order.transactionId ? null : now }
    : { state: 'review', nextCheckAt: nextReviewCheck(reasonOf(question), question.openedAt, now) }
  return reconcile(record, withSale(restored, asked), notAsked, now)
}

/** SumUp has no codes for why it did not refund, so this reads its words. No other place does. */

const knownProblems: { sign: RegExp; text: string }[] = [
  {
    // 51 is the banks' code for it.
    sign: /balance|insufficient|not enough|\bfunds\b|^failed 51$/i,
    text: 'There is not enough money in your SumUp balance, which pay-outs empty. Wait for the next sales, or ask SumUp how to pay in, and try again.',
  },
  {
    sign: /too old|older than|expired|time limit|refund period|refund window/i,
    text: 'This payment is older than SumUp allows for a refund. Please give the money back in another way.',
  },
  {
    sign: /\bamex\b|american express/i,
    text: 'A part of an American Express payment can only be refunded from the day after it was made. Please try again tomorrow.',
  },
]

export const otherAccountText =
  'This was paid to another SumUp account than the one that the shop uses now, which cannot be asked what became of it. Please look it up in that account.'

/** `problem`: what SumUp said, if it said anything. */
export function describeRefundProblem(problem: string | null): string {
  if (problem === noTrace)
    return 'SumUp has shown no trace of this refund for an hour, and it was asked for once more.'
  if (!problem) return 'SumUp did not refund the money, and does not say why.'
  const known = knownProblems.find(({ sign }) => sign.test(problem))
  return known?.text ?? `SumUp did not refund the money. It says: “${problem}”`
}
