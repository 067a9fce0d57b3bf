import type { Db } from '#server/db/database.ts'
import { and, eq, inArray, isNull, ne, sql } from '#server/db/drizzle.ts'
import { checkouts } from '#server/db/schema.ts'
import type { Payment } from '#server/payments/judge.ts'
import type { CheckoutRow } from '#server/payments/ledger.ts'
import type { Outcome } from './outcome.ts'

const keepUnpaidDays = 30

/** Not paid, and not to be paid any more. Should SumUp say otherwise later, settling still makes the order. */
export async function closeUnpaid(db: Db, row: CheckoutRow): Promise<Outcome> {
  // A row that is due was made so by a webhook, after SumUp said what we act on here: it is looked at once more.
  const stillDue = sql`case when ${checkouts.nextCheckAt} <= now() then ${checkouts.nextCheckAt} end`
  await db
    .update(checkouts)
    .set({ state: 'expired', nextCheckAt: stillDue, updatedAt: sql`now()` })
    .where(
      and(
        eq(checkouts.id, row.id),
        inArray(checkouts.state, ['created', 'open', 'submitted', 'expired']),
      ),
    )
  return { is: row.hasTooManyCards ? 'too-many-cards' : 'expired' }
}

/** SumUp never heard of it. Unless somebody opened it in this very moment, it is over. */
export async function closeUnknown(db: Db, row: CheckoutRow): Promise<Outcome> {
  await db
    .update(checkouts)
    .set({ state: 'expired', nextCheckAt: null, updatedAt: sql`now()` })
    .where(
      and(
        eq(checkouts.id, row.id),
        eq(checkouts.state, 'created'),
        isNull(checkouts.sumupCheckoutId),
      ),
    )
  return { is: 'expired' }
}

/** Money that does not fit is shown to the owner and touched by no code. */
export async function putInReview(
  db: Db,
  row: CheckoutRow,
  found: { reason: string } & Partial<Payment>,
): Promise<Outcome> {
  await db
    .update(checkouts)
    .set({
      state: 'review',
      reviewReason: found.reason,
      sumupTransactionId: found.transactionId ?? null,
      sumupTransactionCode: found.transactionCode ?? null,
      nextCheckAt: null,
      updatedAt: sql`now()`,
    })
    .where(and(eq(checkouts.id, row.id), ne(checkouts.state, 'paid')))
  return { is: 'review' }
}

/** Who did not buy is forgotten: what they typed is not kept beyond what a late payment could need. */
export async function forgetUnpaidDetails(db: Db): Promise<void> {
  await db
    .update(checkouts)
    .set({ details: null, visitor: null })
    .where(
      sql`${checkouts.state} = 'expired'
        and (${checkouts.details} is not null or ${checkouts.visitor} is not null)
        and ${checkouts.validUntil} < now() - make_interval(days => ${keepUnpaidDays})`,
    )
}
