import { currencies } from '#contract/currencies.ts'

/** €1,234.50. A sum always has two decimals, and may exceed the largest price that `toCents` accepts. */
export function formatSum(sum: string, currency: string): string {
  const [whole, decimals] = sum.split('.')
  return `${currencySymbol(currency)}${Number(whole).toLocaleString('en-US')}.${decimals}`
}

export function currencySymbol(currency: string): string {
  return currencies.find(({ code }) => code === currency)?.symbol ?? `${currency} `
}
