import type { PublicOrder } from '#contract/orders.ts'
import { orderStatuses, type OrderStatus } from '#contract/order-statuses.ts'
import type { OrderRow } from './orders.ts'

/** What the buyer sees: by the cookie of their browser or by the link in their mail. */
export function showOwnOrder(order: OrderRow): PublicOrder {
  return {
    ...showAnyOrder(order),
    isOwn: true,
    customerEmail: order.customerEmail,
    customerName: order.customerName,
    customerPhone: order.customerPhone,
    shippingAddress: order.shippingAddress,
    billingAddress: order.billingAddress,
  }
}

/** What anyone sees who knows the order's number. */
export function showAnyOrder(order: OrderRow): PublicOrder {
  const { id, name, imageUrl, description, headerLogoUrl, headerName } = order.product
  return {
    id: order.id,
    productId: order.productId,
    product: { id, name, imageUrl, description, headerLogoUrl, headerName },
    quantity: order.quantity,
    amount: order.amount,
    currency: order.currency,
    status: knownStatus(order.status),
    paymentMethod: order.paymentMethod,
    customerEmail: order.customerEmail && maskEmail(order.customerEmail),
    createdAt: order.createdAt.toISOString(),
    refundedAmount: order.refundedAmount,
    isOwn: false,
    shippingAddress: { country: order.shippingAddress.country },
  }
}

/** anna@example.com becomes a•••@e•••.com: enough to know one's own, too little to learn another's. */
export function maskEmail(email: string): string {
  const [name = '', domain = ''] = email.split('@')
  const end = domain.includes('.') ? domain.slice(domain.lastIndexOf('.')) : ''
  return `${name.slice(0, 1)}•••@${domain.slice(0, 1)}•••${end}`
}

export function knownStatus(status: string): OrderStatus {
  const known = orderStatuses.find((one) => one === status)
  if (!known) throw new Error(`there is no status ${status}`)
  return known
}
