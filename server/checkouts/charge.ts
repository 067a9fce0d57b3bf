import type { CurrencyCode } from '#contract/currencies.ts'
import { toCents } from '#contract/money.ts'
import { Refusal } from '#contract/refusals.ts'
import type { PaymentCurrency } from '#server/sumup/account.ts'

export type Charge = { amount: string; currency: CurrencyCode }

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

/** Of what SumUp takes, the one currency without cents. */
const withoutCents: CurrencyCode[] = ['CLP']

/**
 * A price of 10.50 cannot be paid where there are no cents; rounding it would be another price. An account is paid in
 * one currency, so a price in another cannot be paid at all.
 */
export function requireChargeable(
  { amount, currency }: Charge,
  accountCurrency: string | undefined,
): void {
  if (withoutCents.includes(currency) && toCents(amount) % 100 !== 0)
    throw new Refusal('price-without-cents')
  if (accountCurrency !== undefined && accountCurrency !== currency)
    throw new Refusal('price-not-payable')
}
