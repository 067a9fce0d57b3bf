import { nothingReturned, type ReturnedMoney } from '#contract/returned-money.ts'
import { eq, sql } from '#server/db/drizzle.ts'
import { payments } from '#server/db/payment-schema.ts'
import { orders, type OrderRow } from '#server/db/schema.ts'

/** What is known of an order's payment: what went back of it, and whether it was paid at all. */
export type OrderPayment = ReturnedMoney & {
  /** False where an admin created the order without a payment that SumUp has confirmed beyond doubt. */
  isPaid: boolean
}

/** An order with what is known of its payment. */
export type PaidOrder = OrderRow & OrderPayment
/** An order as it is made: the database gives it its number. */
export type UnnumberedOrder = Omit<PaidOrder, 'number'>

/** For a left join: an order of the demonstration, or one that was restored, has no payment here. */
export const isPaymentOfOrder = eq(payments.transactionId, orders.sumupTransactionId)

/** What a statement with the join above selects of the payment. */
export const paymentColumns = {
  refundedAmount: sql<string>`coalesce(${payments.refunded}, 0.00)`.as('returned_refunded'),
  chargedBackAmount: sql<string>`coalesce(${payments.chargedBack}, 0.00)`.as(
    'returned_charged_back',
  ),
  isPaid:
    sql<boolean>`(${orders.sumupTransactionId} is not null and ${payments.conflict} is null)`.as(
      'is_paid',
    ),
}

/** The same fields from a payment that was read by itself; undefined for an order that is created without one. */
export function describePayment(
  payment: Pick<typeof payments.$inferSelect, 'refunded' | 'chargedBack' | 'conflict'> | undefined,
): OrderPayment {
  if (!payment) return { ...nothingReturned, isPaid: false }
  const { refunded, chargedBack, conflict } = payment
  return { refundedAmount: refunded, chargedBackAmount: chargedBack, isPaid: conflict === null }
}
