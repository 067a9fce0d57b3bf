import { currencies } from './currencies.ts'

/** Digits with up to two decimals. */
export const pricePattern = /^\d+(\.\d{1,2})?$/

/** numeric(10,2) holds eight digits before the point: what is charged has no more. */
const maxWholeDigits = 8

export const minPrice = '0.01'

export function isPrice(text: string): boolean {
  return pricePattern.test(text) && (text.split('.')[0] ?? '').length <= maxWholeDigits
}

/** '10.5' and '10.50' are both 1050. A sum may be longer than a price. */
export function toCents(amount: string): number {
  const [whole = '0', decimals = ''] = amount.split('.')
  const cents = Number(whole) * 100 + Number(decimals.padEnd(2, '0'))
  if (!pricePattern.test(amount) || !Number.isSafeInteger(cents))
    throw new Error(`not an amount: ${JSON.stringify(amount)}`)
  return cents
}

/** Cents as the decimal string of the API and the database. */
export function formatCents(cents: number): string {
  if (!Number.isSafeInteger(cents) || cents < 0) throw new Error(`not an amount in cents: ${cents}`)
  return `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`
}

/** The part of a price that is VAT at this rate, in percent: '119.00' at '19' has '19.00'. */
export function includedVat(price: string, rate: string): string {
  // In whole hundredths of a percent: no fractions before the one division.
  const hundredths = Math.round(Number(rate) * 100)
  return formatCents(Math.round((toCents(price) * hundredths) / (10_000 + hundredths)))
}

/** Always with cents, also in currencies that are usually written without: what is charged may have some. */
function formatInLocale(amount: string, currency: string, locale: string): string {
  const isKnown = currencies.some(({ code }) => code === currency)
  const look = isKnown ? ({ style: 'currency', currency } as const) : {}
  const format = new Intl.NumberFormat(locale, {
    ...look,
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
  })
  const formatted = format.format(Number(amount))
  return isKnown ? formatted : `${formatted} ${currency}`
}

/**
 * Symbol and two decimals, without separators: €1234.50; in other languages as they write it: 1.234,50 €. An unknown currency
 * is shown by its code. Sums may be larger than the largest price.
 */
export function formatMoney(amount: string, currency: string, locale = 'en-GB'): string {
  if (!pricePattern.test(amount)) throw new Error(`not an amount: ${JSON.stringify(amount)}`)
  if (!locale.startsWith('en')) return formatInLocale(amount, currency, locale)
  const [whole, decimals = ''] = amount.split('.')
  return `${currencySymbol(currency)}${whole}.${decimals.padEnd(2, '0')}`
}

/** An unknown currency has none, so its code stands there. */
export function currencySymbol(currency: string): string {
  return currencies.find(({ code }) => code === currency)?.symbol ?? `${currency} `
}
