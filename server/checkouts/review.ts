import type { AuditAction } from '#contract/audit.ts'
import type { CheckoutDetails } from '#contract/orders.ts'
import { formatCents, toCents } from '#contract/money.ts'
import { Refusal } from '#contract/refusals.ts'
import { getProduct, productAsSold } from '#server/catalog/products.ts'
import type { Db } from '#server/db/database.ts'
import { and, eq, sql, type SQL } from '#server/db/drizzle.ts'
import { runStatement, writeStatement } from '#server/db/prepared.ts'
import { strayPayments } from '#server/db/schema.ts'
import { auditStep, recordAudit, type AdminActor, type AuditNote } from '#server/http/audit.ts'
import { isUuid } from '#server/http/uuid.ts'
import { createOrderRow, insertOrderSteps, orderValues } from '#server/orders/orders.ts'
import type { SumupTransaction } from '#server/sumup/answers.ts'
import { ProviderUnavailable, SumupRefusal } from '#server/sumup/http.ts'
import { findCheckout, type ReadCheckout } from './find-checkout.ts'
import { PaymentReused } from './ledger.ts'
import { canRefund, reasonsWithoutOrder, type StrayRow } from './review-list.ts'
import { applyEvent, isOwnAccount, settle, type CheckoutDeps } from './settle.ts'
import { reasonOf, type CheckoutRow } from './decision.ts'

/** What an admin decides about a payment in review: it ends as an order, a refund, or dismissed with a note. */

function describeDecision(action: AuditAction, row: CheckoutRow | StrayRow): AuditNote {
  return { action, subject: row.id, detail: { amount: row.amount, currency: row.currency } }
}

/** A review entry of either kind. */
type Found = { kind: 'sale'; read: ReadCheckout } | { kind: 'stray'; row: StrayRow }

async function getEntry(db: Db, id: string): Promise<Found> {
  if (!isUuid(id)) throw new Refusal('review-missing')
  const read = await findCheckout(db, id)
  if (read?.row.reviewAt) return { kind: 'sale', read }
  const [row] = await db.select().from(strayPayments).where(eq(strayPayments.id, id))
  if (!row) throw new Refusal('review-missing')
  return { kind: 'stray', row }
}

function assertOpen(found: Found): void {
  const isOpen =
    found.kind === 'sale' ? found.read.row.state === 'review' : found.row.state === 'open'
  if (!isOpen) throw new Refusal('review-done')
}

/** An admin decides that the payment is an order. */
export async function createOrder(
  deps: CheckoutDeps,
  id: string,
  given: { productId?: string | undefined; details?: CheckoutDetails | undefined },
  actor: AdminActor,
): Promise<string> {
  const found = await getEntry(deps.db, id)
  assertOpen(found)
  const reason = found.kind === 'sale' ? reasonOf(found.read.row) : found.row.reason
  if (reasonsWithoutOrder.has(reason)) throw new Refusal('order-impossible')
  await assertNotReturned(deps, found.kind === 'sale' ? found.read.row : found.row)
  if (found.kind === 'stray') return createOrderFromStray(deps.db, found.row, given, actor)
  const details = found.read.row.details ?? given.details
  if (!details) throw new Refusal('bad-request', { text: 'Enter an address to deliver to' })
  try {
    const event = { type: 'order-made', details, by: actor.admin.id } as const
    const entry = describeDecision('review-ordered', found.read.row)
    const { order, isNew } = await applyEvent(deps, found.read, event, { actor, entry })
    if (!order || !isNew) throw new Refusal('review-done')
    return order.id
  } catch (error) {
    throw error instanceof PaymentReused ? new Refusal('order-impossible', { cause: error }) : error
  }
}

/** The payment may have been refunded meanwhile, for example in SumUp's dashboard. */
async function assertNotReturned(
  { sumup }: CheckoutDeps,
  row: Pick<CheckoutRow, 'sumupTransactionId' | 'merchantCode' | 'isTest'>,
): Promise<void> {
  const { sumupTransactionId } = row
  if (!sumupTransactionId || !isOwnAccount(row, sumup)) return
  try {
    const full = await sumup.findTransaction(sumupTransactionId)
    if (full?.isRefunded || full?.isChargedBack) throw new Refusal('payment-returned')
  } catch (cause) {
    throw cause instanceof ProviderUnavailable
      ? new Refusal('payments-away', { cause, retryAfter: 5 })
      : cause
  }
}

async function createOrderFromStray(
  db: Db,
  row: StrayRow,
  given: { productId?: string | undefined; details?: CheckoutDetails | undefined },
  actor: AdminActor,
): Promise<string> {
  const { details, productId } = given
  if (!productId) throw new Refusal('bad-request', { text: 'Choose the product that was bought' })
  if (!details) throw new Refusal('bad-request', { text: 'Enter an address to deliver to' })
  const product = productAsSold(await getProduct(db, productId))
  const sale = {
    product,
    details,
    amount: row.amount,
    currency: row.currency,
    sumupCheckoutId: null,
    sumupTransactionId: row.sumupTransactionId,
    isTest: row.isTest,
    visitor: null,
    actor: actor.admin.id,
    now: new Date(),
  }
  const order = createOrderRow(sale)
  const changed = sql`changed`
  const steps = [
    sql`changed as (
      update stray_payments set state = 'ordered', order_id = ${order.id}::uuid, handled_at = now(),
        handled_by = ${actor.admin.id}
      where id = ${row.id} and state = 'open' and ${isNotRefunding} returning id)`,
    ...insertOrderSteps(changed),
    auditStep(actor, describeDecision('review-ordered', row), changed),
  ]
  const statement = writeStatement(sql`with ${sql.join(steps, sql`, `)} select id from changed`)
  const written = await runStatement(db, statement, ...orderValues(order, sale))
  if (written.length === 0) throw new Refusal('review-done')
  return order.id
}

/** No refund is running; one without an answer counts for two minutes. */
const isNotRefunding = sql`(refunding_at is null or refunding_at < now() - interval '2 minutes')`

/**
 * Refunds the whole payment. The entry is claimed first, so that nothing else is decided meanwhile. SumUp would execute a
 * repeated refund again, so the transaction is checked before each attempt, also after a lost response.
 */
export async function refundPayment(
  deps: CheckoutDeps,
  id: string,
  actor: AdminActor,
): Promise<void> {
  const found = await getEntry(deps.db, id)
  assertOpen(found)
  const row = found.kind === 'sale' ? found.read.row : found.row
  const reason = found.kind === 'sale' ? reasonOf(found.read.row) : found.row.reason
  const { sumupTransactionId } = row
  if (!sumupTransactionId || !canRefund(row, reason, deps.sumup))
    throw new Refusal('refund-impossible')
  const claim =
    found.kind === 'sale'
      ? claimSale(deps, found.read, actor)
      : claimStray(deps.db, found.row, actor)
  const { finish, release } = await claim
  try {
    await refundOnce(deps, sumupTransactionId)
  } catch (error) {
    await release(error instanceof Refusal ? error.code : 'internal')
    throw error
  }
  await finish()
}

/** A refund that is under way. It was recorded before SumUp is asked, so none happens without an entry. */
type Claim = { finish: () => Promise<unknown>; release: (reason: string) => Promise<unknown> }

function describeFailure(row: CheckoutRow | StrayRow, reason: string): AuditNote {
  const entry = describeDecision('review-refund-failed', row)
  return { ...entry, detail: { ...entry.detail, reason } }
}

async function claimSale(
  deps: CheckoutDeps,
  read: ReadCheckout,
  actor: AdminActor,
): Promise<Claim> {
  const begun = { actor, entry: describeDecision('review-refund-begun', read.row) }
  const { row, isChanged } = await applyEvent(deps, read, { type: 'refund-begun' }, begun)
  if (!isChanged) throw new Refusal('review-done')
  const claimed = { row, now: read.now }
  const event = { type: 'refund-made', by: actor.admin.id } as const
  const entry = describeDecision('review-refunded', row)
  return {
    finish: () => applyEvent(deps, claimed, event, { actor, entry }),
    release: (reason) => {
      const failed = { actor, entry: describeFailure(row, reason) }
      return applyEvent(deps, claimed, { type: 'refund-failed' }, failed)
    },
  }
}

async function claimStray(db: Db, row: StrayRow, actor: AdminActor): Promise<Claim> {
  const ofRow = eq(strayPayments.id, row.id)
  const change = (
    values: Parameters<ReturnType<typeof db.update<typeof strayPayments>>['set']>[0],
    condition: SQL | undefined,
    entry: AuditNote,
  ) =>
    db.transaction(async (tx) => {
      const { rowCount } = await tx.update(strayPayments).set(values).where(condition)
      if (rowCount === 0) throw new Refusal('review-done')
      await recordAudit(tx, actor, entry)
    })
  const isFree = and(ofRow, eq(strayPayments.state, 'open'), isNotRefunding)
  const begun = describeDecision('review-refund-begun', row)
  await change({ refundingAt: sql`now()` }, isFree, begun)
  const handledBy = actor.admin.id
  const done = { state: 'refunded', refundingAt: null, handledAt: sql`now()`, handledBy }
  return {
    finish: () => change(done, ofRow, describeDecision('review-refunded', row)),
    release: (reason) => change({ refundingAt: null }, ofRow, describeFailure(row, reason)),
  }
}

async function refundOnce({ sumup, log }: CheckoutDeps, transactionId: string): Promise<void> {
  try {
    const full = await sumup.findTransaction(transactionId)
    if (full?.isRefunded) return
    await sumup.refund(transactionId, full && remainingAmount(full))
  } catch (cause) {
    log.error({ err: cause, transaction: transactionId }, 'A refund failed')
    if (cause instanceof SumupRefusal) throw new Refusal('refund-refused', { cause })
    if (!(cause instanceof ProviderUnavailable)) throw cause
    const full = await sumup.findTransaction(transactionId).catch(() => undefined)
    if (!full?.isRefunded) throw new Refusal('refund-unknown', { cause })
  }
}

/** The rest of a partly refunded payment; undefined if nothing was refunded. */
function remainingAmount({ amount, refunded }: SumupTransaction): string | undefined {
  if (amount === undefined || toCents(refunded) === 0) return undefined
  return formatCents(toCents(amount) - toCents(refunded))
}

/** A checkout without a known payment is ended first, so that none can follow. */
export async function dismiss(
  deps: CheckoutDeps,
  id: string,
  note: string,
  actor: AdminActor,
): Promise<void> {
  const found = await getEntry(deps.db, id)
  assertOpen(found)
  if (found.kind === 'stray') return dismissStray(deps.db, found.row, note, actor)
  // If it was paid after all, settling creates the order, unless SumUp's answer is still unclear.
  const isOver =
    (await isPaidAfterAll(deps, found.read.row)) &&
    (await settle(deps, found.read)).row.state !== 'review'
  if (isOver) throw new Refusal('review-done')
  const event = { type: 'dismissed', note, by: actor.admin.id } as const
  const entry = describeDecision('review-dismissed', found.read.row)
  const { isChanged } = await applyEvent(deps, found.read, event, { actor, entry })
  if (!isChanged) throw new Refusal('review-done')
}

/** If SumUp does not answer or keeps the checkout open, a later payment reopens the entry. */
async function isPaidAfterAll({ sumup, log }: CheckoutDeps, row: CheckoutRow): Promise<boolean> {
  const { sumupCheckoutId, sumupTransactionId } = row
  if (!sumupCheckoutId || sumupTransactionId || !isOwnAccount(row, sumup)) return false
  try {
    return (await sumup.deactivate(sumupCheckoutId)) === 'paid'
  } catch (error) {
    if (!(error instanceof ProviderUnavailable)) throw error
    log.warn({ err: error, checkout: row.id }, 'A dismissed checkout could not be ended at SumUp')
    return false
  }
}

async function dismissStray(db: Db, row: StrayRow, note: string, actor: AdminActor): Promise<void> {
  await db.transaction(async (tx) => {
    const { rowCount } = await tx
      .update(strayPayments)
      .set({ state: 'dismissed', note, handledAt: sql`now()`, handledBy: actor.admin.id })
      .where(and(eq(strayPayments.id, row.id), eq(strayPayments.state, 'open'), isNotRefunding))
    if (rowCount === 0) throw new Refusal('review-done')
    await recordAudit(tx, actor, describeDecision('review-dismissed', row))
  })
}

/** Undoes a dismissal. */
export async function restore(deps: CheckoutDeps, id: string, actor: AdminActor): Promise<void> {
  const found = await getEntry(deps.db, id)
  const state = found.kind === 'sale' ? found.read.row.state : found.row.state
  if (state !== 'dismissed') throw new Refusal('review-done')
  if (found.kind === 'sale') {
    const entry = describeDecision('review-restored', found.read.row)
    await applyEvent(deps, found.read, { type: 'restored' }, { actor, entry })
    return
  }
  await deps.db.transaction(async (tx) => {
    const { rowCount } = await tx
      .update(strayPayments)
      .set({ state: 'open', note: null, handledAt: null, handledBy: null })
      .where(and(eq(strayPayments.id, id), eq(strayPayments.state, 'dismissed')))
    if (rowCount === 1) await recordAudit(tx, actor, describeDecision('review-restored', found.row))
  })
}
