import type { CurrencyCode } from '#contract/currencies.ts'
import { toCents } from '#contract/money.ts'
import { Refusal } from '#contract/refusals.ts'
import type { PaymentCurrency } from '#contract/shop-settings.ts'

export type Charge = { amount: string; currency: CurrencyCode }

/** The only place where a price becomes a charge. */
export function chargeFor(
  product: { price: string; currency: CurrencyCode },
  paymentCurrency: PaymentCurrency,
): Charge {
  const currency = paymentCurrency === 'product' ? product.currency : paymentCurrency
  return { amount: product.price, currency }
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

/** The only currency of SumUp without cents. */
const withoutCents: CurrencyCode[] = ['CLP']

/** A price with cents is not rounded in a currency without them, and an account has only one currency. */
export function assertChargeable(
  { amount, currency }: Charge,
  accountCurrency: string | undefined,
): void {
  if (withoutCents.includes(currency) && toCents(amount) % 100 !== 0)
    throw new Refusal('price-without-cents')
  if (accountCurrency !== undefined && accountCurrency !== currency)
    throw new Refusal('price-not-payable')
}
