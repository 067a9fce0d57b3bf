import { findCountry, type Country } from '#contract/countries.ts'
import type { Language } from '#contract/languages.ts'

/** Countries by the name that an address stores, as each language names them. */
export const countryTexts: Record<Language, Record<Country, string>> = {
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

/** A country as a language names it; one that the shop no longer delivers to as it was stored. */
export function nameCountry(country: string, language: Language): string {
  const known = findCountry(country)
  return known ? countryTexts[language][known] : country
}
