import type { AddressForm } from '#contract/address-forms.ts'
import type { Language } from '#contract/languages.ts'
import type { CheckoutTexts, MethodTexts, PriceTexts } from '#contract/texts/pages/en.ts'

export type Spoken = {
  language: Language
  texts: CheckoutTexts
  /** Those that addresses may be in: by the names that addresses store, as the page names them. */
  countries: Record<string, string>
  /** How their addresses are asked for, where that differs from most. */
  addressForms: Record<string, AddressForm>
  /** Only where a price has parts. */
  prices?: PriceTexts
  /** Only where there are ways to pay beside the card. */
  methods?: Omit<MethodTexts, 'instead'>
}

/** One page has one language: the browser shows one page, and the server renders each in one go. */
let spoken: Spoken | undefined

export function speak(next: Spoken): void {
  spoken = next
}

function getSpoken(): Spoken {
  if (!spoken) throw new Error('No language was chosen for this page')
  return spoken
}

export function language(): Language {
  return getSpoken().language
}

export function texts(): CheckoutTexts {
  return getSpoken().texts
}

export function findPriceTexts(): PriceTexts | undefined {
  return getSpoken().prices
}

export function findMethodTexts(): Spoken['methods'] {
  return getSpoken().methods
}

export function priceTexts(): PriceTexts {
  const { prices } = getSpoken()
  if (!prices) throw new Error('This page has no texts about the parts of a price')
  return prices
}

export function isKnownCountry(country: string): boolean {
  return Object.hasOwn(getSpoken().countries, country)
}

/** How an address is asked for there. */
export function addressForm(country: string): AddressForm {
  const { addressForms } = getSpoken()
  return Object.hasOwn(addressForms, country) ? (addressForms[country] ?? {}) : {}
}

/** As addresses store them, and as the page names them, sorted by that. */
export function listCountries(): { country: string; name: string }[] {
  const named = Object.entries(getSpoken().countries)
  return named
    .map(([country, name]) => ({ country, name }))
    .toSorted((one, other) => one.name.localeCompare(other.name, language()))
}
