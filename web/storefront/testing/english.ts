import { pickAddressForms } from '#contract/address-forms.ts'
import { countries } from '#contract/countries.ts'
import { nameCountries } from '#contract/texts/countries.ts'
import { checkout } from '#contract/texts/pages/en.ts'
import { textsWithMethods } from '#contract/texts/all.ts'
import { speak } from '#web/storefront/shell/language.ts'

const places = {
  countries: nameCountries(countries, 'en'),
  addressForms: pickAddressForms(countries),
}

/** For tests of a page's parts: what they expect is in English, of a shop that delivers where every shop begins. */
export function speakEnglish(): void {
  speak({ language: 'en', texts: checkout, ...places })
}

/** The same of a shop with other ways to pay than the card. */
export function speakOfMethods(): void {
  speak({ language: 'en', ...textsWithMethods('en'), ...places })
}

speakEnglish()
