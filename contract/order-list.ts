import type { Address, OrderedProduct } from './orders.ts'
import type { OrderStatus } from './order-statuses.ts'

/** An order as the back-office reads it, with the product as it was sold. */
export type AdminOrder = {
  id: string
  productId: string
  product: OrderedProduct
  customerEmail: string | null
  customerPhone: string | null
  customerName: string | null
  shippingAddress: Address
  billingAddress: Address | null
  quantity: number
  amount: string
  currency: string
  status: OrderStatus
  sumupCheckoutId: string | null
  sumupTransactionId: string | null
  paymentMethod: string | null
  /** When the buyer asked for news and offers. */
  acceptsNewsAt: string | null
  /** An order of the same person for the same thing at the same price, shortly before this one. */
  maybeDuplicateOf: string | null
  /** What was given back of it, as a decimal string. */
  refundedAmount: string
  /** When the buyer's bank took the money back. */
  chargedBackAt: string | null
  createdAt: string
  updatedAt: string
}

/** The page after this one, in answers of GET /api/orders; absent on the last page. */
export const nextCursorHeader = 'x-next-cursor'

/** What the order was before, in answers to a change of its status: what undo gives it back. */
export const statusBeforeHeader = 'x-status-before'

/** Orders per status. */
export type OrderCounts = Record<OrderStatus, number>

/** Enough of an order to select it: what bulk actions change, and what undo restores. */
export type OrderMark = { id: string; status: OrderStatus }

/** What happened to an order. */
export type OrderEvent = {
  /** An admin's e-mail, or 'Shop' for what happens by itself. */
  who: string
  at: string
  /** placed, status, refunded or charged-back */
  event: string
  from: OrderStatus | null
  to: OrderStatus | null
  /** What was refunded or charged back. */
  amount: string | null
}

export const orderPageSize = { usual: 50, most: 200 } as const
export const longestSearch = 200
