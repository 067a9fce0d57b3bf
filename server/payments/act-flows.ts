import type { AuditAction } from '#contract/audit.ts'
import type { ReviewReason } from '#contract/checkouts.ts'
import type { CheckoutDetails, Chosen } from '#contract/orders.ts'
import { formatCents, toCents } from '#contract/money.ts'
import { Refusal, type RefusalCode } from '#contract/refusals.ts'
import {
  decideDismissal,
  decideOrder,
  decideRefund,
  decideRefundAnswer,
  decideRestore,
  entryPayment,
  findEntry,
  isRefundFresh,
  orderVersionOf,
  unaskableReasons,
  versionOf,
  whyNoOrder,
  whyNoOrderRefund,
  whyNoRefund,
} from './acts.ts'
import {
  isSaleCase,
  ordersPayment,
  reasonOf,
  type Bought,
  type Case,
  type Entry,
  type Loaded,
} from './case.ts'
import {
  ask,
  end,
  load,
  maxAttempts,
  readAgain,
  readPayment,
  write,
  type ActNote,
  type Context,
  type Flow,
} from './flows.ts'
import { isKept, isReturned, remainingCents, type Payment, type Refund } from './payment.ts'

/** A person's decisions about review entries and refunds, as flows: on what was on their screen, and on what SumUp says now. */

export type Act = {
  /** The sale or payment that the entry is about. */
  caseId: string
  entryId: string
  /** The version of the entry that was shown. */
  version: string
  /** The admin's id. */
  by: string
}

function getEntry(kase: Case | undefined, act: Act): Entry {
  const entry = kase && findEntry(kase, act.entryId)
  if (!entry) throw new Refusal('review-missing')
  return entry
}

function assertShown(kase: Case, entry: Entry, { version }: Act): void {
  if (entry.state !== 'open') throw new Refusal('review-done')
  if (versionOf(kase, entry) !== version) throw new Refusal('review-changed')
}

/** Money that went back becomes neither an order nor a refund, whatever else has changed. */
function assertNotReturned(kase: Case, entry: Entry): void {
  const payment = entryPayment(kase, entry)
  if (entry.state === 'open' && payment && isReturned(payment))
    throw new Refusal('payment-returned')
}

function getOpen(loaded: Loaded | undefined, act: Act): { kase: Case; entry: Entry } {
  const entry = getEntry(loaded?.kase, act)
  if (!loaded) throw new Refusal('review-missing')
  assertShown(loaded.kase, entry, act)
  return { kase: loaded.kase, entry }
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
): Flow<Case> {
  const shown = getOpen(yield* load(act.caseId), act)
  yield* readBeforeAct(context, act, shown.entry)
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const loaded = yield* load(act.caseId)
    if (loaded) assertNotReturned(loaded.kase, getEntry(loaded.kase, act))
    const { kase, entry } = getOpen(loaded, act)
    const refused = whyNoOrder(kase, entry)
    if (refused) throw new Refusal(refused)
    const { bought } = given
    if (!kase.sale && !bought)
      throw new Refusal('bad-request', { text: 'Choose the product that was bought' })
    const details = kase.sale?.details ?? given.details
    if (!details) throw new Refusal('bad-request', { text: 'Enter an address to deliver to' })
    if (!loaded) continue
    const { chosen } = given
    const typed = { details, chosen, ...(!kase.sale && bought && { bought }) }
    const decision = decideOrder(kase, entry, typed, act.by, loaded.now)
    const written = yield* write(loaded, decision, { action: 'review-ordered' })
    if (written.type === 'written') return written.kase
    if (written.type === 'reused') throw new Refusal('order-impossible')
  }
  throw new Refusal('review-changed')
}

/** What SumUp says now counts, not what the screen showed. */
function* readBeforeAct(context: Context, act: Act, entry: Entry): Flow<void> {
  const again = yield* readAgain(context, act.caseId, entry)
  if (again?.isUnreachable && !unaskableReasons.includes(reasonOf(entry)))
    throw new Refusal('payments-away', { retryAfter: 5 })
}

/** A refund of what pays for an order, as the admin saw it on the screen. */
export type OrderRefund = {
  caseId: string
  orderId: string
  /** The version of the order's payment that was shown. */
  version: string
  /** All that is left, if there is none. */
  amount?: string | undefined
  /** Refused unless it is all that is left. */
  isWhole?: boolean
  by: string
}

/** `pending`: SumUp says itself that it is working on it. */
export type RefundResult = {
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
  const subject = 'orderId' in act ? refundOfOrder(act) : refundOfEntry(act)
  const { kase, payment } = subject.find(yield* load(act.caseId))
  if (!context.isOwn(payment)) throw new Refusal('refund-other-account')
  // What pays for the order may have gone back meanwhile: then another payment does, and stays.
  const counted = ordersPayment(kase)
  if (counted && counted.id !== payment.id) yield* readBeforeRefund(context, act.caseId, counted)
  yield* readBeforeRefund(context, act.caseId, payment)
  const asked = yield* beginRefund(context, act, subject, payment)
  const answer = yield* ask({
    call: 'refund',
    transactionId: payment.transactionId,
    amount: asked.amount,
  })
  const read = yield* readPayment(context, act.caseId, payment.id)
  const isRead = typeof read?.result === 'object'
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const loaded = yield* load(act.caseId)
    const known = loaded?.kase.refunds.find(({ id }) => id === asked.id)
    if (!loaded || !known) throw new Refusal(subject.missing)
    const decision = decideRefundAnswer(loaded.kase, asked.id, answer, isRead, loaded.now)
    const result = describeRefund(decision.after, asked)
    const { state, amount, problem } = result
    const note: ActNote =
      state === 'done'
        ? { action: subject.actions.done, amount }
        : {
            action: subject.actions.failed,
            amount,
            reason: state === 'failed' ? (problem ?? undefined) : 'refund-unknown',
          }
    const written = yield* write(loaded, decision, note)
    if (written.type === 'written') return result
  }
  return { state: 'unknown', amount: asked.amount, problem: null }
}

function describeRefund({ refunds, payments }: Case, asked: Refund): RefundResult {
  const { state, amount, problem } = refunds.find(({ id }) => id === asked.id) ?? asked
  if (state === 'done' || state === 'failed') return { state, amount, problem }
  const isPending = payments.some(
    ({ id, isRefundPending }) => id === asked.paymentId && isRefundPending,
  )
  return { state: isPending ? 'pending' : 'unknown', amount, problem: null }
}

/** What is refunded: it says of a case which payment that is, and how much of it goes back. */
type RefundSubject = {
  /** The payment that was on the screen. */
  find: (loaded: Loaded | undefined) => { kase: Case; payment: Payment }
  /** Refuses unless the case is still as it was on the screen, and SumUp may be asked. */
  choose: (loaded: Loaded) => { payment: Payment; cents: number }
  /** The first words of the ids of its refunds. */
  name: (payment: Payment) => string
  actions: { begun: AuditAction; done: AuditAction; failed: AuditAction }
  missing: RefusalCode
  changed: RefusalCode
}

function refundOfEntry(act: Act): RefundSubject {
  const find = (loaded: Loaded | undefined) => {
    const { kase, entry } = getOpen(loaded, act)
    const payment = entryPayment(kase, entry)
    if (!payment) throw new Refusal('refund-impossible')
    return { kase, entry, payment }
  }
  return {
    find,
    choose(loaded) {
      assertNotReturned(loaded.kase, getEntry(loaded.kase, act))
      const { kase, entry, payment } = find(loaded)
      const refused = whyNoRefund(kase, entry, loaded.now)
      if (refused) throw new Refusal(refused)
      return { payment, cents: remainingCents(payment) }
    },
    name: () => act.entryId,
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
    if (!loaded || loaded.kase.order?.id !== act.orderId) throw new Refusal('order-missing')
    const payment = ordersPayment(loaded.kase)
    if (!payment) throw new Refusal('refund-without-payment')
    return { kase: loaded.kase, payment }
  }
  return {
    find,
    choose(loaded) {
      const { kase, payment } = find(loaded)
      const left = remainingCents(payment)
      const facts = { left: formatCents(left) }
      const cents = act.amount === undefined ? left : toCents(act.amount)
      const refused = whyNoOrderRefund(kase, loaded.now, cents)
      if (refused) throw new Refusal(refused, { facts })
      if (orderVersionOf(kase) !== act.version) throw new Refusal('refund-changed', { facts })
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

function* readBeforeRefund(context: Context, caseId: string, { id }: Payment): Flow<void> {
  const read = yield* readPayment(context, caseId, id)
  if (!read || read.result === 'unread') throw new Refusal('payments-away', { retryAfter: 5 })
  // Nobody could tell what became of it.
  if (typeof read.result === 'string') throw new Refusal('refund-impossible')
}

/** `read`: the payment that SumUp was just asked about. */
function* beginRefund(
  { createId }: Context,
  { caseId, by }: Act | OrderRefund,
  { choose, name, actions, changed }: RefundSubject,
  read: Payment,
): Flow<Refund> {
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const loaded = yield* load(caseId)
    if (!loaded) throw new Refusal(changed)
    const { kase, now } = loaded
    const { payment, cents } = choose(loaded)
    if (payment.id !== read.id) throw new Refusal(changed)
    const newId = () => createId(`refund ${kase.refunds.length + 1} of ${name(payment)}`)
    const begun = decideRefund(kase, payment, cents, { by, now, createId: newId })
    const note = { action: actions.begun, amount: begun.refund.amount }
    const written = yield* write(loaded, begun.decision, note)
    if (written.type === 'written') return begun.refund
  }
  throw new Refusal(changed)
}

/**
 * What SumUp says by now may settle it after all. A checkout without a known payment is ended first, so that none can
 * follow; if that ends the question, nothing is left to dismiss, and the person is told so.
 */
export function* dismiss(context: Context, act: Act, note: string): Flow<Case> {
  const { kase: first, entry: shown } = getOpen(yield* load(act.caseId), act)
  if (shown.id === first.sale?.id && context.isOwn(first.sale)) {
    const isPaid = first.payments.some(isKept)
    if (isPaid) yield* readAgain(context, act.caseId, shown)
    else yield* end(context, first.sale)
  }
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const loaded = yield* load(act.caseId)
    const { kase, entry } = getOpen(loaded, act)
    if (!loaded) continue
    if (isRefundFresh(kase, entry, loaded.now)) throw new Refusal('refund-running')
    const decision = decideDismissal(kase, entry, note, act.by, loaded.now)
    const written = yield* write(loaded, decision, { action: 'review-dismissed' })
    if (written.type === 'written') return written.kase
  }
  throw new Refusal('review-changed')
}

/** What a person is asked although there is an order. */
const aboutOrders: ReviewReason[] = ['refunded', 'not-at-sumup', 'stuck', 'contradiction']

/** Undoes a dismissal. */
export function* restore(act: Act): Flow<Case> {
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const loaded = yield* load(act.caseId)
    const entry = getEntry(loaded?.kase, act)
    if (!loaded) continue
    const { kase, now } = loaded
    const isSales = isSaleCase(kase) && entry.id === kase.sale.id
    const payment = entryPayment(kase, entry)
    const isOrders = payment && payment === ordersPayment(kase)
    const isOrdered = kase.order && (isSales || isOrders) && !aboutOrders.includes(reasonOf(entry))
    if (entry.state !== 'dismissed' || isOrdered) throw new Refusal('review-done')
    if (versionOf(kase, entry) !== act.version) throw new Refusal('review-changed')
    const decision = decideRestore(kase, entry, now)
    const written = yield* write(loaded, decision, { action: 'review-restored' })
    if (written.type === 'written') return written.kase
  }
  throw new Refusal('review-changed')
}
