import type { AuditAction } from '#contract/audit.ts'
import type { SumupCheckout } from '#server/sumup/answers.ts'
import {
  isKept,
  hasSale,
  isSettled,
  isUnfinished,
  statusOf,
  unchanged,
  withSale,
  type SaleRecord,
  type Decision,
  type Question,
  type Loaded,
  type Payment,
  type Sale,
  type RecordWithSale,
  type StatusWithoutOrder,
} from './record.ts'
import {
  isOurs,
  isRefundRuledOut,
  mergeFacts,
  mergeReading,
  notAsked,
  type CheckoutReading,
  type PaymentFacts,
  type Reading,
  type TransactionReading,
} from './observe.ts'
import { decideReading, reconcile } from './reconcile.ts'
import { addMs, priorities, second } from './schedule.ts'

/**
 * Work on a record as a sequence of small steps: read our rows, ask SumUp, decide, write if nothing has changed meanwhile.
 * Generators, so that the server runs the steps one after the other (settle.ts), and proof/explore tries what happens when
 * others act, or the process dies, between any two of them.
 */

export type Step =
  /** Reads the record of a sale or of a payment without one. */
  | { type: 'load'; id: string }
  | { type: 'ask'; ask: Ask }
  | { type: 'write'; loaded: Loaded; decision: Decision; note?: ActNote; onlyIfFree?: OnlyIfFree }
  /** Settles a sale, as others may be doing at the same time: they share what SumUp answers. */
  | { type: 'settle'; loaded: Loaded<RecordWithSale> }
  /** Finds the earlier sale of a browser that matters before a new one. */
  | { type: 'find-earlier'; saleKey: SaleKey; isPage: boolean }
  /** Stores a new form. */
  | { type: 'insert' }
  /** Creates the checkout of a form at SumUp, or finds it there if an answer was lost. */
  | { type: 'create'; sale: Sale }
  /** Answers whether the shop uses another account than the one that this work began with. */
  | { type: 'check-account' }
  /** Reads the database's time. */
  | { type: 'clock' }
  /** Counts declined cards of the buyer's address. Answers whether they are too many. */
  | { type: 'count-declines'; sale: Sale; count: number }

/** What the audit log says about an owner's decision. Whoever runs the flow knows which admin decided. */
export type ActNote = { action: AuditAction; reason?: string | undefined; amount?: string }

/** Details are saved only if no other sale of the browser is paid and not seen yet (by a page) or told, or in review. */
export type OnlyIfFree = { isPage: boolean }

/** Finds the sales of a browser for a product. */
export type SaleKey = Pick<Sale, 'buyerTokenHash' | 'productId' | 'isTest'>

export type Created =
  | { type: 'created'; checkout: SumupCheckout }
  /** SumUp does not take this price; or it takes none, or does not answer. */
  | { type: 'refused' | 'unreachable'; cause: unknown }

export type Ask =
  | { call: 'checkout'; id: string }
  | { call: 'reference'; reference: string }
  | { call: 'transaction'; transactionId: string }
  | { call: 'deactivate'; id: string }
  | { call: 'refund'; transactionId: string; amount: string }

export type Answer = {
  checkout: CheckoutReading
  reference: { found: SumupCheckout | undefined } | { type: 'unreachable'; why: string }
  transaction: TransactionReading['result']
  deactivate: 'answered' | 'unreachable'
  refund: RefundAnswer
}

/** What SumUp answered to a refund. None of it proves anything: the payment is read afterwards. */
export type RefundAnswer = { type: 'accepted' | 'unknown' } | { type: 'refused'; problem: string }

export type Written =
  | { type: 'written'; record: SaleRecord }
  /** The record has changed since it was read: nothing was written. */
  | { type: 'stale' }
  /** Another checkout of the same browser and product has a card in progress. */
  | { type: 'other-card' }
  /** These payments belong to another sale. */
  | { type: 'reused'; transactionIds: string[] }

export type Flow<Result> = Generator<Step, Result, never>

export function* load(id: string): Flow<Loaded | undefined> {
  return yield { type: 'load', id }
}

export function* ask<Call extends keyof Answer>(
  request: Extract<Ask, { call: Call }>,
): Flow<Answer[Call]> {
  return yield { type: 'ask', ask: request }
}

export function* write(
  loaded: Loaded,
  decision: Decision,
  note?: ActNote,
  onlyIfFree?: OnlyIfFree,
): Flow<Written> {
  return yield {
    type: 'write',
    loaded,
    decision,
    ...(note && { note }),
    ...(onlyIfFree && { onlyIfFree }),
  }
}

/** How often a record is read again because others change it. */
const maxAttempts = 6

/**
 * Does something with a record, and begins anew with what it is now whenever others changed it before the step could write.
 * Returns 'stale' if that happened each time: every caller says what this means. Undefined if the record is gone.
 */
export function* retryWhileStale<Result>(
  recordId: string,
  step: (loaded: Loaded) => Flow<Result | 'stale'>,
  first?: Loaded,
): Flow<Result | 'stale' | undefined> {
  let loaded = first
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    loaded ??= yield* load(recordId)
    if (!loaded) return undefined
    const result = yield* step(loaded)
    if (result !== 'stale') return result
    loaded = undefined
  }
  return 'stale'
}

/** Does the same with the record of a sale. */
function* retrySale<Result>(
  id: string,
  step: (loaded: Loaded<RecordWithSale>) => Flow<Result | 'stale'>,
  first?: Loaded<RecordWithSale>,
): Flow<Result | 'stale' | undefined> {
  return yield* retryWhileStale(
    id,
    function* (loaded): Flow<Result | 'stale' | undefined> {
      const { record } = loaded
      return hasSale(record) ? yield* step({ ...loaded, record }) : undefined
    },
    first,
  )
}

export type Context = {
  /** Whether a sale or payment was made with the account in use. */
  isOwn: (account: Pick<Sale, 'merchantCode' | 'isTest'>) => boolean
  /** The id of a new row. Random; a proof that repeats flows needs the same one each time. */
  createId: (of: string) => string
  /** The database's time now, some time after it was read. */
  later?: (loaded: Loaded) => Date
}

export type Settled = { record: RecordWithSale; status: StatusWithoutOrder; now: Date }

/** Asks SumUp about a sale and writes what follows. Undefined if the sale is gone. */
export function* settle(
  context: Context,
  id: string,
  first?: Loaded<RecordWithSale>,
): Flow<Settled | undefined> {
  const settled = yield* retrySale(id, (loaded) => settleOnce(context, loaded), first)
  if (settled !== 'stale') return settled
  const last = yield* load(id)
  if (!last || !hasSale(last.record)) return undefined
  const { record, now } = last
  const status = isSettled(record) ? statusOf(record) : { state: 'waiting', reason: 'unclear' }
  return { record, status: status as StatusWithoutOrder, now }
}

function* settleOnce(context: Context, loaded: Loaded<RecordWithSale>): Flow<Settled | 'stale'> {
  const { record, now } = loaded
  if (isSettled(record)) return { record, status: statusOf(record), now }
  const read = yield* readSale(context, record, now)
  if (read.type === 'opened') return yield* keepSumupId(loaded, read)
  const settled = yield* writeReading(context, loaded, read.reading)
  return settled ? yield* followUp(context, settled) : 'stale'
}

type SaleReading = { type: 'opened'; sumupCheckoutId: string } | { type: 'read'; reading: Reading }

/** Asks SumUp for everything that must be known of a sale before it is decided about. */
function* readSale(
  context: Context,
  record: RecordWithSale,
  now: Date,
  options: { isThorough?: boolean } = {},
): Flow<SaleReading> {
  const { sale } = record
  const reading = (checkout: CheckoutReading, transactions: TransactionReading[] = []) =>
    ({ type: 'read', reading: { checkout, transactions } }) as const
  if (!context.isOwn(sale)) return reading({ type: 'other-account' })
  if (!sale.sumupCheckoutId) {
    const answer = yield* ask({ call: 'reference', reference: sale.id })
    if ('why' in answer) return reading(answer)
    // A checkout with another price never reaches a card form.
    return answer.found && isOurs(sale, answer.found)
      ? { type: 'opened', sumupCheckoutId: answer.found.id }
      : reading({ type: 'missing' })
  }
  const checkout = yield* ask({ call: 'checkout', id: sale.sumupCheckoutId })
  const transactions: TransactionReading[] = []
  for (const transactionId of listToRead(record, checkout, now, options.isThorough ?? false)) {
    const result = yield* ask({ call: 'transaction', transactionId })
    transactions.push({ transactionId, result })
  }
  return reading(checkout, transactions)
}

/**
 * Which transactions are read besides the checkout: payments that may have been refunded since they were made, and cards at
 * the bank that the checkout does not show any more.
 */
function listToRead(
  record: RecordWithSale,
  checkout: CheckoutReading,
  now: Date,
  isThorough: boolean,
): string[] {
  if (checkout.type === 'unreachable' && !isThorough) return []
  const { sale } = record
  const seen = checkout.type === 'seen' ? checkout.checkout.payments : []
  const reading: Reading = { checkout, transactions: [] }
  const merged = mergeReading(record, reading, now, (id) => id)
  const wasQuiet = sale.state === 'submitted' && sale.lastError === null && !isThorough
  const isKnown = (one: Payment) =>
    record.payments.some(
      ({ transactionId, status }) => transactionId === one.transactionId && status === 'successful',
    )
  const isDoubtful = (one: Payment) =>
    one.status === 'successful' &&
    !(wasQuiet && !isKnown(one) && isRefundRuledOut(one, reading, now))
  const isHidden = (one: Payment) =>
    one.status === 'pending' && !seen.some(({ id }) => id === one.transactionId)
  return merged.payments
    .filter((one) => isHidden(one) || isDoubtful(one))
    .map(({ transactionId }) => transactionId)
}

type WrittenSale = Settled & { decision: Decision }

/** Writes what follows from a reading. Undefined if the record has changed meanwhile. */
function* writeReading(
  { createId, later }: Context,
  loaded: Loaded<RecordWithSale>,
  reading: Reading,
): Flow<WrittenSale | undefined> {
  const { record } = loaded
  // SumUp was asked since: what it says now was not so when the rows were read.
  const now = later?.(loaded) ?? loaded.now
  let decision = decideReading(record, reading, now, createId)
  let written = yield* write(loaded, decision)
  if (written.type === 'reused') {
    decision = decideReading(
      record,
      { ...reading, reusedIds: written.transactionIds },
      now,
      createId,
    )
    written = yield* write(loaded, decision)
  }
  if (written.type === 'other-card') {
    decision = keepState(record, decision)
    written = yield* write(loaded, decision)
  }
  if (written.type !== 'written' || !hasSale(written.record)) return undefined
  return { record: written.record, status: decision.status, now, decision }
}

/** A browser has at most one submitted checkout per product. A second one is checked on in its current state. */
function keepState({ sale, questions }: RecordWithSale, decision: Decision): Decision {
  const after = {
    ...decision.after,
    questions,
    sale: { ...sale, ...decision.after.sale, state: sale.state },
  }
  return { ...decision, after }
}

/** What a decision requires beyond the rows: counting declined cards, ending the checkout at SumUp. */
function* followUp(context: Context, settled: WrittenSale): Flow<Settled> {
  const { decision, record, now } = settled
  const { newFailures = 0, endAtSumup } = decision
  const { sale } = record
  const isOver =
    newFailures > 0 &&
    ((yield { type: 'count-declines', sale, count: newFailures }) as unknown as boolean)
  const isTooMany = isOver && !sale.hasTooManyCards && !record.order
  if (!isTooMany && !endAtSumup) return { record, status: settled.status, now }
  if (isTooMany) yield* changeSale(sale.id, (one) => decideTooManyCards(one.record, one.now))
  const ended = yield* end(context, sale)
  const status: StatusWithoutOrder = isTooMany ? { state: 'too-many-cards' } : settled.status
  return { record: typeof ended === 'object' ? ended.record : record, status, now }
}

/** Takes no more cards: too many were declined from the same address. */
function decideTooManyCards(record: RecordWithSale, now: Date): Decision {
  if (!isUnfinished(record.sale)) return unchanged(record)
  const after = withSale(record, { hasTooManyCards: true, nextCheckAt: addMs(now, 5 * second) })
  return { after, status: { state: 'too-many-cards' }, endAtSumup: true }
}

/** Stores SumUp's id, which had been lost: from the next attempt on the sale is read like any other. */
function* keepSumupId(
  loaded: Loaded<RecordWithSale>,
  { sumupCheckoutId }: { sumupCheckoutId: string },
): Flow<'stale'> {
  yield* write(loaded, decideOpened(loaded.record, sumupCheckoutId))
  return 'stale'
}

/** SumUp has the checkout, so its form may be shown. */
export function decideOpened(record: RecordWithSale, sumupCheckoutId: string): Decision {
  const { sale } = record
  if (sale.sumupCheckoutId || !['created', 'closed'].includes(sale.state)) return unchanged(record)
  // It is not checked before it has details: it expires, or a webhook reports a payment.
  const after = withSale(record, {
    state: 'open',
    sumupCheckoutId,
    nextCheckAt: null,
    priority: priorities.lazy,
  })
  return { after, status: { state: 'open' } }
}

type Ended = Settled & { isUnreachable: boolean }

/** Ends a checkout at SumUp. It is over once a reading says so, whatever the call answered. 'stale' as retryWhileStale says. */
export function* end(
  context: Context,
  { id, sumupCheckoutId }: Sale,
): Flow<Ended | 'stale' | undefined> {
  const answer = sumupCheckoutId
    ? yield* ask({ call: 'deactivate', id: sumupCheckoutId })
    : 'unreachable'
  return yield* retrySale(id, function* (loaded): Flow<Ended | 'stale'> {
    const { record, now } = loaded
    if (isSettled(record) || answer === 'unreachable')
      return { record, status: statusOf(record), now, isUnreachable: answer === 'unreachable' }
    const read = yield* readSale(context, record, now)
    if (read.type === 'opened') return 'stale'
    const isUnreachable = read.reading.checkout.type === 'unreachable'
    const settled = yield* writeReading(context, loaded, {
      ...read.reading,
      isEnding: true,
    })
    return settled ? { ...settled, isUnreachable } : 'stale'
  })
}

type PaymentRead = { record: SaleRecord; now: Date; result: TransactionReading['result'] }

/** Reads one payment of a record, without its checkout. Undefined if it is gone. */
export function* readPayment(
  context: Context,
  recordId: string,
  paymentId: string,
): Flow<PaymentRead | 'stale' | undefined> {
  return yield* retryWhileStale(recordId, function* (loaded): Flow<
    PaymentRead | 'stale' | undefined
  > {
    const { record, now } = loaded
    const payment = record.payments.find(({ id }) => id === paymentId)
    if (!payment) return undefined
    if (!context.isOwn(payment)) {
      // Nobody can ask about it, but time goes on for it too.
      yield* write(loaded, reconcile(record, record, notAsked, now))
      return { record, now, result: 'unread' }
    }
    const { transactionId } = payment
    const result = yield* ask({ call: 'transaction', transactionId })
    const reading: Reading = { ...notAsked, transactions: [{ transactionId, result }] }
    const written = yield* write(loaded, decideReading(record, reading, now, context.createId))
    return written.type === 'written' ? { record: written.record, now, result } : 'stale'
  })
}

type ReadAgain = { record: SaleRecord; now: Date; isUnreachable: boolean }

/** Looks at a record anew before the owner's decision is written. Undefined if it is gone. */
export function* readAgain(
  context: Context,
  recordId: string,
  question: Question,
): Flow<ReadAgain | 'stale' | undefined> {
  // The question is about one payment beside the sale's own.
  if (question.saleId === null || recordId !== question.saleId || question.id !== question.saleId) {
    if (question.paymentId === null) {
      const loaded = yield* load(recordId)
      return loaded && { ...loaded, isUnreachable: false }
    }
    const read = yield* readPayment(context, recordId, question.paymentId)
    if (typeof read !== 'object') return read
    return { record: read.record, now: read.now, isUnreachable: read.result === 'unread' }
  }
  return yield* retrySale(recordId, function* (loaded): Flow<ReadAgain | 'stale'> {
    const { record, now } = loaded
    const read = yield* readSale(context, record, now, { isThorough: true })
    if (read.type === 'opened') return yield* keepSumupId(loaded, read)
    const { checkout, transactions } = read.reading
    const isUnread = transactions.some(
      ({ transactionId, result }) =>
        result === 'unread' &&
        record.payments.some((one) => one.transactionId === transactionId && isKept(one)),
    )
    const isUnreachable = checkout.type === 'unreachable' || isUnread
    const settled = yield* writeReading(context, loaded, read.reading)
    return settled ? { record: settled.record, now, isUnreachable } : 'stale'
  })
}

/** Records what SumUp's history says about a payment of a record. Undefined if it is gone, or others keep changing it. */
export function* recordFacts(
  recordId: string,
  facts: PaymentFacts,
  createId: Context['createId'],
): Flow<SaleRecord | undefined> {
  const recorded = yield* retryWhileStale(recordId, function* (loaded): Flow<SaleRecord | 'stale'> {
    const { record, now } = loaded
    const merged = mergeFacts(record, facts, now, createId)
    const written = yield* write(loaded, reconcile(record, merged, notAsked, now))
    if (written.type === 'written') return written.record
    return written.type === 'reused' ? record : 'stale'
  })
  return recorded === 'stale' ? undefined : recorded
}

/** Others changed the sale between every attempt's reading and writing. */
export class TooManyConflicts extends Error {
  override readonly name = 'TooManyConflicts'
}

/** Changes a sale without asking SumUp. Undefined if it is gone. */
export function* changeSale(
  id: string,
  decide: (loaded: Loaded<RecordWithSale>) => Decision,
  first?: Loaded<RecordWithSale>,
  onlyIfFree?: OnlyIfFree,
): Flow<(Settled & { written: Written }) | undefined> {
  const changed = yield* retrySale(
    id,
    function* (loaded): Flow<(Settled & { written: Written }) | 'stale'> {
      const { record, now } = loaded
      const decision = decide({ record, now })
      const written = yield* write(loaded, decision, undefined, onlyIfFree)
      if (written.type === 'stale') return 'stale'
      return written.type === 'written' && hasSale(written.record)
        ? { record: written.record, status: decision.status, now, written }
        : { record, status: statusOf(record), now, written }
    },
    first,
  )
  if (changed === 'stale') throw new TooManyConflicts(`the sale ${id} keeps changing`)
  return changed
}

/** SumUp notified the shop of a change: whatever the sale is, it is looked at. */
export function decideWebhook(record: RecordWithSale, now: Date): Decision {
  if (record.order?.transactionId) return unchanged(record)
  const after = withSale(record, { nextCheckAt: now, priority: priorities.webhook })
  return { after, status: statusOf(after) }
}
