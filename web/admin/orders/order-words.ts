import type { Address } from '#contract/orders.ts'

const shortIdLength = 8

/** What stands for an order where there is no room for all of its number. */
export function shortId(id: string): string {
  return `${id.slice(0, shortIdLength)}…`
}

/** Stands where nothing is known. */
export const missing = '–'

/** The name on a parcel. */
function nameOf({ firstName, lastName }: Pick<Address, 'firstName' | 'lastName'>): string {
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
