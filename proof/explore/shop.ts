import { formatCents } from '#contract/money.ts'
import type { CheckoutDetails, ProductAsSold } from '#contract/orders.ts'
import type { Entry } from '#server/payments/case.ts'
import type { Payment } from '#server/payments/payment.ts'
import { currency, priceCents } from './sumup.ts'

/** What is sold, to whom, and what an owner sees of it. */

export const product: ProductAsSold = {
  id: 'p',
  name: 'Mug',
  price: formatCents(priceCents),
  currency,
  description: null,
  imageUrl: null,
  headerLogoUrl: '',
  headerName: null,
}

/** Hashes of the only browser, and of its address. */
export const buyerTokenHash = 'b'.repeat(64)
export const addressKey = 'a'.repeat(64)

export const details: CheckoutDetails = {
  customerEmail: 'anna@example.com',
  shippingAddress: {
    country: 'Germany',
    firstName: 'Anna',
    lastName: 'Muster',
    address: 'Weg 1',
    city: 'Berlin',
    postcode: '10115',
  },
  acceptsNews: false,
}

/** A review entry as an owner's browser shows it, or the payment of an order, which has no entry. */
export type Screen = {
  caseId: string
  entryId: string
  orderId?: string
  version: string
  payment: Pick<Payment, 'id' | 'amount' | 'status' | 'refunded' | 'chargedBack'> | null
  canOrder: boolean
  canRefund: boolean
  canDismiss: boolean
  state: Entry['state']
}
