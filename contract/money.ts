import { currencies } from './currencies.ts'

/** Digits with an optional one or two decimals: how a price is written everywhere. */
export const pricePattern = /^\d+(\.\d{1,2})?$/

/** numeric(10,2) holds eight digits before the point. */
const mostWholeDigits = 8

export const smallestPrice = '0.01'

/** Written as a price, and not more than one can hold. */
export function isPrice(text: string): boolean {
  return pricePattern.test(text) && (text.split('.')[0] ?? '').length <= mostWholeDigits
}

/** Money is whole cents in arithmetic; '10.5' and '10.50' are both 1050. */
export function toCents(price: string): number {
  if (!isPrice(price)) throw new Error(`not a price: ${JSON.stringify(price)}`)
  const [whole = '0', decimals = ''] = price.split('.')
  return Number(whole) * 100 + Number(decimals.padEnd(2, '0'))
}

/** Cents as the decimal string that goes over the wire and into the database. */
export function formatCents(cents: number): string {
  if (!Number.isSafeInteger(cents) || cents < 0) throw new Error(`not an amount in cents: ${cents}`)
  return `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`
}

/** The symbol before the number, two decimals: €49.00. An unknown code stands for itself. */
export function formatMoney(price: string, currency: string): string {
  const symbol = currencies.find(({ code }) => code === currency)?.symbol ?? `${currency} `
  return `${symbol}${formatCents(toCents(price))}`
}
