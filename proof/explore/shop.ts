import type { Country } from '#contract/countries.ts'
import { formatCents } from '#contract/money.ts'
import type { CheckoutDetails, ProductAsSold } from '#contract/orders.ts'
import { quote, type DeliverySettings, type Terms } from '#contract/quotes.ts'
import type { Question, Payment } from '#server/payments/record.ts'
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

export function detailsFor(country: Country | undefined): CheckoutDetails {
  if (!country) return details
  return { ...details, shippingAddress: { ...details.shippingAddress, country } }
}

/** What delivery costs, in worlds where that depends on the country. Two of them cost the same. */
const delivery: DeliverySettings = {
  countries: ['Germany', 'Belgium', 'France'],
  prices: [
    { countries: ['Germany', 'Belgium'], price: '4.90', freeFrom: null },
    { countries: ['France'], price: '9.50', freeFrom: null },
  ],
  pickup: null,
}

/** Buyers go through them in turn. */
export function nextCountry(country: Country): Country {
  const { countries } = delivery
  return countries[(countries.indexOf(country) + 1) % countries.length] ?? country
}

/** What a page shows, and a form is opened for. Without a country: the price of the product, wherever it goes. */
export function priceOf(country: Country | undefined): {
  amount: string
  currency: typeof currency
  terms: Terms | null
} {
  const { price } = product
  if (!country) return { amount: price, currency, terms: null }
  const quoted = quote({ price, hasCents: true, discount: null, delivery }, { country })
  if (typeof quoted === 'string') throw new Error(quoted)
  return { ...quoted, currency }
}

/** A question as an owner's browser shows it, or the payment of an order, which has no question. */
export type Screen = {
  recordId: string
  questionId: string
  orderId?: string
  version: string
  payment: Pick<Payment, 'id' | 'amount' | 'status' | 'refunded' | 'chargedBack'> | null
  canOrder: boolean
  canRefund: boolean
  canDismiss: boolean
  state: Question['state']
}
