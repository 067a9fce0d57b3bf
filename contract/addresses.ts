import { type CountryCode, countryCodes, findCountry, listCodes } from './world-countries.ts'

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

/**
 * How town, state and postcode stand in an address. `before`: '10115 Berlin'. `after`: 'Auckland 1010'. `beside`: 'Ottawa ON
 * K1A 0B1'. `all-before`: '00118 Roma RM'. `below`: each on a line of its own.
 */
type TownLines = 'before' | 'after' | 'beside' | 'all-before' | 'below'

const townLines: Record<Exclude<TownLines, 'before'>, ReadonlySet<CountryCode>> = {
  after: listCodes('BD BH BN GE IL IN JO KH LA LB LV MM MN NG NP NZ PG PK SA SG'),
  beside: listCodes('AS AU CA CO GU ID JP MP PR TH TW US VI VN'),
  'all-before': listCodes('ES IT MX SM TR VA'),
  below: listCodes('BM BR EG FK GB GG GI IE IM JE KE KR KY LK RU SH TC UA VG ZA'),
}

function findTownLines(country: string): TownLines {
  const known = findCountry(country)
  const code = known && countryCodes[known]
  if (code)
    for (const lines of ['after', 'beside', 'all-before', 'below'] as const)
      if (townLines[lines].has(code)) return lines
  return 'before'
}
