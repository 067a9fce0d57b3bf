import { pickAddressForms } from '#contract/address-forms.ts'
import { countries } from '#contract/countries.ts'
import { nameCountries } from '#contract/texts/countries.ts'
import { en } from '#contract/texts/checkout/en.ts'
import { speak } from '#web/storefront/shell/language.ts'

/** For tests of a page's parts: what they expect is in English, of a shop that delivers where every shop begins. */
export function speakEnglish(): void {
  const addressForms = pickAddressForms(countries)
  speak({ language: 'en', texts: en, countries: nameCountries(countries, 'en'), addressForms })
}

speakEnglish()
