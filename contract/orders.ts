import type { CurrencyCode } from './currencies.ts'
import type { OrderStatus } from './order-statuses.ts'

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
  customerEmail?: string
  customerName?: string
  customerPhone?: string
  shippingAddress: Address
  billingAddress?: Address
  acceptsNews: boolean
}

/** What of a product an order shows. */
export type OrderedProduct = Pick<
  ProductAsSold,
  'id' | 'name' | 'imageUrl' | 'description' | 'headerLogoUrl' | 'headerName'
>

/** An order as its buyer sees it. Strangers who know the number see it with the personal parts masked or left out. */
export type PublicOrder = {
  id: string
  productId: string
  product: OrderedProduct
  quantity: number
  amount: string
  currency: string
  status: OrderStatus
  paymentMethod: string | null
  customerEmail: string | null
  createdAt: string
  /** What was given back of it, as a decimal string. */
  refundedAmount: string
  /** Whether the parts below are all there. */
  isOwn: boolean
  customerName?: string | null
  customerPhone?: string | null
  shippingAddress: Partial<Address> & { country: string }
  billingAddress?: Address | null
}
