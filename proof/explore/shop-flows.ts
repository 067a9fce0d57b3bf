import type { HistoryItem } from '#server/sumup/answers.ts'
import type { Country } from '#contract/countries.ts'
import { Refusal } from '#contract/refusals.ts'
import * as buyer from '#server/payments/buyer.ts'
import {
  hasSale,
  type Loaded,
  type RecordWithSale,
  type StatusWithoutOrder,
} from '#server/payments/record.ts'
import {
  changeSale,
  decideWebhook,
  load,
  readPayment,
  settle,
  type Context,
  type Flow,
  type Settled,
  type Step,
} from '#server/payments/flow.ts'
import {
  comparePayment,
  compareReturns,
  compareUnknown,
  type KnownPayment,
} from '#server/payments/history.ts'
import { isPaymentItem } from '#server/payments/observe.ts'
import { buyerTokenHash, detailsFor, priceOf, product } from './shop.ts'

/**
 * What begins the shop's own flows (server/payments): here the steps that server/checkouts takes with SQL or HTTP before
 * them, as calls.ts finds the sale of a request, and compare.ts those of the history's items.
 */

type ShopStep =
  | Step
  /** `isForBuyer`: an order is sent to the buyer's browser. */
  | { type: 'settle'; loaded: Loaded<RecordWithSale>; isForBuyer: true }
  /** Reads SumUp's history. */
  | { type: 'history' }
  /** Finds the record of a payment. */
  | { type: 'find-known'; transactionId: string }
  /** Lists the payments of orders. */
  | { type: 'list-ordered' }

export type ShopFlow<Result> = Generator<ShopStep, Result, never>

/** A step of a flow whose settling was unfolded. */
export type WorldStep =
  | Exclude<ShopStep, { type: 'settle' | 'write' }>
  | (Extract<Step, { type: 'write' }> & { isForBuyer?: boolean })

export type WorldFlow<Result> = Generator<WorldStep, Result, never>

/** The flow with its settling step by step, as settle in server/checkouts/settle.ts runs it. */
export function* unfold<Result>(
  context: Context,
  flow: ShopFlow<Result>,
  isForBuyer = false,
): WorldFlow<Result> {
  let next = flow.next()
  while (!next.done) {
    const step = next.value
    if (step.type === 'settle') {
      const settling = settle(context, step.loaded.record.sale.id, step.loaded)
      const settled = yield* unfold(context, settling, 'isForBuyer' in step)
      if (!settled) throw new Refusal('payment-missing')
      next = flow.next(settled as never)
    } else next = flow.next(yield step.type === 'write' ? { ...step, isForBuyer } : step)
  }
  return next.value
}

function* loadSale(id: string): Flow<Loaded<RecordWithSale>> {
  const loaded = yield* load(id)
  if (!loaded || !hasSale(loaded.record)) throw new Refusal('payment-missing')
  return { record: loaded.record, now: loaded.now }
}

const onSale = { offSale: undefined, isPage: true }

/** PUT details. */
export function* saveDetails(
  context: Context,
  id: string,
  formId: string,
  country?: Country,
): Flow<void> {
  const given = { details: detailsFor(country), formId, isForCard: true }
  yield* buyer.saveDetails(context, yield* loadSale(id), given, onSale)
}

/** POST an order: saves missing details, then settles. */
export function* postOrder(id: string, country?: Country): ShopFlow<StatusWithoutOrder> {
  const own = yield* loadSale(id)
  const given = { details: detailsFor(country), formId: '' }
  const record = own.record.sale.details ? own.record : yield* buyer.addDetails(own, given, onSale)
  const settled: Settled = yield {
    type: 'settle',
    loaded: { record, now: own.now },
    isForBuyer: true,
  }
  return settled.status
}

/** GET the status. */
export function* readStatus(id: string): ShopFlow<StatusWithoutOrder> {
  const settled: Settled = yield { type: 'settle', loaded: yield* loadSale(id) }
  return settled.status
}

/** POST start over. */
export function* startOver(context: Context, id: string): Flow<void> {
  yield* buyer.startOver(context, yield* loadSale(id))
}

/** POST a checkout. Returns the sale's id. */
export function* openForm(context: Context, country?: Country): Flow<string> {
  const saleKey = { buyerTokenHash, productId: product.id, isTest: false }
  const wanted = {
    ...priceOf(country),
    discountCodeId: null,
    shownVersion: '',
    hasReturnUrl: false,
  }
  const request = { saleKey, wanted, isNewBuyer: false, isPage: true, offSale: undefined }
  return (yield* buyer.openForm(context, request)).sale.id
}

/** SumUp's message that something has changed. */
export function* receiveWebhook(id: string): ShopFlow<void> {
  const loaded = yield* loadSale(id)
  if (loaded.record.order?.transactionId) return
  const due = yield* changeSale(id, ({ record, now }) => decideWebhook(record, now), loaded)
  if (due) yield { type: 'settle', loaded: { record: due.record, now: loaded.now } }
}

function* findKnown(transactionId: string): ShopFlow<KnownPayment | undefined> {
  return yield { type: 'find-known', transactionId }
}

/** The comparison with SumUp's history: payments first, then what went back, then orders that it does not have. */
export function* compare(context: Context, merchantCode: string): ShopFlow<void> {
  const items: HistoryItem[] = yield { type: 'history' }
  const account = { merchantCode, mode: 'live' } as const
  const ids = new Set(items.map((one) => one.transaction_id ?? ''))
  for (const item of items.filter(isPaymentItem)) {
    const id = item.transaction_id ?? ''
    const known = yield* findKnown(id)
    const reference = item.checkout_reference ?? ''
    if (known) yield* comparePayment(context, known, item, true)
    else yield* compareUnknown(context, { id, item, reference }, account, true)
  }
  for (const id of ids) {
    const own = items.filter((one) => one.transaction_id === id && !isPaymentItem(one))
    if (own.length === 0) continue
    const known = yield* findKnown(id)
    if (known) yield* compareReturns(context, known, own, true)
  }
  const ordered: KnownPayment[] = yield { type: 'list-ordered' }
  for (const { id, recordId, transactionId } of ordered)
    if (!ids.has(transactionId)) yield* readPayment(context, recordId, id)
}

/** Ids of rows are named after what they are about, so that a repeated flow names them alike. */
export function createId(of: string): string {
  return `row ${of}`
}
