import { z } from 'zod'
import type { AdminOrder, CheckoutDetails, OrderEvent } from './orders.ts'

/** The customer whose data is exported or erased. Upper and lower case are the same. */
export const customerSchema = z.object({
  email: z.string().trim().max(255).pipe(z.email('Enter a valid email address')),
})

/** Everything stored about one e-mail address. */
export type CustomerData = {
  email: string
  exportedAt: string
  orders: (AdminOrder & {
    /** Without the names of admins. */
    timeline: Omit<OrderEvent, 'who'>[]
    mails: { kind: string; createdAt: string; sentAt: string | null; givenUpAt: string | null }[]
    /** What analytics knows about the visits that led to the order. */
    events: CustomerEvent[]
  })[]
  /** What was typed on the checkout page, whether or not it became an order. */
  checkouts: {
    id: string
    createdAt: string
    product: string
    amount: string
    currency: string
    state: string
    details: CheckoutDetails | null
    visitor: object | null
    transactionCode: string | null
    reviewReason: string | null
    note: string | null
  }[]
  /** Payments without a sale that belong to these orders or checkouts. */
  payments: {
    reason: string
    state: string
    amount: string
    currency: string
    paidAt: string
    transactionCode: string | null
    note: string | null
  }[]
  /** When the customer agreed to news and offers. */
  consents: { orderId: string; newsAndOffersAt: string }[]
}

export type CustomerEvent = {
  type: string
  at: string
  address: string | null
  country: string | null
  city: string | null
  device: string | null
  browser: string | null
  os: string | null
  referrer: string | null
}

/** What an erasure did, and what is left. */
export type ErasedCustomer = {
  /** Kept for the books. */
  orders: {
    id: string
    createdAt: string
    product: string
    amount: string
    currency: string
    country: string
    sumupTransactionId: string | null
  }[]
  checkouts: number
  /** In sentences: what remains, and until when. */
  remains: string[]
}
