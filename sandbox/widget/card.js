/** Card numbers and expiry dates, for the widget and for the API. */

/** A card that only this stand-in has: the widget accepts it and does nothing. */
export const silentCard = '4999000000000047'

/** @param {string} text */
export function getDigits(text) {
  return text.replace(/\D/g, '')
}

/** In this order: Maestro takes what no other scheme does. @type {[string, RegExp][]} */
const schemes = [
  ['VISA', /^4/],
  ['MASTERCARD', /^(5[1-5]|2[2-7])/],
  ['AMEX', /^3[47]/],
  ['DINERS', /^3(0[0-5]|[689])/],
  ['JCB', /^35/],
  ['DISCOVER', /^(6011|64|65)/],
  ['CUP', /^62/],
  ['MAESTRO', /^(50|5[6-9]|6)/],
]

/** SumUp's name of the scheme. @param {string} digits */
export function getCardScheme(digits) {
  return schemes.find(([, prefix]) => prefix.test(digits))?.[0] ?? 'UNKNOWN'
}

/** Grouped as on the card: in fours, American Express 4-6-5. @param {string} text */
export function formatCardNumber(text) {
  const digits = getDigits(text).slice(0, 19)
  const groups = /^3[47]/.test(digits)
    ? [digits.slice(0, 4), digits.slice(4, 10), digits.slice(10, 15)]
    : (digits.match(/.{1,4}/g) ?? [])
  return groups.filter(Boolean).join(' ')
}

/** @param {string} text */
export function isCardNumber(text) {
  const digits = getDigits(text)
  return digits.length >= 12 && digits.length <= 19 && hasCheckDigit(digits)
}

/** The Luhn checksum. @param {string} digits */
export function hasCheckDigit(digits) {
  let sum = 0
  for (let index = 0; index < digits.length; index += 1) {
    const value = Number(digits[digits.length - 1 - index]) * (index % 2 === 0 ? 1 : 2)
    sum += value > 9 ? value - 9 : value
  }
  return sum % 10 === 0
}

/** `0730`, `07/2030` and `7/30` all become `07/30`. @param {string} text */
export function formatExpiry(text) {
  const padded = /^\s*([2-9]|[1-9]\s*\/)/.test(text) ? `0${text.trim()}` : text
  const digits = getDigits(padded)
  const year =
    digits.length === 6 && digits.slice(2, 4) === '20' ? digits.slice(4) : digits.slice(2, 4)
  const hasSlash = digits.length > 2 || (digits.length === 2 && /\//.test(text))
  return `${digits.slice(0, 2)}${hasSlash ? '/' : ''}${year}`
}

/** @param {string} text */
export function parseExpiry(text) {
  const [month = '', year = ''] = formatExpiry(text).split('/')
  return { month, year: `20${year}` }
}

/** @param {string} text @param {Date} today */
export function isFutureExpiry(text, today = new Date()) {
  const { month, year } = parseExpiry(text)
  if (!/^(0[1-9]|1[0-2])$/.test(month) || !/^20\d\d$/.test(year)) return false
  // Valid until the end of its month.
  return new Date(Number(year), Number(month), 1) > today
}
