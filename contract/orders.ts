import type { CurrencyCode } from './currencies.ts'

export type Address = {
  country: string
  firstName?: string
  lastName: string
  address: string
  apartment?: string
  city: string
  state?: string
  postcode: string
  phone?: string
}

/** The product as it stood when it was sold; later edits do not reach an order. */
export type ProductAsSold = {
  id: string
  name: string
  price: string
  currency: CurrencyCode
  description: string | null
  imageUrl: string | null
  headerLogoUrl: string
  headerName: string | null
}

/** What the buyer typed, kept on the ledger before any card is submitted. */
export type CheckoutDetails = {
  customerEmail: string
  customerName: string
  customerPhone?: string
  shippingAddress: Address
  billingAddress?: Address
  acceptsNews: boolean
}
