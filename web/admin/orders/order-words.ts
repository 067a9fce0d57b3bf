import { formatMoney, toCents } from '#contract/money.ts'
import type { Address, AdminOrder } from '#contract/orders.ts'

const shortIdLength = 8

/** What stands for an order where there is no room for all of its number. */
export function shortId(id: string): string {
  return `${id.slice(0, shortIdLength)}…`
}

/** Stands where nothing is known. */
export const missing = '–'

/** The name on a parcel. */
export function nameOf({ firstName, lastName }: Pick<Address, 'firstName' | 'lastName'>): string {
  return join(' ', firstName, lastName)
}

/** Where a parcel goes, without to whom: street, then city, then country. */
export function placeLines({ address, apartment, city, postcode, country }: Address): string[] {
  return [join(', ', address, apartment), join(', ', city, postcode), country].filter(Boolean)
}

/** An address whole, as it is written on a parcel. */
export function addressLines(address: Address): string[] {
  const { apartment, city, state, postcode, country, phone } = address
  return [
    nameOf(address),
    address.address,
    apartment ?? '',
    join(', ', city, join(' ', state, postcode)),
    country,
    phone ?? '',
  ].filter(Boolean)
}

function join(separator: string, ...parts: (string | undefined)[]): string {
  return parts.filter(Boolean).join(separator)
}

type Refundable = Pick<AdminOrder, 'amount' | 'currency' | 'refundedAmount' | 'chargedBackAt'>

export function hasRefund({ refundedAmount }: Refundable): boolean {
  return toCents(refundedAmount) > 0
}

/** '€10.00 of €49.00' */
export function refundedPart({ refundedAmount, amount, currency }: Refundable): string {
  return `${formatMoney(refundedAmount, currency)} of ${formatMoney(amount, currency)}`
}

/** What became of an order's money after it was paid, where anything did. */
export function maybeMoneyBack(order: Refundable): string | undefined {
  if (order.chargedBackAt) return 'Charged back'
  if (!hasRefund(order)) return undefined
  return toCents(order.refundedAmount) < toCents(order.amount) ? 'Partly refunded' : 'Refunded'
}
