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

export const details = { customerEmail: 'a@example.com' } as unknown as CheckoutDetails

/** A review entry as an owner's browser shows it. */
export type Screen = {
  caseId: string
  entryId: string
  version: string
  payment: Pick<Payment, 'id' | 'amount' | 'status' | 'refunded' | 'chargedBack'> | null
  canOrder: boolean
  canRefund: boolean
  state: Entry['state']
}
