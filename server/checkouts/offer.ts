import { hasCents, type CurrencyCode } from '#contract/currencies.ts'
import { isPrice, toCents } from '#contract/money.ts'
import type { ProductAsSold } from '#contract/orders.ts'
import {
  isPlain,
  quote,
  type DeliverySettings,
  type DeliveryWish,
  type Discount,
  type Terms,
} from '#contract/quotes.ts'
import { Refusal } from '#contract/refusals.ts'
import type { PaymentCurrency } from '#contract/shop-settings.ts'
import type { ProductVersion } from '#server/catalog/products.ts'
import type { Visitor } from '#server/db/analytics-schema.ts'

export type Charge = { amount: string; currency: CurrencyCode }

/** What a product alone costs. */
export function chargeFor(
  product: { price: string; currency: CurrencyCode },
  paymentCurrency: PaymentCurrency,
): Charge {
  const currency = paymentCurrency === 'product' ? product.currency : paymentCurrency
  return { amount: product.price, currency }
}

/** What is charged for a product that goes somewhere, and what that is agreed for. */
export type Price = Pick<Offer, 'charge' | 'terms'>

/** The only place where a price becomes a charge. Without a price: why there is none. */
export function priceFor(
  product: { price: string; currency: CurrencyCode },
  paymentCurrency: PaymentCurrency,
  { delivery, discount }: { delivery: DeliverySettings; discount: Discount | null },
  wish: DeliveryWish,
): Price | 'country-needed' | 'not-delivered' {
  const { amount: price, currency } = chargeFor(product, paymentCurrency)
  const quoted = quote({ price, hasCents: hasCents(currency), discount, delivery }, wish)
  if (typeof quoted === 'string') return quoted
  const { amount, terms } = quoted
  // Nor can the database keep it.
  if (!isPrice(amount)) throw new Refusal('price-not-payable')
  return { charge: { amount, currency }, terms: isPlain(terms) ? null : terms }
}

/** The browser must have shown the amount that will be charged. */
export function assertSameCharge(
  charge: Charge,
  shown: { amount: string; currency: string },
): void {
  const isSame =
    toCents(charge.amount) === toCents(shown.amount) && charge.currency === shown.currency
  if (!isSame) throw new Refusal('price-changed')
}

export function hasForbiddenCents({ amount, currency }: Charge): boolean {
  return !hasCents(currency) && toCents(amount) % 100 !== 0
}

/** A price with cents is not rounded in a currency without them, and an account has only one currency. */
export function assertChargeable(charge: Charge, accountCurrency: string | undefined): void {
  if (hasForbiddenCents(charge)) throw new Refusal('price-without-cents')
  if (accountCurrency !== undefined && accountCurrency !== charge.currency)
    throw new Refusal('price-not-payable')
}

/** What a buyer is offered, and to whom. */
export type Offer = {
  product: ProductAsSold
  /** As the product was read: if it is no longer so, the offer is not valid. */
  productVersion: ProductVersion
  /** Of what the page shows. */
  shownVersion: string
  charge: Charge
  /** What the charge was agreed for; null where it is the product's price, wherever it goes. */
  terms: Terms | null
  /** The code among the terms. */
  discountCodeId?: string | null
  buyerTokenHash: string
  addressKey: string
  merchantCode: string
  /** Whether the account takes no money. */
  isTest: boolean
  visitor: Visitor
  /** Of the checkout page, where some ways to pay leave it. */
  returnUrl?: string | undefined
}

/** How long a checkout is valid. */
export const validMinutes = 30
/** When the sweep checks whether SumUp received the checkout at all. */
export const firstCheckSeconds = 30
