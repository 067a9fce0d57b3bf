import {
  isSent,
  orderStatuses,
  type AdminOrder,
  type OrderedProduct,
  type OrderStatus,
  type PublicOrder,
} from '#contract/orders.ts'
import { orderedProduct } from '#contract/answers/products.ts'
import type { OrderRow } from '#server/db/schema.ts'
import { pickFields } from '#server/pick-fields.ts'
import type { UnnumberedOrder } from './paid-order.ts'

/** What was over when the order was paid. */
type Flag = 'isOversold' | 'isCodeOverused' | 'isChoiceMissing'

/** A row of listAdminOrders. */
export type ListedOrder = Omit<
  AdminOrder,
  'product' | 'status' | Flag | 'isPickup' | 'terms' | 'note'
> &
  Pick<OrderRow, 'product' | 'status' | Flag | 'terms' | 'buyerNote'>

/** For admins: every field. */
export function showAdminOrder(order: ListedOrder): AdminOrder {
  return {
    id: order.id,
    number: order.number,
    productId: order.productId,
    product: showProduct(order),
    customerEmail: order.customerEmail,
    customerPhone: order.customerPhone,
    customerName: order.customerName,
    shippingAddress: order.shippingAddress,
    billingAddress: order.billingAddress,
    quantity: order.quantity,
    amount: order.amount,
    currency: order.currency,
    ...(order.terms && { terms: order.terms }),
    status: parseStatus(order.status),
    sumupCheckoutId: order.sumupCheckoutId,
    sumupTransactionId: order.sumupTransactionId,
    paymentMethod: order.paymentMethod,
    shipment: order.shipment,
    acceptsNewsAt: order.acceptsNewsAt,
    maybeDuplicateOf: order.maybeDuplicateOf,
    refundedAmount: order.refundedAmount,
    chargedBackAmount: order.chargedBackAmount,
    withdrawnAt: order.withdrawnAt,
    erasedAt: order.erasedAt,
    isTest: order.isTest,
    ...(order.isOversold && { isOversold: true as const }),
    ...(order.isCodeOverused && { isCodeOverused: true as const }),
    ...(order.isChoiceMissing && { isChoiceMissing: true as const }),
    ...(order.terms?.isPickup && { isPickup: true as const }),
    ...showNote(order),
    createdAt: order.createdAt,
    updatedAt: order.updatedAt,
  }
}

/** For the buyer, known by their cookie or by the link in their mail. */
export function showOwnOrder(order: UnnumberedOrder): PublicOrder {
  return {
    ...showMaskedOrder(order),
    isOwn: true,
    ...(order.terms && { terms: order.terms }),
    customerEmail: order.customerEmail,
    customerName: order.customerName,
    customerPhone: order.customerPhone,
    shippingAddress: order.shippingAddress,
    billingAddress: order.billingAddress,
    // A status may be taken back.
    shipment: isSent(order) ? order.shipment : null,
    ...showNote(order),
  }
}

function showNote({ buyerNote }: Pick<OrderRow, 'buyerNote'>): { note?: string } {
  return buyerNote === null ? {} : { note: buyerNote }
}

/** For anyone who knows the order's id. */
export function showMaskedOrder(order: UnnumberedOrder): PublicOrder {
  return {
    id: order.id,
    productId: order.productId,
    product: showProduct(order),
    quantity: order.quantity,
    amount: order.amount,
    currency: order.currency,
    // The code may be meant for the buyer alone.
    ...(order.terms && { terms: { ...order.terms, code: null } }),
    status: parseStatus(order.status),
    paymentMethod: order.paymentMethod,
    customerEmail: order.customerEmail && maskEmail(order.customerEmail),
    createdAt: order.createdAt.toISOString(),
    refundedAmount: order.refundedAmount,
    chargedBackAmount: order.chargedBackAmount,
    isPaid: order.isPaid,
    isTest: order.isTest,
    isOwn: false,
    ...(order.terms?.isPickup && { isPickup: true as const }),
    shippingAddress: { country: order.shippingAddress.country },
  }
}

function showProduct({ product }: Pick<OrderRow, 'product'>): OrderedProduct {
  return pickFields(orderedProduct, product)
}

/** anna@example.com becomes a•••@e•••.com: enough to recognize one's own address. */
function maskEmail(email: string): string {
  const [name = '', domain = ''] = email.split('@')
  const end = domain.includes('.') ? domain.slice(domain.lastIndexOf('.')) : ''
  return `${name.slice(0, 1)}•••@${domain.slice(0, 1)}•••${end}`
}

export function parseStatus(status: string): OrderStatus {
  const known = orderStatuses.find((one) => one === status)
  if (!known) throw new Error(`unknown order status ${status}`)
  return known
}
