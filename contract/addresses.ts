import type { Country } from './countries.ts'

/** The parts of an address that stand on a parcel. A buyer's page may know the country alone. */
export type PostalAddress = {
  country: string
  firstName?: string | undefined
  lastName?: string | undefined
  address?: string | undefined
  apartment?: string | undefined
  city?: string | undefined
  state?: string | undefined
  postcode?: string | undefined
}

/** The lines of an address in the order its country's post expects. Last the country, as the reader names it. */
export function formatAddress(given: PostalAddress, countryName = given.country): string[] {
  const { firstName, lastName, address, apartment } = given
  return [joinParts(firstName, lastName), address, apartment, ...formatTown(given), countryName]
    .map((line) => line?.replaceAll(/\s+/g, ' ').trim() ?? '')
    .filter((line) => line !== '')
}

export function isSameAddress(one: PostalAddress, other: PostalAddress): boolean {
  return formatAddress(one).join('\n') === formatAddress(other).join('\n')
}

/** The billing address, unless it is the delivery address once more. */
export function findOtherBilling<Known extends PostalAddress>(order: {
  shippingAddress: PostalAddress
  billingAddress?: Known | null
}): Known | undefined {
  const { shippingAddress, billingAddress } = order
  if (!billingAddress || isSameAddress(shippingAddress, billingAddress)) return undefined
  return billingAddress
}

/** British and Canadian postcodes are written in capitals, however they were typed. */
export function formatPostcode(country: string, postcode: string): string {
  return country === 'United Kingdom' || country === 'Canada' ? postcode.toUpperCase() : postcode
}

function formatTown({
  country,
  city,
  state,
  postcode: typed,
}: PostalAddress): (string | undefined)[] {
  const postcode = formatPostcode(country, typed ?? '')
  // A country the shop no longer delivers to is written like most of Europe writes it.
  switch (country as Country) {
    case 'United States':
      return [joinParts(city && `${city},`, state, postcode)]
    case 'Canada':
      return [joinParts(city, state, postcode)]
    case 'United Kingdom':
      return [city, state, postcode]
    case 'Italy':
      return [joinParts(postcode, city, state)]
    case 'Belgium':
    case 'France':
    case 'Germany':
    case 'Netherlands':
    default:
      return [joinParts(postcode, city), state]
  }
}

function joinParts(...parts: (string | undefined)[]): string {
  return parts.filter(Boolean).join(' ')
}
