import type { countries } from '#contract/countries.ts'
import { type Language, languages } from '#contract/languages.ts'
import { countryCodes, findCountry } from '#contract/world-countries.ts'

/** The countries that every shop begins with, by the name that an address stores, as each language names them. */
export const countryTexts: Record<Language, Record<(typeof countries)[number], string>> = {
  en: {
    Belgium: 'Belgium',
    Canada: 'Canada',
    France: 'France',
    Germany: 'Germany',
    Italy: 'Italy',
    Netherlands: 'Netherlands',
    'United Kingdom': 'United Kingdom',
    'United States': 'United States',
  },
  de: {
    Belgium: 'Belgien',
    Canada: 'Kanada',
    France: 'Frankreich',
    Germany: 'Deutschland',
    Italy: 'Italien',
    Netherlands: 'Niederlande',
    'United Kingdom': 'Vereinigtes Königreich',
    'United States': 'Vereinigte Staaten',
  },
  fr: {
    Belgium: 'Belgique',
    Canada: 'Canada',
    France: 'France',
    Germany: 'Allemagne',
    Italy: 'Italie',
    Netherlands: 'Pays-Bas',
    'United Kingdom': 'Royaume-Uni',
    'United States': 'États-Unis',
  },
  it: {
    Belgium: 'Belgio',
    Canada: 'Canada',
    France: 'Francia',
    Germany: 'Germania',
    Italy: 'Italia',
    Netherlands: 'Paesi Bassi',
    'United Kingdom': 'Regno Unito',
    'United States': 'Stati Uniti',
  },
  nl: {
    Belgium: 'België',
    Canada: 'Canada',
    France: 'Frankrijk',
    Germany: 'Duitsland',
    Italy: 'Italië',
    Netherlands: 'Nederland',
    'United Kingdom': 'Verenigd Koninkrijk',
    'United States': 'Verenigde Staten',
  },
}

const namesOf = new Map<Language, Intl.DisplayNames>()

/** A country as a language names it; anything else as it was stored. Of the world's countries Node knows the names. */
export function nameCountry(country: string, language: Language): string {
  const texts: Record<string, string> = countryTexts[language]
  if (Object.hasOwn(texts, country)) return texts[country] ?? country
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
