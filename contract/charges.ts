import { formatMoney, isPrice } from './money.ts'
import type { PaymentCurrency } from './shop-settings.ts'

type Currencies = {
  paymentCurrency: PaymentCurrency
  /** What SumUp pays the account in; nothing in test mode, and while it is not known. */
  accountCurrency?: string | null | undefined
}

/** What is wrong if buyers are not charged the price as the product has it, and what to do about it. */
export function findCurrencyProblem(
  { price, currency }: { price: string; currency: string },
  { paymentCurrency, accountCurrency }: Currencies,
): { found: string; todo: string } | undefined {
  const charged = paymentCurrency === 'product' ? currency : paymentCurrency
  if (accountCurrency && charged !== accountCurrency)
    return {
      found: `Buyers would be charged in ${charged}, but your SumUp account is paid in ${accountCurrency}, so nobody can pay.`,
      todo:
        paymentCurrency === 'product'
          ? `Choose ${accountCurrency} as the currency of the product.`
          : `Choose ${accountCurrency} under Settings, SumUp.`,
    }
  if (charged === currency) return undefined
  const found = isPrice(price)
    ? `Buyers are charged in ${charged}: this product will cost ${formatMoney(price, charged)} at checkout, not ${formatMoney(price, currency)}.`
    : `Buyers are charged in ${charged}: the price counts in ${charged} at checkout, not in ${currency}.`
  // A known account takes no other currency.
  const wayOut = accountCurrency
    ? ''
    : ', or charge in the currency of each product (Settings, SumUp)'
  return { found, todo: `Choose ${charged} as the currency of the product${wayOut}.` }
}
