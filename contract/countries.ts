/** Where the shop delivers to, in the order the list shows them. */
export const countries = [
  'Belgium',
  'Canada',
  'France',
  'Germany',
  'Italy',
  'Netherlands',
  'United Kingdom',
  'United States',
] as const

export type Country = (typeof countries)[number]

/** Undefined for a country that the shop does not deliver to. */
export function findCountry(name: string | undefined): Country | undefined {
  return countries.find((country) => country === name)
}

const euCountries: readonly string[] = ['Belgium', 'France', 'Germany', 'Italy', 'Netherlands']

/** Whether it is a member of the European Union, of those that the shop delivers to. */
export function isEuCountry(name: string): boolean {
  return euCountries.includes(name)
}
