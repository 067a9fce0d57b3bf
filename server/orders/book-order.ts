import { countOrder } from '#server/analytics/sale-figures.ts'
import type { Db } from '#server/db/database.ts'
import { eq, sql } from '#server/db/drizzle.ts'
import { checkouts, mails, orders, orderTimeline } from '#server/db/schema.ts'
import type { CheckoutRow } from '#server/payments/ledger.ts'
import type { OrderRow } from './orders.ts'

/** Money taken becomes an order: everything that follows from it is in the caller's transaction, or nothing is. */
export async function bookOrder(
  tx: Db,
  row: CheckoutRow,
  payment: { transactionId: string; transactionCode: string | undefined },
): Promise<OrderRow> {
  const { details } = row
  if (!details || !row.sumupCheckoutId) throw new Error(`checkout ${row.id} cannot become an order`)
  const [order] = await tx
    .insert(orders)
    .values({
      productId: row.productId,
      product: row.product,
      customerEmail: details.customerEmail ?? null,
      customerName: details.customerName ?? null,
      customerPhone: details.customerPhone ?? null,
      shippingAddress: details.shippingAddress,
      billingAddress: details.billingAddress ?? null,
      quantity: 1,
      amount: row.amount,
      currency: row.currency,
      status: 'pending',
      sumupCheckoutId: row.sumupCheckoutId,
      sumupTransactionId: payment.transactionId,
      paymentMethod: 'card',
      acceptsNewsAt: details.acceptsNews ? sql`now()` : null,
    })
    .returning()
  if (!order) throw new Error('booking an order returned no row')
  await tx
    .insert(orderTimeline)
    .values({ orderId: order.id, actor: 'shop', event: 'placed', toStatus: 'pending' })
  await tx
    .insert(mails)
    .values([
      ...(order.customerEmail ? [{ orderId: order.id, kind: 'confirmation' }] : []),
      { orderId: order.id, kind: 'new-sale' },
    ])
  await tx
    .update(checkouts)
    .set({
      state: 'paid',
      sumupTransactionId: payment.transactionId,
      sumupTransactionCode: payment.transactionCode ?? null,
      nextCheckAt: null,
      lastError: null,
      visitor: null,
      updatedAt: sql`now()`,
    })
    .where(eq(checkouts.id, row.id))
  await countOrder(tx, order, row.visitor)
  return order
}
