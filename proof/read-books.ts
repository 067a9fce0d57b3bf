import { checkouts, mails, orders } from '#server/db/schema.ts'
import type { Books } from './check-history.ts'
import { countFaults } from './fault-plan.ts'
import { findMiscounted } from './find-miscounted.ts'
import type { Stage } from './stage.ts'

/** The provider's book of payments and the shop's book of orders, side by side. */
export async function readBooks({ kind, db, sumup }: Stage): Promise<Books> {
  const { transactions } = await sumup.books()
  const { rules } = await sumup.faults()
  return {
    payments: transactions
      .filter(({ status }) => status === 'SUCCESSFUL')
      .map(({ id, checkoutId, reference, amountMinor, currency }) => ({
        id,
        checkoutId,
        reference,
        amountMinor,
        currency,
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
    lies: countFaults(rules).lies,
    // The naive shop counts nothing.
    miscounted: kind === 'naive' ? [] : await findMiscounted(db),
  }
}
