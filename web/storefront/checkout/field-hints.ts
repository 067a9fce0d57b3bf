import type { countries } from '#contract/countries.ts'
import { fillText } from '#contract/languages.ts'
import { addressForm, texts } from '#web/storefront/shell/language.ts'

/** The countries that every shop begins with. Of others nothing is hinted at. */
type Country = (typeof countries)[number]

/** Common in the countries we deliver to. Short names such as gmx.de are left out: too many real ones are similar. */
const knownDomains = [
  'gmail.com',
  'googlemail.com',
  'yahoo.com',
  'yahoo.co.uk',
  'yahoo.fr',
  'yahoo.de',
  'hotmail.com',
  'hotmail.co.uk',
  'hotmail.fr',
  'hotmail.it',
  'outlook.com',
  'icloud.com',
  't-online.de',
  'orange.fr',
  'wanadoo.fr',
  'laposte.net',
  'libero.it',
  'virgilio.it',
  'btinternet.com',
  'telenet.be',
  'skynet.be',
  'ziggo.nl',
  'hetnet.nl',
  'comcast.net',
  'protonmail.com',
]
/** Real domains that are one typo away from a known one. */
const similarDomains = ['mail.com', 'ymail.com', 'email.com', 'gmx.com', 'outlook.co', 'orange.it']

/** anna@gmail.com for anna@gmial.com: a suggestion, never an error. */
export function suggestEmail(email: string): string | undefined {
  const text = email.trim()
  const at = text.lastIndexOf('@')
  const domain = text.slice(at + 1).toLowerCase()
  if (at < 1 || !domain.includes('.')) return undefined
  if (knownDomains.includes(domain) || similarDomains.includes(domain)) return undefined
  const meant = knownDomains.find((known) => isOneTypoAway(domain, known))
  return meant && `${text.slice(0, at)}@${meant}`
}

/** One character too many, missing or wrong, or two neighbours swapped. */
function isOneTypoAway(typed: string, meant: string): boolean {
  let start = 0
  while (start < typed.length && typed[start] === meant[start]) start += 1
  const typedRest = typed.slice(start)
  const meantRest = meant.slice(start)
  const isSwapped =
    typedRest[0] === meantRest[1] &&
    typedRest[1] === meantRest[0] &&
    typedRest.slice(2) === meantRest.slice(2)
  return (
    typedRest.slice(1) === meantRest ||
    typedRest === meantRest.slice(1) ||
    typedRest.slice(1) === meantRest.slice(1) ||
    isSwapped
  )
}

type PostcodeFormat = { pattern: RegExp; example: string }

const postcodeFormats: Record<Country, PostcodeFormat> = {
  Belgium: { pattern: /^\d{4}$/, example: '1000' },
  Canada: { pattern: /^[a-z]\d[a-z] ?\d[a-z]\d$/i, example: 'K1A 0B1' },
  France: { pattern: /^\d{5}$/, example: '75001' },
  Germany: { pattern: /^\d{5}$/, example: '10115' },
  Italy: { pattern: /^\d{5}$/, example: '00118' },
  Netherlands: { pattern: /^\d{4} ?[a-z]{2}$/i, example: '1012 AB' },
  'United Kingdom': {
    pattern: /^[a-z]{1,2}\d[a-z\d]? ?\d[a-z]{2}$/i,
    example: 'SW1A 1AA',
  },
  'United States': { pattern: /^\d{5}(-\d{4})?$/, example: '10001' },
}

export function hasPostcodes(country: string): boolean {
  return addressForm(country).postcode !== 'none'
}

/** English has two names for it. */
export function postcodeName(country: string): 'postcode' | 'zipCode' {
  return addressForm(country).isCalledPostcode ? 'postcode' : 'zipCode'
}

/** Digits on a phone's keyboard where a postcode has no letters. */
export function postcodeKeyboard(country: string) {
  const format = findPostcodeFormat(country)
  return format && /^\d+$/.test(format.example)
    ? ({ inputMode: 'numeric', autoCapitalize: 'off' } as const)
    : ({ inputMode: 'text', autoCapitalize: 'characters' } as const)
}

/** A warning, never an error: the carrier knows more postcodes than we do. */
export function postcodeWarning(country: string, postcode: string): string | undefined {
  const format = findPostcodeFormat(country)
  const text = postcode.trim()
  if (!format || text === '' || format.pattern.test(text)) return undefined
  return fillText(texts().fields.usuallyLike, { example: format.example })
}

/** Numbers that nobody has: made up for examples, or of the countries' posts. */
const phoneExamples: Record<Country, string> = {
  Belgium: '+32 470 12 34 56',
  Canada: '+1 613 555 0100',
  France: '+33 6 12 34 56 78',
  Germany: '+49 151 23456789',
  Italy: '+39 312 345 6789',
  Netherlands: '+31 6 12345678',
  'United Kingdom': '+44 7700 900123',
  'United States': '+1 212 555 0100',
}

/** What has letters, or fewer or more digits than any number in the world, is hardly one. Said only with an example. */
export function phoneWarning(country: string, phone: string): string | undefined {
  const text = phone.trim()
  const digits = text.replaceAll(/\D/g, '').length
  if (text === '' || (!/\p{L}/u.test(text) && digits >= 6 && digits <= 15)) return undefined
  if (!Object.hasOwn(phoneExamples, country)) return undefined
  return fillText(texts().fields.usuallyLike, { example: phoneExamples[country as Country] })
}

function findPostcodeFormat(country: string): PostcodeFormat | undefined {
  return Object.hasOwn(postcodeFormats, country) ? postcodeFormats[country as Country] : undefined
}
