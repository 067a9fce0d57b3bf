import type { OrderRow } from '#server/db/schema.ts'
import type { CheckoutStatus } from '#contract/checkouts.ts'
import { Refusal } from '#contract/refusals.ts'
import { crashPoint } from '#server/crash-point.ts'
import type { Db } from '#server/db/database.ts'
import type { Log } from '#server/log.ts'
import { observeOrder } from '#server/metrics.ts'
import { findOrderByCheckout } from '#server/orders/orders.ts'
import type { SumupCheckout } from '#server/sumup/answers.ts'
import { ProviderUnavailable, SumupRefusal } from '#server/sumup/http.ts'
import type { Sumup } from '#server/sumup/client.ts'
import { countDeclines } from './declined-cards.ts'
import { findCheckout, findEarlierCheckout, type ReadCheckout } from './find-checkout.ts'
import {
  applyDecision,
  markTold,
  OtherCardUnderWay,
  PaymentReused,
  StaleCheckout,
  type DecidedBy,
} from './ledger.ts'
import {
  isDecided,
  statusOf,
  type CheckoutEvent,
  type CheckoutRow,
  type Decision,
  type Payment,
} from './decision.ts'
import { decide } from './state.ts'

export type CheckoutDeps = {
  db: Db
  sumup: Sumup
  log: Log
  /** Whether the order is sent to the buyer's browser. */
  isForBuyer?: boolean
  /** The same for the account that the settings name now: another node may have changed it a moment ago. */
  renew?: () => Promise<CheckoutDeps>
}

/** Deps of code that serves browsers, whose concurrent calls share one request to SumUp. */
export type SettlingDeps = CheckoutDeps & {
  settleShared: (read: ReadCheckout) => Promise<Settled>
}

/** The result of settling, with the order if there is one. */
export type Settled = {
  row: CheckoutRow
  status: CheckoutStatus
  order: OrderRow | undefined
  /** Whether this call created the order. */
  isNew: boolean
  /** Whether the row was changed, and so was what it was thought to be. */
  isChanged?: boolean
}

/** Attempts while others keep changing the row. */
const maxAttempts = 6
/** A payment younger than this cannot have been refunded yet. */
const youngPaymentMs = 60_000

/**
 * Asks SumUp about a sale and applies the decision. Called by the browser, the webhook, the sweep and the comparison.
 * SumUp is asked outside any transaction; the decision is then written in one statement that applies only to the row
 * version it was made for, otherwise everything is repeated.
 */
export async function settle(deps: CheckoutDeps, first: ReadCheckout): Promise<Settled> {
  let read = first
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const known = await findSettled(deps, read.row)
    if (known) return known
    const { renew } = deps
    // A sale of another account, or of the one that this node has not taken up yet.
    if (renew && !isOwnAccount(read.row, deps.sumup)) {
      const renewed = await renew()
      if (renewed.sumup !== deps.sumup) return settle(renewed, read)
    }
    try {
      return await settleOnce(deps, read)
    } catch (error) {
      if (!(error instanceof StaleCheckout)) throw error
      read = await getCheckout(deps.db, read.row.id)
    }
  }
  return toSettled(read.row, { state: 'waiting', reason: 'unclear' })
}

async function settleOnce(deps: CheckoutDeps, read: ReadCheckout): Promise<Settled> {
  const event = await askSumup(deps, read)
  crashPoint('payment-seen')
  // SumUp's id had been lost; now the sale can be settled like any other.
  if (event.type === 'opened') {
    await applyEvent(deps, read, event)
    return settle(deps, await getCheckout(deps.db, read.row.id))
  }
  const decision = decide(read.row, event, read.now)
  const settled = await writeDecision(deps, read, decision)
  crashPoint('order-committed')
  if (settled.order) {
    recordSpeed(settled.order, event)
    return settled
  }
  return runFollowUps(deps, settled, decision)
}

/** How soon after the payment its order was there, for the metrics. */
function recordSpeed({ isTest, sumupTransactionId }: OrderRow, event: CheckoutEvent): void {
  const paid = event.type === 'answer' ? event.seen?.paid : undefined
  const paidAt = paid?.find(({ id }) => id === sumupTransactionId)?.madeAt
  if (paidAt) observeOrder({ isTest, paidAt })
}

/** SumUp's answer about a row, as an event. */
async function askSumup(
  { sumup }: CheckoutDeps,
  { row, now }: ReadCheckout,
): Promise<CheckoutEvent> {
  if (!isOwnAccount(row, sumup)) return { type: 'account-changed' }
  try {
    if (!row.sumupCheckoutId) {
      const found = await sumup.findCheckoutByReference(row.id)
      // A checkout with another price never reaches a card form.
      return found && isOurs(row, found)
        ? { type: 'opened', sumupCheckoutId: found.id }
        : { type: 'answer', seen: undefined }
    }
    const seen = await sumup.findCheckout(row.sumupCheckoutId)
    const refundedIds: string[] = []
    for (const { id, madeAt } of seen?.paid ?? []) {
      if (!id || !mayBeRefunded(row, madeAt, now)) continue
      const full = await sumup.findTransaction(id).catch(undefinedIfForbidden)
      if (full?.isRefunded || full?.isChargedBack) refundedIds.push(id)
    }
    return { type: 'answer', seen, refundedIds }
  } catch (error) {
    if (!(error instanceof ProviderUnavailable || error instanceof SumupRefusal)) throw error
    return { type: 'unreachable', why: error.message }
  }
}

/**
 * Whether a payment belongs to the account that the shop uses now. An account of the same name that takes money is
 * another one than its test account: otherwise a test could end as a real order.
 */
export function isOwnAccount(
  row: Pick<CheckoutRow, 'merchantCode' | 'isTest'>,
  { merchantCode, isTest }: Pick<Sumup, 'merchantCode' | 'isTest'>,
): boolean {
  const isSameCode = row.merchantCode === '' || row.merchantCode === merchantCode
  return isSameCode && (isTest() ?? row.isTest) === row.isTest
}

/** An API key without access to transactions must not block sales. */
function undefinedIfForbidden(error: unknown): undefined {
  if (error instanceof ProviderUnavailable && error.isKeyRefused) return undefined
  throw error
}

/** A refund shows only in the transaction's events, which take another request. */
function mayBeRefunded(row: CheckoutRow, madeAt: Date | undefined, now: Date): boolean {
  const isYoung = madeAt !== undefined && now.getTime() - madeAt.getTime() < youngPaymentMs
  const wasPaidBefore = row.sumupTransactionId !== null
  return row.lastError !== null || row.state !== 'submitted' || wasPaidBefore || !isYoung
}

/** Whether SumUp's checkout has this sale's reference, account and price. */
export function isOurs(
  row: Pick<CheckoutRow, 'id' | 'amount' | 'currency' | 'merchantCode'>,
  made: SumupCheckout,
): boolean {
  return (
    made.reference === row.id &&
    (row.merchantCode === '' || made.merchantCode === row.merchantCode) &&
    made.amount === row.amount &&
    made.currency === row.currency
  )
}

async function writeDecision(
  deps: CheckoutDeps,
  read: ReadCheckout,
  decision: Decision,
): Promise<Settled> {
  try {
    const isSent = decision.orderFor !== undefined && deps.isForBuyer
    const changes = isSent ? { ...decision.changes, toldAt: read.now } : decision.changes
    const { row, order } = await applyDecision(deps.db, read, { ...decision, changes })
    logReview(deps.log, read.row, row)
    const isChanged = Object.keys(changes).length > 0
    return { ...toSettled(row, decision.status, order), isChanged }
  } catch (error) {
    if (error instanceof OtherCardUnderWay && decision.changes.state === 'submitted')
      return writeDecision(deps, read, keepState(read.row, decision))
    if (!(error instanceof PaymentReused)) throw error
    return writeDecision(
      deps,
      read,
      decide(
        read.row,
        { type: 'payment-reused', payment: paymentOf(read.row, decision) },
        read.now,
      ),
    )
  }
}

/** The payment of a decision, whether for an order or for review. */
function paymentOf(row: CheckoutRow, { orderFor, changes }: Decision): Payment {
  const { amount, currency } = row
  const code = changes.sumupTransactionCode ?? undefined
  return orderFor ?? { id: changes.sumupTransactionId ?? '', code, amount, currency }
}

/** A browser has at most one submitted checkout per product. A second one is checked on in its current state. */
function keepState(row: CheckoutRow, decision: Decision): Decision {
  const { state, reviewReason, reviewAt } = row
  return { ...decision, changes: { ...decision.changes, state, reviewReason, reviewAt } }
}

function logReview(log: Log, before: CheckoutRow, after: CheckoutRow): void {
  if (after.state !== 'review' || before.reviewReason === after.reviewReason) return
  log.error({ checkout: after.id, reason: after.reviewReason }, 'A payment needs review')
}

/** What a decision requires beyond the row: counting declined cards, ending the checkout at SumUp. */
async function runFollowUps(
  deps: CheckoutDeps,
  settled: Settled,
  { newFailures = 0, endAtSumup }: Decision,
): Promise<Settled> {
  const { row } = settled
  const isOver = newFailures > 0 && (await countDeclines(deps.db, row, newFailures))
  const isTooMany = isOver && !row.hasTooManyCards
  if (!isTooMany && !endAtSumup) return settled
  if (isTooMany)
    await applyEvent(deps, await getCheckout(deps.db, row.id), { type: 'too-many-cards' })
  await endCheckoutAtSumup(deps, row)
  const { row: updated } = await getCheckout(deps.db, row.id)
  const status: Decision['status'] = isTooMany ? { state: 'too-many-cards' } : settled.status
  return { ...toSettled(updated, status), isChanged: true }
}

/** The row stays due until this succeeds. */
async function endCheckoutAtSumup(
  deps: CheckoutDeps,
  { id, sumupCheckoutId }: CheckoutRow,
): Promise<void> {
  try {
    const ending = sumupCheckoutId ? await deps.sumup.deactivate(sumupCheckoutId) : 'blocked'
    if (ending === 'ended')
      await applyEvent(deps, await getCheckout(deps.db, id), { type: 'ended' })
  } catch (error) {
    if (!(error instanceof ProviderUnavailable)) throw error
    deps.log.warn(
      { err: error, checkout: id },
      'A checkout could not be ended at SumUp; it will be tried again',
    )
  }
}

/** Applies an event that needs no request to SumUp, repeating it if the row changes concurrently. */
export async function applyEvent(
  { db, log }: Pick<CheckoutDeps, 'db' | 'log'>,
  first: ReadCheckout,
  event: CheckoutEvent,
  by?: DecidedBy,
): Promise<Settled> {
  let read = first
  for (let attempt = 1; ; attempt += 1) {
    try {
      const decision = decide(read.row, event, read.now)
      const { row, order } = await applyDecision(db, read, decision, by)
      logReview(log, read.row, row)
      // The order may have been created concurrently.
      const isPaid = decision.status.state === 'paid'
      const known = order ?? (isPaid ? await findOrder(db, row) : undefined)
      const isChanged = Object.keys(decision.changes).length > 0
      return { ...toSettled(row, decision.status, known), isNew: order !== undefined, isChanged }
    } catch (error) {
      if (error instanceof OtherCardUnderWay) throw await otherCardRefusal(db, read.row, error)
      if (!(error instanceof StaleCheckout) || attempt >= maxAttempts) throw error
      // Whoever has it from memory looks at more than this event.
      if (read.isRecent) throw error
      read = await getCheckout(db, read.row.id)
    }
  }
}

/** Names the checkout whose card is in progress, so that the page can switch to it. */
async function otherCardRefusal(db: Db, row: CheckoutRow, cause: Error): Promise<Refusal> {
  const other = await findEarlierCheckout(db, row, 'untold')
  const checkoutId = other?.row.sumupCheckoutId
  return new Refusal('card-under-way', { cause, ...(checkoutId && { facts: { checkoutId } }) })
}

/** The result for a sale that SumUp need not be asked about. */
async function findSettled(
  { db, isForBuyer }: CheckoutDeps,
  row: CheckoutRow,
): Promise<Settled | undefined> {
  if (row.state === 'paid') {
    const order = await findOrder(db, row)
    if (isForBuyer) await markTold(db, row)
    return order && { ...toSettled(row, { state: 'paid' }, order), isNew: false }
  }
  const isCheckable =
    (row.state !== 'review' && row.state !== 'dismissed') || row.nextCheckAt !== null
  return isCheckable && !isDecided(row) ? undefined : toSettled(row, statusOf(row))
}

/** The order of a paid sale. Refuses if both were removed since the row was read. */
async function findOrder(db: Db, row: CheckoutRow): Promise<OrderRow | undefined> {
  const order = await findOrderByCheckout(db, row)
  if (!order) await getCheckout(db, row.id)
  return order
}

function toSettled(row: CheckoutRow, status: Decision['status'], order?: OrderRow): Settled {
  if (status.state !== 'paid') return { row, status, order: undefined, isNew: false }
  if (!order) throw new Error(`checkout ${row.id} is paid and has no order`)
  return { row, status: { state: 'paid', orderId: order.id }, order, isNew: true }
}

async function getCheckout(db: Db, id: string): Promise<ReadCheckout> {
  const read = await findCheckout(db, id)
  // Only test checkouts are ever deleted, all at once by an admin.
  if (!read) throw new Refusal('payment-missing')
  return read
}

/**
 * Concurrent calls for one sale (two tabs, a double click, a waiting page) share one request to SumUp. Each is asked with
 * one account (`pin`).
 */
export function shareSettling(pin: () => CheckoutDeps): (read: ReadCheckout) => Promise<Settled> {
  const running = new Map<string, Promise<Settled>>()
  return (read) => {
    const known = running.get(read.row.id)
    if (known) return known
    const settling = settle(pin(), read).finally(() => running.delete(read.row.id))
    running.set(read.row.id, settling)
    return settling
  }
}
