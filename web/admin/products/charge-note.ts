import { isPrice, formatMoney } from '#contract/money.ts'
import type { CustomDomain } from '#contract/products.ts'

type ChargeNoteInput = {
  price: string
  currency: string
  paymentCurrency: CustomDomain['paymentCurrency']
}

/** What must be said where buyers are charged in another currency than the price is written in. */
export function maybeChargeNote(input: ChargeNoteInput): string | undefined {
  const { price, currency, paymentCurrency } = input
  if (paymentCurrency === 'product' || paymentCurrency === currency) return undefined
  if (!isPrice(price))
    return `Buyers are charged in ${paymentCurrency}: the price counts in ${paymentCurrency} at checkout, not in ${currency}.`
  return `Buyers are charged in ${paymentCurrency}: this product will cost ${formatMoney(price, paymentCurrency)} at checkout, not ${formatMoney(price, currency)}.`
}
