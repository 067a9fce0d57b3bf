import { findTownLines } from './address-forms.ts'

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

const countriesWithLetters = [
  'Canada',
  'Gibraltar',
  'Guernsey',
  'Ireland',
  'Isle of Man',
  'Jersey',
  'United Kingdom',
]

/** Postcodes with letters are written in capitals, however they were typed. */
export function formatPostcode(country: string, postcode: string): string {
  return countriesWithLetters.includes(country) ? postcode.toUpperCase() : postcode
}

function formatTown(given: PostalAddress): (string | undefined)[] {
  const { country, city, state } = given
  const postcode = formatPostcode(country, given.postcode ?? '')
  switch (findTownLines(country)) {
    case 'before':
      return [joinParts(postcode, city), state]
    case 'after':
      return [joinParts(city, postcode), state]
    case 'beside':
      return [joinParts(country === 'United States' ? city && `${city},` : city, state, postcode)]
    case 'all-before':
      return [joinParts(postcode, city, state)]
    case 'below':
      return [city, state, postcode]
  }
}

function joinParts(...parts: (string | undefined)[]): string {
  return parts.filter(Boolean).join(' ')
}
