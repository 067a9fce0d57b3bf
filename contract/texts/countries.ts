import { type Language, languages } from '#contract/languages.ts'
import { countryCodes, findCountry } from '#contract/world-countries.ts'

const namesOf = new Map<Language, Intl.DisplayNames>()

/** A country as a language names it, which Node knows; anything else as it was stored. */
export function nameCountry(country: string, language: Language): string {
  const known = findCountry(country)
  // English is what addresses store.
  if (!known || language === 'en') return country
  const names =
    namesOf.get(language) ?? new Intl.DisplayNames(languages[language].locale, { type: 'region' })
  namesOf.set(language, names)
  return names.of(countryCodes[known]) ?? country
}

/** These countries by the names that addresses store, as a language names them. */
export function nameCountries(
  named: readonly string[],
  language: Language,
): Record<string, string> {
  return Object.fromEntries(named.map((country) => [country, nameCountry(country, language)]))
}
