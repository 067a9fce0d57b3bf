import { formatAddress } from '#contract/addresses.ts'
import { languages } from '#contract/languages.ts'
import type { PickupPlace } from '#contract/quotes.ts'
import { nameCountry } from '#contract/texts/countries.ts'
import { pageTextsOf } from '#contract/texts/all.ts'
import type { PageTexts } from '#contract/texts/pages/en.ts'

import { language } from './language.ts'

/* For what only the server renders: it knows all languages, and a page's script must carry none. */

export function pageTexts(): PageTexts {
  return pageTextsOf[language()]
}

/** A number as the page's language writes it. */
export function showNumber(number: string): string {
  return Number(number).toLocaleString(languages[language()].locale)
}

export function showDate(time: string): string {
  const { locale } = languages[language()]
  return new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(
    new Date(time),
  )
}

/** Where orders are picked up, line by line. */
export function formatPlace({ name, hours: _apart, state, ...rest }: PickupPlace): string[] {
  const address = { ...rest, ...(state && { state }) }
  return [name, ...formatAddress(address, showCountry(address.country))]
}

/** A country as the page's language names it. */
export function showCountry(country: string): string {
  return nameCountry(country, language())
}
