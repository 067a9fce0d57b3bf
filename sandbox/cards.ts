import { z } from 'zod'
import { parseBody } from './errors.ts'
import { getCardScheme, hasCheckDigit, silentCard } from './widget/card.js'

/**
 * The card numbers of SumUp's sandbox (developer.sumup.com/online-payments/testing), by outcome. Since
 * 2026-03-10 no other card is accepted there.
 */
const approved = numbers(`
  4200000000000091 4200000000000026 4200000000000109 4200000000000059
  5200000000000007 5200000000000056 5200000000000023 5200000000000106
  6761301000993772 6706981111111113 6799851000000032 6007930123456780
  374500262001008  377277081382243  375987000000062  373953192351004
  36177580677072   6011000400001008 6011010000000003 6011000990099818
  3530111333300000 3566002020360505 3569990012278361 3569990012278353
  5019995420853334 5019999531137108 5019991658672173 5019991503655373
  6250947000000014 6250947000000022 6250947000000089 6250944220914108
  6703997212737146 6703993351560670 6703994942941098 6703991694504181`)

const challenged = numbers(`
  4200000000000042 4200000000000067 4200000000000018 4200000000000075
  5200000000000015 5200000000000049 5200000000000064 5200000000000072
  6799998900000060018 6773670009114879 67034200554565015 6759888888888888
  343434343434343  375987000000021  375987000169867  371449635398431
  36259600000004   6011208701117775 6559906559906557 36458811111119
  3566002345432153 3569990010095916 3569990012300876 3569990012300884
  4571991262718985 4571995712628447 4571998470279619 5019991707044788
  6250947000000097 6250944196725207 6250949644050173 6250945882768112
  6703646173211993 6703647823718742 6703618847851199 6703618084221908`)

/** "3D Secure failure scenarios": technical error, not enrolled, issuer not in 3-D Secure. */
const declined = numbers(`
  4012001037461114 4012001037141112 4532497088771651
  5434580000000006 5457350076543210 5497260847316287
  6761301000941201 6761301000946341 6761257707836567
  375987000169875  375987000169883  343923092050144
  6510000000001248 6011025500265831 6011420711746440
  3566007770017510 3569990012291497 3096023363379943
  5019996890729079 4571995700667571 4571993314926574
  6250947000000048 6250947000000030 6250947000000052
  6703995730382544 6703649519767306 6703649519767555`)

/** Cards that only this sandbox has, for what the widget does besides paying: see README. */
export const sandboxCards = {
  /** The call fails with an empty body, and nothing is stored. */
  emptyError: '4999000000000013',
  /** The same with a message in another language. */
  foreignError: '4999000000000021',
  /** The bank's page gives up without an answer; the payment stays PENDING. */
  bankTimesOut: '4999000000000039',
  /** The widget neither pays nor reports anything. */
  silent: silentCard,
}

/** In SumUp's sandbox these amounts fail with every card. */
const failingMinor = new Set([1100, 4201, 4276, 4291])

export function getCardOutcome(
  cardNumber: string,
  amountMinor: number,
): 'approved' | 'declined' | 'challenged' {
  if (failingMinor.has(amountMinor)) return 'declined'
  if (approved.has(cardNumber)) return 'approved'
  if (cardNumber === sandboxCards.bankTimesOut) return 'challenged'
  // Test cards of other providers are declined too.
  return challenged.has(cardNumber) ? 'challenged' : 'declined'
}

export function isListed(cardNumber: string): boolean {
  return [approved, challenged, declined].some((list) => list.has(cardNumber))
}

function numbers(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/))
}

/** SumUp's names of card schemes, as its API takes and shows them. */
// prettier-ignore
const cardTypes = [
  'ALELO', 'AMEX', 'CONECS', 'CUP', 'DINERS', 'DISCOVER', 'EFTPOS', 'ELO', 'ELV', 'GIROCARD',
  'HIPERCARD', 'INTERAC', 'JCB', 'MAESTRO', 'MASTERCARD', 'PLUXEE', 'SWILE', 'TICKET', 'VISA',
  'VISA_ELECTRON', 'VISA_VPAY', 'VPAY', 'VR', 'UNKNOWN',
] as const

const paymentSchema = z.object({
  payment_type: z.literal('card'),
  card: z
    .object({
      name: z.string().min(1),
      // Two of the documented cards have a wrong check digit.
      number: z
        .string()
        .regex(/^\d{12,19}$/)
        .refine((number) => hasCheckDigit(number) || isListed(number)),
      expiry_month: z.string().regex(/^(0[1-9]|1[0-2])$/),
      expiry_year: z.string().regex(/^(\d{2}|20\d{2})$/),
      cvv: z.string().regex(/^\d{3,4}$/),
      zip_code: z.string().nullish(),
      type: z.enum(cardTypes).nullish(),
    })
    .refine((card) => !hasExpired(card), { path: ['expiry_year'] }),
})

/** A card is valid until the last day of its month, in every time zone. */
function hasExpired(card: { expiry_month: string; expiry_year: string }): boolean {
  const year = Number(card.expiry_year.padStart(4, '20'))
  return Date.UTC(year, Number(card.expiry_month), 1, 12) < Date.now()
}

/** The card of a payment. Only its scheme and last four digits are ever stored. */
export function parseCardPayment(body: unknown) {
  const { card } = parseBody(paymentSchema, body)
  return {
    number: card.number,
    cardType: card.type ?? getCardScheme(card.number),
    lastDigits: card.number.slice(-4),
  }
}
