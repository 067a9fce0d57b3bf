import type { CheckoutStatus } from '#contract/checkouts.ts'
import { Refusal } from '#contract/refusals.ts'
import { crashPoint } from '#server/crash-point.ts'
import type { Db } from '#server/db/database.ts'
import type { Log } from '#server/http/log.ts'
import { findOrderByCheckout, type OrderRow } from '#server/orders/orders.ts'
import type { SumupCheckout } from '#server/sumup/answers.ts'
import { ProviderUnavailable } from '#server/sumup/circuit-breaker.ts'
import type { Sumup } from '#server/sumup/client.ts'
import { SumupRefusal } from '#server/sumup/http.ts'
import { countDeclines } from './declined-cards.ts'
import {
  applyDecision,
  findCheckout,
  findEarlier,
  markTold,
  OtherCardUnderWay,
  PaymentReused,
  StaleCheckout,
  type ReadCheckout,
} from './ledger.ts'
import {
  isDecided,
  standingOf,
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
  /** Whether the buyer's browser asked for its order, and is answered with it. */
  isForBuyer?: boolean
}

/** How a sale stands after looking, with its order where there is one. */
export type Settled = {
  row: CheckoutRow
  status: CheckoutStatus
  order: OrderRow | undefined
  /** Whether this very call made the order. */
  isNew: boolean
  /** Whether anything changed. */
  isChanged?: boolean
}

/** A row that others keep changing is left to them after so many tries. */
const maxAttempts = 6
/** A payment younger than this was not refunded: nobody could have seen it yet. */
const youngPaymentMs = 60_000

/**
 * Finds out at SumUp how a sale stands and does what follows from it. Whoever believes that something was paid calls it:
 * the browser, SumUp's webhook, the sweep, the comparison. SumUp is asked outside any transaction, then the decision is
 * written in one statement that holds only for the row it was made about; otherwise everything is asked anew.
 */
export async function settle(deps: CheckoutDeps, first: ReadCheckout): Promise<Settled> {
  let read = first
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const known = await settledAlready(deps, read.row)
    if (known) return known
    try {
      return await lookOnce(deps, read)
    } catch (error) {
      if (!(error instanceof StaleCheckout)) throw error
      read = await readAgain(deps.db, read.row.id)
    }
  }
  return describe(read.row, { state: 'waiting', reason: 'unclear' })
}

async function lookOnce(deps: CheckoutDeps, read: ReadCheckout): Promise<Settled> {
  const event = await askSumup(deps, read)
  crashPoint('payment-seen')
  // Its id was lost on the way here: from now on it is known, and looked at as any other.
  if (event.type === 'opened') {
    await bringEvent(deps, read, event)
    return settle(deps, await readAgain(deps.db, read.row.id))
  }
  const decision = decide(read.row, event, read.now)
  const settled = await write(deps, read, decision)
  crashPoint('order-committed')
  if (settled.order) return settled
  return afterwards(deps, settled, decision)
}

/** What SumUp says of a row, as an event. */
async function askSumup(
  { sumup }: CheckoutDeps,
  { row, now }: ReadCheckout,
): Promise<CheckoutEvent> {
  if (row.merchantCode !== '' && row.merchantCode !== sumup.merchantCode)
    return { type: 'account-changed' }
  try {
    if (!row.sumupCheckoutId) {
      const found = await sumup.findCheckoutByReference(row.id)
      // What SumUp would charge must be what we offered; anything else never reaches a card form.
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

/** A key that may read checkouts but no payments makes no sale wait. */
function undefinedIfForbidden(error: unknown): undefined {
  if (error instanceof ProviderUnavailable && error.isKeyRefused) return undefined
  throw error
}

/** After a refund both checkout and payment still say that all is well: it shows only in the payment's events. */
function mayBeRefunded(row: CheckoutRow, madeAt: Date | undefined, now: Date): boolean {
  const isYoung = madeAt !== undefined && now.getTime() - madeAt.getTime() < youngPaymentMs
  const wasPaidBefore = row.sumupTransactionId !== null
  return row.lastError !== null || row.state !== 'submitted' || wasPaidBefore || !isYoung
}

/** Whether SumUp would charge what we offered, for this sale, to this account. */
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

async function write(deps: CheckoutDeps, read: ReadCheckout, decision: Decision): Promise<Settled> {
  try {
    const isTold = decision.book !== undefined && deps.isForBuyer
    const changes = isTold ? { ...decision.changes, toldAt: read.now } : decision.changes
    const { row, order } = await applyDecision(deps.db, read, { ...decision, changes })
    noteReview(deps.log, read.row, row)
    return describe(row, decision.standing, order)
  } catch (error) {
    if (error instanceof OtherCardUnderWay && decision.changes.state === 'submitted')
      return write(deps, read, watchedAsItIs(read.row, decision))
    if (!(error instanceof PaymentReused)) throw error
    return write(
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

/** The payment that a decision is about, whether it was to become an order or a review entry. */
function paymentOf(row: CheckoutRow, { book, changes }: Decision): Payment {
  const { amount, currency } = row
  const code = changes.sumupTransactionCode ?? undefined
  return book ?? { id: changes.sumupTransactionId ?? '', code, amount, currency }
}

/** One browser has one card under way for a product. What is found beside it is watched all the same. */
function watchedAsItIs(row: CheckoutRow, decision: Decision): Decision {
  const { state, reviewReason, reviewAt } = row
  return { ...decision, changes: { ...decision.changes, state, reviewReason, reviewAt } }
}

function noteReview(log: Log, before: CheckoutRow, after: CheckoutRow): void {
  if (after.state !== 'review' || before.reviewReason === after.reviewReason) return
  log.error({ checkout: after.id, reason: after.reviewReason }, 'A payment needs attention')
}

/** What a decision asks for beyond the row: counting declined cards, ending the checkout at SumUp. */
async function afterwards(
  deps: CheckoutDeps,
  settled: Settled,
  { newFailures = 0, endAtSumup }: Decision,
): Promise<Settled> {
  const { row } = settled
  const isOver = newFailures > 0 && (await countDeclines(deps.db, row, newFailures))
  const isTooMany = isOver && !row.hasTooManyCards
  if (!isTooMany && !endAtSumup) return settled
  if (isTooMany)
    await bringEvent(deps, await readAgain(deps.db, row.id), { type: 'too-many-cards' })
  await endAtProvider(deps, row)
  const { row: after } = await readAgain(deps.db, row.id)
  return describe(after, isTooMany ? { state: 'too-many-cards' } : settled.status)
}

/** The row stays due until this has worked, so a failure is only put off. */
async function endAtProvider(
  deps: CheckoutDeps,
  { id, sumupCheckoutId }: CheckoutRow,
): Promise<void> {
  try {
    const ending = sumupCheckoutId ? await deps.sumup.deactivate(sumupCheckoutId) : 'blocked'
    if (ending === 'ended') await bringEvent(deps, await readAgain(deps.db, id), { type: 'ended' })
  } catch (error) {
    if (!(error instanceof ProviderUnavailable)) throw error
    deps.log.warn(
      { err: error, checkout: id },
      'A checkout could not be ended at SumUp; it will be tried again',
    )
  }
}

/** Decides about an event that needs no question to SumUp, and writes what follows, whoever else is at it. */
export async function bringEvent(
  { db, log }: Pick<CheckoutDeps, 'db' | 'log'>,
  first: ReadCheckout,
  event: CheckoutEvent,
  actor?: string,
): Promise<Settled> {
  let read = first
  for (let attempt = 1; ; attempt += 1) {
    try {
      const decision = decide(read.row, event, read.now)
      const { row, order } = await applyDecision(db, read, decision, actor)
      noteReview(log, read.row, row)
      // Somebody else may have made the order in between.
      const isPaid = decision.standing.state === 'paid'
      const known = order ?? (isPaid ? await findOrderByCheckout(db, row) : undefined)
      const isChanged = Object.keys(decision.changes).length > 0
      return { ...describe(row, decision.standing, known), isNew: order !== undefined, isChanged }
    } catch (error) {
      if (error instanceof OtherCardUnderWay) throw await refuseOtherCard(db, read.row, error)
      if (!(error instanceof StaleCheckout) || attempt >= maxAttempts) throw error
      read = await readAgain(db, read.row.id)
    }
  }
}

/** Names the sale whose card is under way, so that the page can follow it. */
async function refuseOtherCard(db: Db, row: CheckoutRow, cause: Error): Promise<Refusal> {
  const other = await findEarlier(db, row.buyerTokenHash, row.productId, 'untold')
  const checkoutId = other?.row.sumupCheckoutId
  return new Refusal('card-under-way', { cause, ...(checkoutId && { facts: { checkoutId } }) })
}

/** What is decided is not asked about again: the order that exists, or the person who decides. */
async function settledAlready(
  { db, isForBuyer }: CheckoutDeps,
  row: CheckoutRow,
): Promise<Settled | undefined> {
  if (row.state === 'paid') {
    const order = await findOrderByCheckout(db, row)
    if (isForBuyer) await markTold(db, row)
    return order && { ...describe(row, { state: 'paid' }, order), isNew: false }
  }
  const isAsked = (row.state !== 'review' && row.state !== 'dismissed') || row.nextCheckAt !== null
  return isAsked && !isDecided(row) ? undefined : describe(row, standingOf(row))
}

function describe(row: CheckoutRow, standing: Decision['standing'], order?: OrderRow): Settled {
  if (standing.state !== 'paid') return { row, status: standing, order: undefined, isNew: false }
  if (!order) throw new Error(`checkout ${row.id} is paid and has no order`)
  return { row, status: { state: 'paid', orderId: order.id }, order, isNew: true }
}

async function readAgain(db: Db, id: string): Promise<ReadCheckout> {
  const read = await findCheckout(db, id)
  if (!read) throw new Error(`checkout ${id} is gone`)
  return read
}

/**
 * Settling for browsers and webhooks. Two tabs, a double click and a waiting page often ask at once: they share one look
 * at SumUp.
 */
export function shareLooks(deps: CheckoutDeps): (read: ReadCheckout) => Promise<Settled> {
  const underWay = new Map<string, Promise<Settled>>()
  return (read) => {
    const known = underWay.get(read.row.id)
    if (known) return known
    const settling = settle(deps, read).finally(() => underWay.delete(read.row.id))
    underWay.set(read.row.id, settling)
    return settling
  }
}
