import type { CurrencyCode } from '#contract/currencies.ts'
import { toCents } from '#contract/money.ts'
import { Refusal } from '#contract/refusals.ts'

export type Charge = { amount: string; currency: CurrencyCode }
export type PaymentCurrency = CurrencyCode | 'product'

/** What buying one of it costs. The only place where a price becomes a charge. */
export function chargeFor(
  product: { price: string; currency: CurrencyCode },
  paymentCurrency: PaymentCurrency,
): Charge {
  const currency = paymentCurrency === 'product' ? product.currency : paymentCurrency
  return { amount: product.price, currency }
}

/** The browser must have shown what will be charged; otherwise it is told to look again. */
export function requireSameCharge(
  charge: Charge,
  shown: { amount: string; currency: string },
): void {
  const same =
    toCents(charge.amount) === toCents(shown.amount) && charge.currency === shown.currency
  if (!same) throw new Refusal('price-changed')
}
