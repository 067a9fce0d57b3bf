import type { Currency } from './records.ts'

const largestMinor = 99_999_999_99

/** SumUp takes a JSON number in major units, and has been seen to take "1.00" as well. */
export function toMinor(amount: unknown, currency: Currency): number | undefined {
  const number =
    typeof amount === 'string' && /^\d{1,10}(\.\d{1,2})?$/.test(amount) ? Number(amount) : amount
  if (typeof number !== 'number' || !Number.isFinite(number)) return undefined
  const scaled = number * 10 ** decimalsOf(currency)
  const minor = Math.round(scaled)
  // A float's dust (0.1 + 0.2) is no third decimal.
  if (Math.abs(scaled - minor) > 1e-4) return undefined
  return minor > 0 && minor <= largestMinor ? minor : undefined
}

/** The nearest float to the decimal: JSON prints it with exactly the decimals it has. */
export function toMajor(minor: number, currency: Currency): number {
  return minor / 10 ** decimalsOf(currency)
}

function decimalsOf(currency: Currency): number {
  return currency === 'CLP' ? 0 : 2
}
