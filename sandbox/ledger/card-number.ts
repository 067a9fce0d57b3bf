import { isListed } from './test-cards.ts'

/** SumUp's names of card schemes, as its API takes and shows them. */
// prettier-ignore
export const cardTypes = [
  'ALELO', 'AMEX', 'CONECS', 'CUP', 'DINERS', 'DISCOVER', 'EFTPOS', 'ELO', 'ELV', 'GIROCARD',
  'HIPERCARD', 'INTERAC', 'JCB', 'MAESTRO', 'MASTERCARD', 'PLUXEE', 'SWILE', 'TICKET', 'VISA',
  'VISA_ELECTRON', 'VISA_VPAY', 'VPAY', 'VR', 'UNKNOWN',
] as const

const schemes: [string, RegExp][] = [
  ['VISA', /^4/],
  ['MASTERCARD', /^(5[1-5]|2[2-7])/],
  ['AMEX', /^3[47]/],
  ['DINERS', /^3(0[0-5]|[689])/],
  ['JCB', /^35/],
  ['DISCOVER', /^(6011|64|65)/],
  ['CUP', /^62/],
  ['MAESTRO', /^(50|5[6-9]|6)/],
]

export function cardTypeOf(number: string): string {
  return schemes.find(([, prefix]) => prefix.test(number))?.[0] ?? 'UNKNOWN'
}

export function isCardNumber(number: string): boolean {
  // Two of the documented cards have a wrong check digit; they are cards of the sandbox all the same.
  return /^\d{12,19}$/.test(number) && (hasCheckDigit(number) || isListed(number))
}

/** Luhn's sum. */
function hasCheckDigit(number: string): boolean {
  const sum = Array.from(number)
    .toReversed()
    .reduce((total, digit, index) => {
      const value = Number(digit) * (index % 2 === 0 ? 1 : 2)
      return total + (value > 9 ? value - 9 : value)
    }, 0)
  return sum % 10 === 0
}
