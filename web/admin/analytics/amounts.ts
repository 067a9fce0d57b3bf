import { currencies } from '#contract/currencies.ts'

/** A sum of the summary, always with two decimals, in whole cents. Sums outgrow what a single price may be. */
export function sumInCents(sum: string): number {
  return Number(sum.replace('.', ''))
}

/** €1234.50 */
export function showSum(sum: string, currency: string): string {
  return `${symbolOf(currency)}${sum}`
}

export function symbolOf(currency: string): string {
  return currencies.find(({ code }) => code === currency)?.symbol ?? `${currency} `
}

export function showCentsAs(cents: number, currency: string): string {
  const digits = String(cents).padStart(3, '0')
  return showSum(`${digits.slice(0, -2)}.${digits.slice(-2)}`, currency)
}

/** 12.5%; the same number of decimals everywhere, so that they stand below each other. A dash is a share of nothing. */
export function showPercent(percent: number | undefined): string {
  return percent === undefined ? '–' : `${percent.toFixed(1)}%`
}

/** How many of a hundred, from 0 to 100; none of nothing. */
export function percentOf(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.min(100, (part * 100) / whole)
}
