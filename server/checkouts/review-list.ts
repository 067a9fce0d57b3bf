import { maxReviewEntries, type ReviewEntry, type ReviewState } from '#contract/checkouts.ts'
import { users } from '#server/db/admin-schema.ts'
import type { Db } from '#server/db/database.ts'
import { and, desc, eq, sql } from '#server/db/drizzle.ts'
import { checkouts, orders, strayPayments } from '#server/db/schema.ts'
import type { Sumup } from '#server/sumup/client.ts'
import { reasonOf, type CheckoutRow } from './decision.ts'
import { isOwnAccount, type CheckoutDeps } from './settle.ts'

/** Payments that an admin decides about: sales in review, and stray payments without a sale, as one list. */

export type StrayRow = typeof strayPayments.$inferSelect
type Handled = { handledByEmail: string | null; orderId: string | null }

/** Reasons where the payment certainly belongs to the sale. */
const refundableReasons = new Set(['no-details', 'mismatch', 'paid-twice', 'paid-late', 'no-sale'])
/** There is an order already, or the money was returned. */
export const reasonsWithoutOrder = new Set(['paid-twice', 'refunded', 'payment-reused'])

/** Entries that were dealt with, or open ones; with those of test mode or without. */
type ReviewFilter = { isArchive: boolean; includesTest: boolean }

export async function listReview(
  { db, sumup }: Pick<CheckoutDeps, 'db' | 'sumup'>,
  { isArchive, includesTest }: ReviewFilter,
): Promise<ReviewEntry[]> {
  const filter = { isArchive, includesTest }
  const [sales, strays] = await Promise.all([listSales(db, filter), listStrays(db, filter)])
  const entries = [
    ...sales.map(({ row, ...more }) => showSale(row, more, sumup)),
    ...strays.map(({ row, ...more }) => showStray(row, more, sumup)),
  ]
  const timeOf = ({ handledAt, createdAt }: ReviewEntry) => (isArchive && handledAt) || createdAt
  return entries
    .toSorted((a, b) => timeOf(b).localeCompare(timeOf(a)))
    .slice(0, maxReviewEntries + 1)
}

function listSales(db: Db, { isArchive, includesTest }: ReviewFilter) {
  return db
    .select({ row: checkouts, handledByEmail: users.email, orderId: orders.id })
    .from(checkouts)
    .leftJoin(users, sql`${users.id}::text = ${checkouts.handledBy}`)
    .leftJoin(orders, eq(orders.sumupCheckoutId, checkouts.sumupCheckoutId))
    .where(
      and(
        sql`${checkouts.reviewAt} is not null`,
        includesTest ? undefined : eq(checkouts.isTest, false),
        isArchive
          ? sql`(${checkouts.state} in ('refunded', 'dismissed')
              or (${checkouts.state} = 'paid' and ${checkouts.handledAt} is not null))`
          : eq(checkouts.state, 'review'),
      ),
    )
    .orderBy(desc(isArchive ? checkouts.handledAt : checkouts.createdAt))
    .limit(maxReviewEntries + 1)
}

function listStrays(db: Db, { isArchive, includesTest }: ReviewFilter) {
  return db
    .select({ row: strayPayments, handledByEmail: users.email, orderId: strayPayments.orderId })
    .from(strayPayments)
    .leftJoin(users, sql`${users.id}::text = ${strayPayments.handledBy}`)
    .where(
      and(
        isArchive ? sql`${strayPayments.state} <> 'open'` : eq(strayPayments.state, 'open'),
        includesTest ? undefined : eq(strayPayments.isTest, false),
      ),
    )
    .orderBy(desc(isArchive ? strayPayments.handledAt : strayPayments.createdAt))
    .limit(maxReviewEntries + 1)
}

function showSale(row: CheckoutRow, handled: Handled, sumup: Sumup): ReviewEntry {
  const reason = reasonOf(row)
  const isOpen = row.state === 'review'
  return {
    id: row.id,
    state: stateOf(row),
    reason,
    product: { id: row.productId, name: row.product.name },
    amount: row.amount,
    currency: row.currency,
    paid:
      row.paidAmount && row.paidCurrency
        ? { amount: row.paidAmount, currency: row.paidCurrency }
        : null,
    transactionCode: row.sumupTransactionCode,
    isTest: row.isTest,
    details: row.details,
    createdAt: row.createdAt.toISOString(),
    canOrder: isOpen && !reasonsWithoutOrder.has(reason),
    canRefund: isOpen && canRefund(row, reason, sumup),
    ...showHandled(row, handled),
  }
}

function showStray(row: StrayRow, handled: Handled, sumup: Sumup): ReviewEntry {
  const reason = row.reason === 'paid-twice' ? 'paid-twice' : 'no-sale'
  const isOpen = row.state === 'open'
  return {
    id: row.id,
    state: reviewStateOf(row.state),
    reason,
    product: null,
    amount: row.amount,
    currency: row.currency,
    paid: null,
    transactionCode: row.sumupTransactionCode,
    isTest: row.isTest,
    details: null,
    createdAt: row.paidAt.toISOString(),
    canOrder: isOpen && !reasonsWithoutOrder.has(reason),
    canRefund: isOpen && canRefund(row, reason, sumup),
    ...showHandled(row, handled),
  }
}

function showHandled(row: CheckoutRow | StrayRow, { handledByEmail, orderId }: Handled) {
  return {
    orderId,
    note: row.note,
    handledAt: row.handledAt?.toISOString() ?? null,
    handledBy: handledByEmail,
  }
}

function stateOf({ state }: CheckoutRow): ReviewState {
  return state === 'paid' ? 'ordered' : reviewStateOf(state === 'review' ? 'open' : state)
}

function reviewStateOf(state: string): ReviewState {
  return state === 'ordered' || state === 'refunded' || state === 'dismissed' ? state : 'open'
}

export function canRefund(
  row: Pick<CheckoutRow, 'sumupTransactionId' | 'merchantCode' | 'isTest'>,
  reason: string,
  sumup: Sumup,
): boolean {
  const isPaid = row.sumupTransactionId !== null
  return isPaid && isOwnAccount(row, sumup) && refundableReasons.has(reason)
}
