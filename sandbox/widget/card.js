/** What the widget knows about card numbers and dates, without a screen. */

/** A card of the stand-in alone: the widget takes it and does nothing at all. */
export const silentCard = '4999000000000047'

/** @param {string} text */
export function digitsOf(text) {
  return text.replace(/\D/g, '')
}

/** SumUp's name of the scheme. @param {string} digits */
export function schemeOf(digits) {
  if (digits.startsWith('4')) return 'VISA'
  if (/^(5[1-5]|2[2-7])/.test(digits)) return 'MASTERCARD'
  if (/^3[47]/.test(digits)) return 'AMEX'
  if (/^3(0[0-5]|[689])/.test(digits)) return 'DINERS'
  if (digits.startsWith('35')) return 'JCB'
  if (/^(6011|64|65)/.test(digits)) return 'DISCOVER'
  if (digits.startsWith('62')) return 'CUP'
  if (/^(50|5[6-9]|6)/.test(digits)) return 'MAESTRO'
  return 'UNKNOWN'
}

/** As it is printed on the card: in fours, American Express 4-6-5. @param {string} text */
export function formatCardNumber(text) {
  const digits = digitsOf(text).slice(0, 19)
  const groups = /^3[47]/.test(digits) ? [4, 6, 5] : [4, 4, 4, 4, 3]
  let rest = digits
  const parts = groups.map((size) => {
    const part = rest.slice(0, size)
    rest = rest.slice(size)
    return part
  })
  return parts.filter(Boolean).join(' ')
}

/** Length and Luhn's check digit. @param {string} text */
export function isCardNumber(text) {
  const digits = digitsOf(text)
  if (digits.length < 12 || digits.length > 19) return false
  let sum = 0
  for (let index = 0; index < digits.length; index += 1) {
    const value = Number(digits[digits.length - 1 - index]) * (index % 2 === 0 ? 1 : 2)
    sum += value > 9 ? value - 9 : value
  }
  return sum % 10 === 0
}

/** `0730`, `07/2030` and `7/30` all become `07/30`. @param {string} text */
export function formatExpiry(text) {
  const alone = /^\s*([2-9]|[1-9]\s*\/)/.test(text) ? `0${text.trim()}` : text
  const digits = digitsOf(alone)
  const year =
    digits.length === 6 && digits.slice(2, 4) === '20' ? digits.slice(4) : digits.slice(2, 4)
  const slash = digits.length > 2 || (digits.length === 2 && /\//.test(text))
  return `${digits.slice(0, 2)}${slash ? '/' : ''}${year}`
}

/** @param {string} text */
export function readExpiry(text) {
  const [month = '', year = ''] = formatExpiry(text).split('/')
  return { month, year: `20${year}` }
}

/** @param {string} text @param {Date} today */
export function isFutureExpiry(text, today = new Date()) {
  const { month, year } = readExpiry(text)
  if (!/^(0[1-9]|1[0-2])$/.test(month) || !/^20\d\d$/.test(year)) return false
  // A card is good to the end of its month.
  return new Date(Number(year), Number(month), 1) > today
}
