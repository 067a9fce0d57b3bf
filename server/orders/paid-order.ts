import { nothingReturned, type ReturnedMoney } from '#contract/returned-money.ts'
import { eq, sql } from '#server/db/drizzle.ts'
import { payments } from '#server/db/payment-schema.ts'
import { orders, type OrderRow } from '#server/db/schema.ts'

/** An order with what went back of its payment. */
export type PaidOrder = OrderRow & ReturnedMoney

/** For a left join: an order of the demonstration, or one that was restored, has no payment here. */
export const isPaymentOfOrder = eq(payments.transactionId, orders.sumupTransactionId)

/** What a statement with that join selects of the payment. */
export const returnedColumns = {
  refundedAmount: sql<string>`coalesce(${payments.refunded}, 0.00)`.as('returned_refunded'),
  chargedBackAmount: sql<string>`coalesce(${payments.chargedBack}, 0.00)`.as(
    'returned_charged_back',
  ),
}

/** What went back of a payment that was read by itself. */
export function readReturned(
  payment: Pick<typeof payments.$inferSelect, 'refunded' | 'chargedBack'> | null | undefined,
): ReturnedMoney {
  if (!payment) return nothingReturned
  return { refundedAmount: payment.refunded, chargedBackAmount: payment.chargedBack }
}
