import type { countryCodes } from './world-countries.ts'

/** Any country of the world, by the English name that addresses store. Its type alone: the script of the checkout carries no list. */
export type Country = keyof typeof countryCodes

/** Where a shop delivers to until its owner chooses otherwise, in the order the list shows them. */
export const countries = [
  'Belgium',
  'Canada',
  'France',
  'Germany',
  'Italy',
  'Netherlands',
  'United Kingdom',
  'United States',
] as const satisfies Country[]

/** The 27 members of the European Union, and those of their regions that have a country code of their own. */
const euCountries: readonly Country[] = [
  'Austria',
  'Belgium',
  'Bulgaria',
  'Croatia',
  'Cyprus',
  'Czechia',
  'Denmark',
  'Estonia',
  'Finland',
  'France',
  'Germany',
  'Greece',
  'Hungary',
  'Ireland',
  'Italy',
  'Latvia',
  'Lithuania',
  'Luxembourg',
  'Malta',
  'Netherlands',
  'Poland',
  'Portugal',
  'Romania',
  'Slovakia',
  'Slovenia',
  'Spain',
  'Sweden',
  'Åland Islands',
  'French Guiana',
  'Guadeloupe',
  'Martinique',
  'Mayotte',
  'Réunion',
  'St. Martin',
]

export function isEuCountry(name: string): boolean {
  return euCountries.some((country) => country === name)
}
