import { crashPoint } from '#server/crash-point.ts'
import type { Db } from '#server/db/database.ts'
import { eq } from '#server/db/drizzle.ts'
import { checkouts } from '#server/db/schema.ts'
import type { Log } from '#server/http/log.ts'
import { noteDeclines } from '#server/payments/declined-cards.ts'
import { judge, type Payment, type Verdict } from '#server/payments/judge.ts'
import { markOpen, type CheckoutRow } from '#server/payments/ledger.ts'
import { isOurs } from '#server/payments/open-checkout.ts'
import type { Sumup } from '#server/payments/sumup.ts'
import type { SumupCheckout } from '#server/payments/sumup-answers.ts'
import { bookOrder } from './book-order.ts'
import { closeUnknown, closeUnpaid, putInReview } from './close-checkout.ts'
import { forgetContradiction, isContradictedLong } from './contradiction.ts'
import { maybeOrderOf } from './orders.ts'
import type { Outcome } from './outcome.ts'
import { isTransactionUsed } from './transaction-used.ts'

export type Settling = {
  db: Db
  sumup: Sumup
  log: Log
}

/**
 * The only code that creates an order. Whoever believes that something was paid calls it: the browser,
 * SumUp's webhook, the sweep. SumUp is asked outside any transaction; the order, its timeline, its mails
 * and the end of the sale are then one transaction under a lock on the ledger row, so that whoever comes
 * second gets the same order back.
 */
export async function settle(shop: Settling, row: CheckoutRow): Promise<Outcome> {
  const known = await maybeKnown(shop.db, row)
  if (known) return known
  const seen = await lookAtSumup(shop, row)
  crashPoint('payment-seen')
  // A checkout that SumUp once gave us and now does not find may only be late: it is looked for again.
  if (!seen) return row.sumupCheckoutId ? { is: 'waiting' } : closeUnknown(shop.db, row)
  const outcome = await applyLocked(shop, row, seen).catch(reviewIfUsed(shop, row))
  crashPoint('order-committed')
  if (outcome.is === 'too-many-cards') await endAtSumup(shop, seen.id)
  return outcome
}

async function applyLocked(
  shop: Settling,
  row: CheckoutRow,
  seen: SumupCheckout,
): Promise<Outcome> {
  return shop.db.transaction(async (tx) => {
    const [locked] = await tx.select().from(checkouts).where(eq(checkouts.id, row.id)).for('update')
    if (!locked) throw new Error(`checkout ${row.id} is gone`)
    crashPoint('row-locked')
    return (await maybeKnown(tx, locked)) ?? apply(shop, tx, locked, seen)
  })
}

/** One payment never pays for two sales, whatever SumUp says: a person looks at the second. */
function reviewIfUsed(shop: Settling, row: CheckoutRow) {
  return (error: unknown): Promise<Outcome> => {
    if (!isTransactionUsed(error)) throw error
    const reason = 'SumUp says that a payment which belongs to another sale has paid for this one'
    return review(shop, shop.db, row, { reason })
  }
}

async function review(
  { log }: Settling,
  db: Db,
  row: CheckoutRow,
  found: { reason: string } & Partial<Payment>,
): Promise<Outcome> {
  log.error({ checkout: row.id, reason: found.reason }, 'A payment needs attention')
  return putInReview(db, row, found)
}

async function apply(
  shop: Settling,
  tx: Db,
  row: CheckoutRow,
  seen: SumupCheckout,
): Promise<Outcome> {
  const verdict: Verdict = judge(row, seen, shop.sumup.merchantCode)
  switch (verdict.is) {
    case 'paid': {
      const order = await bookOrder(tx, row, verdict)
      crashPoint('order-booked')
      return { is: 'order', order, isNew: true }
    }
    case 'review':
      return review(shop, tx, row, verdict)
    case 'unclear':
      if (await isContradictedLong(tx, row)) return review(shop, tx, row, verdict)
      return { is: 'waiting' }
    case 'expired':
      return closeUnpaid(tx, row)
    case 'declined':
    case 'pending':
      await forgetContradiction(tx, row)
      if (await noteDeclines(tx, row, verdict.failures)) return { is: 'too-many-cards' }
      return declinedOrWaiting(row, seen, verdict)
  }
}

/** What SumUp still tells of earlier cards that failed says nothing about the one under way. */
function declinedOrWaiting(
  row: CheckoutRow,
  seen: SumupCheckout,
  { is, failures }: { is: 'declined' | 'pending'; failures: number },
): Outcome {
  const isNewFailure = failures > row.cardsBefore
  if (is === 'declined' && isNewFailure) return { is }
  const isUnderWay = seen.transactions.some(({ status }) => status !== 'FAILED')
  return { is: 'waiting', hasTransaction: isNewFailure || isUnderWay }
}

/** The row stays due until this has worked, so a failure is only put off. */
async function endAtSumup({ sumup, log }: Settling, id: string): Promise<void> {
  try {
    await sumup.deactivate(id)
  } catch (error) {
    log.warn({ err: error }, 'A checkout could not be closed at SumUp; it will be tried again')
  }
}

async function maybeKnown(db: Db, row: CheckoutRow): Promise<Outcome | undefined> {
  if (row.state === 'review') return { is: 'review' }
  if (row.state !== 'paid' || !row.sumupCheckoutId) return undefined
  const order = await maybeOrderOf(db, row.sumupCheckoutId)
  return order && { is: 'order', order, isNew: false }
}

/** A row whose checkout id was lost on the way is found by its reference; one SumUp never heard of is not. */
async function lookAtSumup(
  { db, sumup }: Settling,
  row: CheckoutRow,
): Promise<SumupCheckout | undefined> {
  if (row.sumupCheckoutId) return sumup.maybeCheckout(row.sumupCheckoutId)
  const found = await sumup.maybeCheckoutByReference(row.id)
  // What SumUp would charge must be what we offered, here as at the start; anything else reaches no card form.
  if (found && isOurs(row, found, sumup.merchantCode)) await markOpen(db, row.id, found.id)
  return found
}
