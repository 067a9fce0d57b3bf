import { randomUUID } from 'node:crypto'
import type { CheckoutDetails, ProductAsSold } from '#contract/orders.ts'
import { countOrderSteps } from '#server/analytics/sale-figures.ts'
import { sql, type SQL } from '#server/db/drizzle.ts'
import type { Visitor } from '#server/db/analytics-schema.ts'
import type { OrderRow } from './orders.ts'

export type NewOrder = {
  product: ProductAsSold
  details: CheckoutDetails
  amount: string
  currency: string
  sumupCheckoutId: string | null
  sumupTransactionId: string | null
  visitor: Visitor | null
  /** An admin's id, or 'shop' for what happens by itself. */
  actor: string
  now: Date
}

/** The order that money taken becomes. */
export function newOrder(sale: NewOrder): OrderRow {
  const { product, details, amount, currency, now } = sale
  return {
    id: randomUUID(),
    productId: product.id,
    product,
    customerEmail: details.customerEmail ?? null,
    customerPhone: details.customerPhone ?? null,
    customerName: details.customerName ?? null,
    shippingAddress: details.shippingAddress,
    billingAddress: details.billingAddress ?? null,
    quantity: 1,
    amount,
    currency,
    status: 'pending',
    sumupCheckoutId: sale.sumupCheckoutId,
    sumupTransactionId: sale.sumupTransactionId,
    paymentMethod: 'card',
    acceptsNewsAt: details.acceptsNews ? now : null,
    refundedAmount: '0.00',
    chargedBackAt: null,
    createdAt: now,
    updatedAt: now,
  }
}

/**
 * Everything that follows from an order, as steps of the statement that ends its sale: the order, its timeline, its
 * mails, its figures. Where the step `changed` has no row, nothing of it happens.
 */
export function bookingSteps(order: OrderRow, sale: NewOrder, changed: SQL): SQL[] {
  const booked = sql`booked`
  return [
    sql`booked as (
      insert into orders (id, product_id, product, customer_email, customer_phone, customer_name, shipping_address,
        billing_address, quantity, amount, currency, status, sumup_checkout_id, sumup_transaction_id,
        payment_method, accepts_news_at, created_at, updated_at)
      select ${order.id}::uuid, ${order.productId}::uuid, ${JSON.stringify(order.product)}::jsonb,
        ${order.customerEmail}, ${order.customerPhone}, ${order.customerName},
        ${JSON.stringify(order.shippingAddress)}::jsonb,
        ${order.billingAddress && JSON.stringify(order.billingAddress)}::jsonb,
        ${order.quantity}::int, ${order.amount}::numeric, ${order.currency}, ${order.status},
        ${order.sumupCheckoutId}, ${order.sumupTransactionId}, ${order.paymentMethod},
        ${order.acceptsNewsAt?.toISOString() ?? null}::timestamptz,
        ${order.createdAt.toISOString()}::timestamptz, ${order.updatedAt.toISOString()}::timestamptz
      from ${changed}
      returning id, customer_email)`,
    sql`placed as (
      insert into order_timeline (order_id, actor, event, to_status)
      select id, ${sale.actor}, 'placed', 'pending' from ${booked})`,
    sql`letters as (
      insert into mails (order_id, kind)
      select id, 'confirmation' from ${booked} where customer_email is not null
      union all select id, 'new-sale' from ${booked})`,
    ...countOrderSteps(order, sale.visitor, booked),
  ]
}
