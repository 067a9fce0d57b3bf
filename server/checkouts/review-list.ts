import { maxReviewEntries, type ReviewEntry, type ReviewState } from '#contract/checkouts.ts'
import type { Db } from '#server/db/database.ts'
import { sql, type SQL } from '#server/db/drizzle.ts'
import {
  entryPayment,
  isRefundFresh,
  versionOf,
  whyNoOrder,
  whyNoRefund,
} from '#server/payments/acts.ts'
import { isKept } from '#server/payments/payment.ts'
import { openRefundOf, reasonOf, type Case, type Entry } from '#server/payments/case.ts'
import { findCases } from './case-rows.ts'
import { isOwnAccount, type CheckoutDeps } from './settle.ts'

/** Payments that an admin decides about, and those that were decided about. */

/** Entries that were dealt with, or open ones; with those of test mode or without. */
type ReviewFilter = { isArchive: boolean; includesTest: boolean }

type Listed = { id: string; caseId: string; handledByEmail: string | null }

export async function listReview(
  { db, sumup }: Pick<CheckoutDeps, 'db' | 'sumup'>,
  filter: ReviewFilter,
): Promise<ReviewEntry[]> {
  const listed = await listEntries(db, filter)
  const cases = await findCases(
    db,
    listed.map(({ caseId }) => caseId),
  )
  return listed.flatMap(({ id, caseId, handledByEmail }) => {
    const loaded = cases.get(caseId)
    const entry = loaded?.kase.entries.find((one) => one.id === id)
    if (!loaded || !entry) return []
    return showEntry(loaded.kase, entry, loaded.now, { sumup, handledByEmail })
  })
}

async function listEntries(db: Db, { isArchive, includesTest }: ReviewFilter): Promise<Listed[]> {
  const condition: SQL = isArchive
    ? sql`handled_at is not null and state in ('ordered', 'refunded', 'dismissed')`
    : sql`state = 'open'`
  const { rows } = await db.execute<Listed>(sql`
    select entry.id, coalesce(entry.sale_id, entry.payment_id) as "caseId", users.email as "handledByEmail"
    from review_entries as entry left join users on users.id::text = entry.handled_by
    where ${condition} ${includesTest ? sql`` : sql`and not is_test`}
    order by ${isArchive ? sql`handled_at` : sql`opened_at`} desc limit ${maxReviewEntries + 1}`)
  return rows
}

function showEntry(
  kase: Case,
  entry: Entry,
  now: Date,
  { sumup, handledByEmail }: Pick<CheckoutDeps, 'sumup'> & { handledByEmail: string | null },
): ReviewEntry {
  const { sale, order } = kase
  const payment = entryPayment(kase, entry)
  const isOpen = entry.state === 'open'
  const isOther =
    sale && payment && (payment.amount !== sale.amount || payment.currency !== sale.currency)
  const refund = payment && openRefundOf(kase, payment)
  const isSales = entry.id === sale?.id
  // An order of it is one of what was sold.
  const isOfSale = isSales || entry.reason === 'paid-late'
  return {
    id: entry.id,
    version: versionOf(kase, entry),
    state: showState(entry.state),
    reason: reasonOf(entry),
    product: sale && isOfSale ? { id: sale.productId, name: sale.product.name } : null,
    amount: (isSales ? sale?.amount : payment?.amount) ?? null,
    currency: (isSales ? sale?.currency : payment?.currency) ?? null,
    paid:
      isSales && isOther && payment.amount !== null && payment.currency !== null
        ? { amount: payment.amount, currency: payment.currency }
        : null,
    refundedAmount: payment?.refunded ?? '0.00',
    chargedBackAmount: payment?.chargedBack ?? '0.00',
    refund: refund ? { amount: refund.amount, askedAt: refund.askedAt.toISOString() } : null,
    conflict: payment?.conflict ?? null,
    transactionCode: payment?.transactionCode ?? null,
    isTest: entry.isTest,
    details: isOfSale ? (sale?.details ?? null) : null,
    createdAt: ((isSales ? sale?.createdAt : payment?.madeAt) ?? entry.openedAt).toISOString(),
    isPaid: payment !== undefined && isKept(payment) && entry.reason !== 'not-at-sumup',
    canOrder: isOpen && whyNoOrder(kase, entry) === undefined,
    canRefund:
      isOpen &&
      payment !== undefined &&
      isOwnAccount(payment, sumup) &&
      whyNoRefund(kase, entry, now) === undefined,
    canDismiss: isOpen && !isRefundFresh(kase, entry, now),
    orderId: order?.id ?? null,
    note: entry.note,
    handledAt: entry.handledAt?.toISOString() ?? null,
    handledBy: handledByEmail,
  }
}

function showState(state: string): ReviewState {
  return state === 'ordered' || state === 'refunded' || state === 'dismissed' ? state : 'open'
}
