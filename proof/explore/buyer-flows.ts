import type { HistoryItem } from '#server/sumup/answers.ts'
import { Refusal } from '#contract/refusals.ts'
import { isReusable } from '#server/checkouts/find-checkout.ts'
import {
  isSaleCase,
  type Case,
  type Loaded,
  type SaleCase,
  type StatusWithoutOrder,
} from '#server/payments/case.ts'
import {
  blocksDetails,
  decideDetails,
  decideWebhook,
  isSettled,
  lacksDetailsOnly,
} from '#server/payments/events.ts'
import {
  ask,
  changeSale,
  end,
  load,
  readPayment,
  recordFacts,
  settle,
  write,
  type Context,
  type Flow,
  type Settled,
  type Step,
} from '#server/payments/flows.ts'
import { observe, type Payment, type PaymentFacts } from '#server/payments/payment.ts'
import {
  factsOfItems,
  factsOfTransaction,
  isPaymentItem,
  notAsked,
} from '#server/payments/reading.ts'
import { reconcile } from '#server/payments/reconcile.ts'
import { currency, merchantCode } from './sumup.ts'
import { details, product } from './shop.ts'

/**
 * What requests of a buyer and the comparison do around the flows of server/payments, step by step. These mirror
 * server/checkouts (open.ts, details.ts, routes.ts, compare.ts), which do the same with a database.
 */

export type WorldStep =
  | (Step & { onlyIfFree?: boolean; isForBuyer?: boolean })
  /** The earlier sale of this browser that matters before a new one. */
  | { type: 'earlier' }
  /** Stores a new form and opens it at SumUp. */
  | { type: 'insert' }
  /** Reads SumUp's history. */
  | { type: 'history' }
  /** Finds the case of a payment. */
  | { type: 'known'; transactionId: string }

export type WorldFlow<Result> = Generator<WorldStep, Result, never>

/** The flow with something added to each of its writes. */
function* withWrites<Result>(
  flow: Flow<Result>,
  more: { onlyIfFree?: boolean; isForBuyer?: boolean },
): WorldFlow<Result> {
  let next = flow.next()
  while (!next.done) {
    const step = next.value
    const answer = yield step.type === 'write' ? { ...step, ...more } : step
    next = flow.next(answer)
  }
  return next.value
}

function* loadSale(id: string): WorldFlow<Loaded<SaleCase>> {
  const loaded = yield* load(id)
  if (!loaded || !isSaleCase(loaded.kase)) throw new Refusal('payment-missing')
  return { kase: loaded.kase, now: loaded.now }
}

/** PUT details (saveDetails in details.ts). */
export function* saveDetails(context: Context, id: string, formId: string): WorldFlow<void> {
  const loaded = yield* loadSale(id)
  const current =
    loaded.kase.sale.state === 'open' ? loaded : yield* settleFirst(context, loaded, formId)
  assertTakesDetails(current.kase)
  const saved = yield* writeDetails(current, formId)
  if (saved.sale.state === 'submitted' && saved.sale.formId === formId) return
  assertTakesDetails(saved)
  throw new Refusal('card-under-way')
}

function* settleFirst(
  context: Context,
  loaded: Loaded<SaleCase>,
  formId: string,
): WorldFlow<Loaded<SaleCase>> {
  const { kase, status } = assertThere(yield* settle(context, loaded.kase.sale.id, loaded))
  if (status.state === 'paid') throw new Refusal('already-paid')
  if (status.state === 'closed') throw new Refusal('checkout-expired')
  if (status.state === 'at-bank') throw new Refusal('card-under-way')
  if (status.state === 'waiting' && status.reason === 'unclear') throw new Refusal('card-under-way')
  const isRepeated = kase.sale.formId === formId
  if (status.state === 'waiting' && status.reason === 'unreachable' && !isRepeated)
    throw new Refusal('payments-away')
  const current = yield* loadSale(kase.sale.id)
  if (blocksDetails(current.kase, formId, current.now)) throw new Refusal('card-under-way')
  return current
}

function* writeDetails(first: Loaded<SaleCase>, formId: string): WorldFlow<SaleCase> {
  const flow = changeSale(
    first.kase.sale.id,
    ({ kase, now }) => decideDetails(kase, { details, formId }, now),
    first,
  )
  const onlyIfFree = first.kase.sale.state !== 'review'
  const result = assertThere(yield* withWrites(flow, { onlyIfFree }))
  if (result.written.type === 'other-card') throw new Refusal('card-under-way')
  return result.kase
}

function assertTakesDetails(kase: SaleCase): void {
  const { state, hasTooManyCards } = kase.sale
  if (hasTooManyCards) throw new Refusal('too-many-cards')
  if (state === 'open' || state === 'submitted') return
  if (state === 'review' && lacksDetailsOnly(kase)) return
  if (state === 'paid') throw new Refusal('already-paid')
  if (state === 'created' || state === 'closed') throw new Refusal('checkout-expired')
  throw new Refusal('payment-in-review')
}

function assertThere<Found>(found: Found | undefined): Found {
  if (found === undefined) throw new Refusal('payment-missing')
  return found
}

/** POST an order (routes.ts): saves missing details, then settles. */
export function* postOrder(context: Context, id: string): WorldFlow<StatusWithoutOrder> {
  const own = yield* loadSale(id)
  const kase = own.kase.sale.details ? own.kase : yield* writeDetails(own, '')
  const flow = settle(context, id, { kase, now: own.now })
  return assertThere(yield* withWrites(flow, { isForBuyer: true })).status
}

/** GET the status. */
export function* readStatus(context: Context, id: string): WorldFlow<StatusWithoutOrder> {
  const loaded = yield* loadSale(id)
  return assertThere(yield* settle(context, id, loaded)).status
}

/** POST start over (open.ts). */
export function* startOver(context: Context, id: string): WorldFlow<void> {
  const settled = assertThere(yield* settle(context, id, yield* loadSale(id)))
  assertUnpaid(settled)
  const { status, kase } = settled
  if (status.state === 'waiting' && status.reason === 'unreachable')
    throw new Refusal('payments-away')
  if (status.state === 'waiting' && kase.sale.expiredSince) throw new Refusal('card-under-way')
  yield* endCheckout(context, kase)
}

function* endCheckout(context: Context, { sale }: SaleCase): WorldFlow<void> {
  if (sale.state === 'closed') return
  const ended = assertThere(yield* end(context, sale))
  assertUnpaid(ended)
  if (ended.kase.sale.state === 'closed') return
  throw new Refusal(ended.isUnreachable ? 'payments-away' : 'card-at-bank')
}

function assertUnpaid({ status }: Settled): void {
  if (status.state === 'paid') throw new Refusal('already-paid')
  if (status.state === 'review') throw new Refusal('payment-in-review')
}

/** POST a checkout (open.ts): the form that the browser has, or a new one. Returns the sale's id. */
export function* openForm(context: Context): WorldFlow<string> {
  const earlier: Loaded<SaleCase> | undefined = yield { type: 'earlier' }
  const reused = earlier && (yield* reuseOrEnd(context, earlier))
  return reused ?? (yield { type: 'insert' })
}

function* reuseOrEnd(context: Context, earlier: Loaded<SaleCase>): WorldFlow<string | undefined> {
  const { sale } = earlier.kase
  const charge = { amount: product.price, currency } as const
  if (sale.state === 'open') {
    if (isReusable(sale, earlier.now, charge)) return sale.id
    if (sale.validUntil > earlier.now) yield* endCheckout(context, earlier.kase)
    return undefined
  }
  const { status, kase } = assertThere(yield* settle(context, sale.id, earlier))
  if (status.state === 'paid') throw new Refusal('already-paid')
  if (status.state === 'review') throw new Refusal('payment-in-review')
  if (status.state === 'at-bank') throw new Refusal('card-at-bank')
  if (status.state === 'waiting' && status.reason === 'unreachable')
    throw new Refusal('payments-away')
  if (status.state === 'waiting' && status.reason === 'unclear') throw new Refusal('card-under-way')
  const isOver = status.state === 'closed' || status.state === 'too-many-cards'
  if (!isOver && isReusable(kase.sale, earlier.now, charge)) return kase.sale.id
  yield* endCheckout(context, kase)
  return undefined
}

/** SumUp's message that something has changed. */
export function* receiveWebhook(context: Context, id: string): WorldFlow<void> {
  const loaded = yield* loadSale(id)
  if (loaded.kase.order?.transactionId) return
  const due = yield* changeSale(id, ({ kase, now }) => decideWebhook(kase, now), loaded)
  if (due) yield* settle(context, id, { kase: due.kase, now: loaded.now })
}

/** The comparison with SumUp's history (compare.ts). */
export function* compare(context: Context): WorldFlow<void> {
  const items: HistoryItem[] = yield { type: 'history' }
  for (const item of items.filter(isPaymentItem)) yield* comparePayment(context, item)
  for (const id of new Set(items.map((one) => one.transaction_id ?? ''))) {
    const own = items.filter((one) => one.transaction_id === id && !isPaymentItem(one))
    const known = own.length > 0 ? yield* findKnown(id) : undefined
    const facts = factsOfItems(id, own)
    if (known && tellsMore(known.payment, facts)) yield* recordAndRead(context, known, facts)
  }
}

export type KnownPayment = { caseId: string; payment: Payment }

function* findKnown(transactionId: string): WorldFlow<KnownPayment | undefined> {
  return yield { type: 'known', transactionId }
}

function* comparePayment(context: Context, item: HistoryItem): WorldFlow<void> {
  const id = item.transaction_id ?? ''
  const known = yield* findKnown(id)
  if (!known) return yield* handleOwnPayment(context, id, item)
  const facts = factsOfItems(id, [item])
  if (!tellsMore(known.payment, facts)) return
  yield* recordAndRead(context, known, facts)
  yield* settleReference(context, known.caseId)
}

function tellsMore(known: Payment, facts: PaymentFacts): boolean {
  const after = observe(known, facts, known, new Date(0))
  const names = ['status', 'refunded', 'chargedBack', 'amount', 'conflict'] as const
  return names.some((name) => known[name] !== after[name])
}

function* recordAndRead(
  context: Context,
  { caseId, payment }: KnownPayment,
  facts: PaymentFacts,
): WorldFlow<void> {
  yield* recordFacts(caseId, facts, createId)
  yield* readPayment(context, caseId, payment.id)
}

/** Ids of rows are named after what they are about, so that a repeated flow names them alike. */
export function createId(of: string): string {
  return `row ${of}`
}

function* settleReference(context: Context, id: string): WorldFlow<Case | undefined> {
  const loaded = yield* load(id)
  if (!loaded || !isSaleCase(loaded.kase) || isSettled(loaded.kase)) return loaded?.kase
  const due = yield* changeSale(id, ({ kase, now }) => decideWebhook(kase, now), {
    kase: loaded.kase,
    now: loaded.now,
  })
  const settled = due && (yield* settle(context, id, { kase: due.kase, now: loaded.now }))
  return settled?.kase
}

function* handleOwnPayment(context: Context, id: string, item: HistoryItem): WorldFlow<void> {
  const kase = yield* settleReference(context, item.checkout_reference ?? '')
  if (kase?.payments.some(({ transactionId }) => transactionId === id)) return
  const full = yield* ask({ call: 'transaction', transactionId: id })
  const read = typeof full === 'string' ? {} : factsOfTransaction(full)
  const facts: PaymentFacts = { status: 'successful', ...factsOfItems(id, [item]), ...read }
  if (kase?.sale) {
    yield* recordFacts(kase.sale.id, facts, createId)
    return
  }
  if (facts.status === 'failed') return
  const owner = { id: createId(id), saleId: null, merchantCode, isTest: false }
  const none: Case = { sale: undefined, payments: [], refunds: [], entries: [], order: undefined }
  const now = new Date(item.timestamp ?? 0)
  const decision = reconcile(
    none,
    { ...none, payments: [observe(undefined, facts, owner, now)] },
    notAsked,
    now,
  )
  yield* write({ kase: none, now }, decision)
}
