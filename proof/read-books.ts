import { checkouts, mails, orders, strayPayments } from '#server/db/schema.ts'
import type { Books } from './check-history.ts'
import { countFaults } from './fault-plan.ts'
import { findMiscounted } from './find-miscounted.ts'
import type { Stage } from './stage.ts'
import { isCharged } from './statements.ts'

/** The provider's book of payments and the shop's book of orders, side by side. */
export async function readBooks({ kind, db, sumup }: Stage): Promise<Books> {
  const { transactions } = await sumup.books()
  const { rules } = await sumup.faults()
  return {
    payments: transactions
      .filter(isCharged)
      .map(({ id, checkoutId, reference, amountMinor, currency, refunds }) => ({
        id,
        checkoutId,
        reference,
        amountMinor,
        refundedMinor: refunds.reduce((sum, refund) => sum + refund.amountMinor, 0),
        currency,
      })),
    attempts: transactions.map(({ id, checkoutId, status, createdAt, changedAt }) => ({
      id,
      checkoutId,
      status,
      createdAt,
      changedAt,
    })),
    orders: await db.select().from(orders),
    mails: await db.select({ orderId: mails.orderId, kind: mails.kind }).from(mails),
    ledger: await db
      .select({
        id: checkouts.id,
        sumupCheckoutId: checkouts.sumupCheckoutId,
        state: checkouts.state,
        reviewReason: checkouts.reviewReason,
      })
      .from(checkouts),
    strays: await db
      .select({
        sumupTransactionId: strayPayments.sumupTransactionId,
        reason: strayPayments.reason,
      })
      .from(strayPayments),
    lies: countFaults(rules).lies,
    // The naive shop counts nothing.
    miscounted: kind === 'naive' ? [] : await findMiscounted(db),
  }
}
