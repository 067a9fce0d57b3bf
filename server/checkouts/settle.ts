import { randomUUID } from 'node:crypto'
import { modeOf } from '#contract/mode.ts'
import type { CheckoutStatus } from '#contract/checkouts.ts'
import { Refusal } from '#contract/refusals.ts'
import type { ProductCache } from '#server/catalog/product-cache.ts'
import { crashPoint } from '#server/crash-point.ts'
import type { Db } from '#server/db/database.ts'
import type { AdminActor } from '#server/http/audit.ts'
import type { UnnumberedOrder } from '#server/orders/paid-order.ts'
import type { Log } from '#server/log.ts'
import { observeOrder } from '#server/metrics.ts'
import { findOrderByCheckout } from '#server/orders/orders.ts'
import {
  isSettled,
  tellBuyer,
  type SaleRecord,
  type Decision,
  type Loaded,
  type Refund,
  type Sale,
  type RecordWithSale,
} from '#server/payments/record.ts'
import {
  changeSale,
  settle as settleFlow,
  type ActNote,
  type Answer,
  type Ask,
  type Context,
  type Created,
  type Flow,
  type Settled as SettledRecord,
  type Step,
} from '#server/payments/flow.ts'
import { ProviderUnavailable, SumupRefusal } from '#server/sumup/http.ts'
import type { Sumup } from '#server/sumup/client.ts'
import { findRecord, readClock } from './record-rows.ts'
import { findCodeUse } from './code-uses.ts'
import { countDeclines } from './declined-cards.ts'
import { findEarlierCheckout } from './find-checkout.ts'
import { markTold } from './ledger.ts'
import { findPieceReturn, findPieceUse } from './pieces.ts'
import type { Refunding } from './refund-allowance.ts'
import { writeRecord, type DecidedBy } from './write-record.ts'

/** Runs flows (server/payments/flow.ts): reads and writes our rows, asks SumUp. */

export type CheckoutDeps = {
  db: Db
  sumup: Sumup
  log: Log
  /** Tells whether the pieces of a product are counted; without one the database does. */
  productCache?: Pick<ProductCache, 'find'> | undefined
  /** Whether the order is sent to the buyer's browser. */
  isForBuyer?: boolean
  /** Settles a sale for browsers: concurrent calls share one request to SumUp. */
  settleShared?: (loaded: Loaded<RecordWithSale>) => Promise<Settled>
  /** The deps for the account that the settings name now: another node may have changed it a moment ago. */
  renew?: () => Promise<CheckoutDeps>
}

/** The result of settling, with the order if there is one. */
export type Settled = {
  record: RecordWithSale
  status: CheckoutStatus
  now: Date
  order: UnnumberedOrder | undefined
  /** Whether this call created the order. */
  isNew: boolean
}

/** What a flow returned, and the order that it created. */
type Ran<Result> = { result: Result; order: UnnumberedOrder | undefined }

/** How a new form is stored, and created at SumUp. */
type Opening = {
  insert: () => Promise<Loaded<RecordWithSale>>
  create: (sale: Sale) => Promise<Created>
}

type RunOptions = {
  /** For a flow that opens a form. */
  opening?: Opening
  /** Who decides, where a person does. */
  audit?: (note: ActNote) => DecidedBy
  /** What this person may refund; undefined without a limit. */
  refunding?: Refunding | undefined
  /** Who says that the piece of the refunded order can be sold again. */
  returnedBy?: AdminActor | undefined
  /** Whether many people are behind the address of the browser that asks. */
  isAddressShared?: boolean
}

export async function runFlow<Result>(
  deps: CheckoutDeps,
  flow: Flow<Result>,
  options: RunOptions = {},
): Promise<Ran<Result>> {
  let order: UnnumberedOrder | undefined
  let next = flow.next()
  while (!next.done) {
    const done = await runStep(deps, next.value, options)
    order = done.order ?? order
    next = flow.next(done.answer as never)
  }
  return { result: next.value, order }
}

async function runStep(
  deps: CheckoutDeps,
  step: Step,
  { opening, audit, refunding, returnedBy, isAddressShared = false }: RunOptions,
): Promise<{ answer: unknown; order?: UnnumberedOrder | undefined }> {
  switch (step.type) {
    case 'load':
      return { answer: await findRecord(deps.db, step.id) }
    case 'ask':
      return { answer: await askSumup(deps, step.ask) }
    case 'count-declines':
      return { answer: await countDeclines(deps.db, step.sale, step.count) }
    case 'settle': {
      const { settleShared = (loaded) => settle(deps, loaded) } = deps
      return { answer: await settleShared(step.loaded) }
    }
    case 'find-earlier':
      return {
        answer: await findEarlierCheckout(deps.db, step.saleKey, step.isPage ? 'unseen' : 'unsent'),
      }
    case 'insert':
      return { answer: await opening?.insert() }
    case 'create':
      return { answer: await opening?.create(step.sale) }
    case 'check-account': {
      const renewed = await deps.renew?.()
      return { answer: renewed !== undefined && renewed.sumup !== deps.sumup }
    }
    case 'clock':
      return { answer: await readClock(deps.db) }
    case 'write': {
      const { loaded } = step
      const decision = deps.isForBuyer ? tellBuyer(step.decision, loaded.now) : step.decision
      if (step.onlyIfFree) crashPoint('details-read')
      if (decision.order) crashPoint('payment-seen')
      const by = step.note && audit?.(step.note)
      const newRefund = findNewRefund(loaded.record, decision)
      const refund = newRefund && refunding && { refund: newRefund, refunding }
      const piece =
        (await findPieceUse(deps, loaded.record, decision, isAddressShared)) ??
        (await findPieceReturn(deps.db, loaded.record, decision, newRefund && returnedBy))
      const code = findCodeUse(loaded.record, decision, isAddressShared)
      const { onlyIfFree } = step
      const options = { by, onlyIfFree, piece, code, refund }
      const written = await writeRecord(deps.db, loaded, decision, options)
      if (written.type !== 'written') return { answer: written }
      if (step.onlyIfFree) crashPoint('details-saved')
      logReview(deps.log, loaded.record, written.record)
      if (written.order) {
        crashPoint('order-committed')
        recordSpeed(written.order, decision)
      }
      return { answer: written, order: written.order }
    }
  }
}

function findNewRefund(before: SaleRecord, { after }: Decision): Refund | undefined {
  return after.refunds.find(({ id }) => !before.refunds.some((one) => one.id === id))
}

/** How soon after the payment its order was there, for the metrics. */
function recordSpeed({ isTest }: UnnumberedOrder, { order }: Decision): void {
  if (order?.payment?.madeAt) observeOrder({ isTest, paidAt: order.payment.madeAt })
}

function logReview(log: Log, before: SaleRecord, after: SaleRecord): void {
  for (const { id, state, reason } of after.questions) {
    const known = before.questions.find((one) => one.id === id)
    const isNew = state === 'open' && (known?.state !== 'open' || known.reason !== reason)
    if (isNew)
      log.error({ checkout: after.sale?.id ?? null, entry: id, reason }, 'A payment needs review')
  }
}

async function askSumup({ sumup, log }: CheckoutDeps, request: Ask): Promise<Answer[Ask['call']]> {
  try {
    switch (request.call) {
      case 'checkout': {
        const checkout = await sumup.findCheckout(request.id)
        return checkout ? { type: 'seen', checkout } : { type: 'missing' }
      }
      case 'reference':
        return { found: await sumup.findCheckoutByReference(request.reference) }
      case 'transaction':
        return (await sumup.findTransaction(request.transactionId)) ?? 'missing'
      case 'deactivate':
        await sumup.deactivate(request.id)
        return 'answered'
      case 'refund': {
        const { problem } = await sumup.refund(request.transactionId, request.amount)
        return problem === undefined ? { type: 'accepted' } : { type: 'refused', problem }
      }
    }
  } catch (error) {
    return describeFailure(request, error, log)
  }
}

function describeFailure(request: Ask, error: unknown, log: Log): Answer[Ask['call']] {
  const isRefused = error instanceof SumupRefusal
  if (!(error instanceof ProviderUnavailable || isRefused)) throw error
  switch (request.call) {
    case 'checkout':
    case 'reference':
      return { type: 'unreachable', why: error.message }
    case 'transaction':
      return error instanceof ProviderUnavailable && error.isKeyRefused ? 'forbidden' : 'unread'
    case 'deactivate':
      log.warn({ err: error, checkout: request.id }, 'A checkout could not be ended at SumUp')
      return 'unreachable'
    case 'refund':
      log.error({ err: error, transaction: request.transactionId }, 'A refund failed')
      return isRefused ? { type: 'refused', problem: error.text } : { type: 'unknown' }
  }
}

export function contextOf({ sumup }: Pick<CheckoutDeps, 'sumup'>): Context {
  return {
    isOwn: (account) => isOwnAccount(account, sumup),
    createId: () => randomUUID(),
    later: ({ now, atMs = performance.now() }) =>
      new Date(Math.round(now.getTime() + performance.now() - atMs)),
  }
}

/**
 * Whether a payment belongs to the account that the shop uses now. An account of the same name that takes money is
 * another one than its test account: otherwise a test could end as a real order.
 */
function isOwnAccount(
  row: Pick<Sale, 'merchantCode' | 'isTest'>,
  { merchantCode, findMode }: Pick<Sumup, 'merchantCode' | 'findMode'>,
): boolean {
  const isSameCode = row.merchantCode === '' || row.merchantCode === merchantCode
  const rowMode = modeOf(row.isTest)
  return isSameCode && (findMode() ?? rowMode) === rowMode
}

/**
 * Asks SumUp about a sale and writes what follows. Called by the browser, the webhook, the sweep and the comparison. SumUp
 * is asked outside any transaction; a decision is written only about the record as it was read, otherwise all is repeated.
 */
export async function settle(deps: CheckoutDeps, first: Loaded<RecordWithSale>): Promise<Settled> {
  const { record, now } = first
  const { renew } = deps
  // A sale of another account, or of the one that this node has not taken up yet.
  if (renew && !isSettled(record) && !isOwnAccount(record.sale, deps.sumup)) {
    const renewed = await renew()
    if (renewed.sumup !== deps.sumup) return settle(renewed, first)
  }
  const flow = settleFlow(contextOf(deps), record.sale.id, first)
  const { result, order } = await runFlow(deps, flow)
  // Only test checkouts are ever deleted, all at once by an admin.
  if (!result) throw new Refusal('payment-missing')
  return showSettled(deps, { ...result, now }, order)
}

/** The result, with the order of a paid sale: the buyer is told of it now. */
async function showSettled(
  { db, isForBuyer }: Pick<CheckoutDeps, 'db' | 'isForBuyer'>,
  { record, status, now }: SettledRecord,
  created?: UnnumberedOrder,
): Promise<Settled> {
  if (status.state !== 'paid') return { record, status, now, order: undefined, isNew: false }
  const order = created ?? (await findOrderByCheckout(db, record.sale))
  if (!created && isForBuyer) await markTold(db, record.sale)
  // Refuses if both were removed since the row was read.
  if (!order) throw new Refusal('payment-missing')
  const paid = { state: 'paid', orderId: order.id } as const
  return { record, status: paid, now, order, isNew: created !== undefined }
}

/** Changes a sale without asking SumUp. */
export async function changeSaleNow(
  deps: CheckoutDeps,
  first: Loaded<RecordWithSale>,
  decide: (loaded: Loaded<RecordWithSale>) => Decision,
): Promise<Loaded<RecordWithSale>> {
  const { result } = await runFlow(deps, changeSale(first.record.sale.id, decide, first))
  if (!result) throw new Refusal('payment-missing')
  return { record: result.record, now: first.now }
}

/**
 * Concurrent calls for one sale (two tabs, a double click, a waiting page) share one request to SumUp. Each is asked with
 * one account (`pin`).
 */
export function shareSettling(
  pin: () => CheckoutDeps,
): (loaded: Loaded<RecordWithSale>) => Promise<Settled> {
  const running = new Map<string, Promise<Settled>>()
  return (loaded) => {
    const { id } = loaded.record.sale
    const known = running.get(id)
    if (known) return known
    const settling = settle(pin(), loaded).finally(() => running.delete(id))
    running.set(id, settling)
    return settling
  }
}
