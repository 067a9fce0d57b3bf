import type { Address } from '#contract/orders.ts'
import { oneLine } from './one-line.ts'

/** An address as it is written on a parcel. */
export function addressLines(given: Address): string[] {
  return [
    [given.firstName, given.lastName],
    [given.address],
    [given.apartment],
    ...townLines(given),
    [given.country],
  ]
    .map((parts) => oneLine(parts.filter(Boolean).join(' ')))
    .filter((line) => line !== '')
}

export function isSameAddress(one: Address, other: Address): boolean {
  return addressLines(one).join('\n') === addressLines(other).join('\n')
}

function townLines({ country, city, state, postcode }: Address): (string | undefined)[][] {
  switch (country) {
    case 'United States':
    case 'Canada':
      return [[`${city},`, state, postcode]]
    case 'United Kingdom':
      return [[city], [state], [postcode]]
    default:
      return [[postcode, city], [state]]
  }
}
