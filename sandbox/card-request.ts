import { z } from 'zod'
import { cardTypeOf, cardTypes, isCardNumber } from './ledger/card-number.ts'
import { readBody } from './read-body.ts'

const cardSchema = z
  .object({
    name: z.string().min(1),
    number: z.string().refine(isCardNumber),
    expiry_month: z.string().regex(/^(0[1-9]|1[0-2])$/),
    expiry_year: z.string().regex(/^(\d{2}|20\d{2})$/),
    cvv: z.string().regex(/^\d{3,4}$/),
    zip_code: z.string().nullish(),
    type: z.enum(cardTypes).nullish(),
  })
  .refine((card) => !hasExpired(card), { path: ['expiry_year'] })

const paymentSchema = z.object({
  // The stand-in knows cards alone.
  payment_type: z.literal('card'),
  card: cardSchema,
})

export type CardPayment = { number: string; cardType: string; lastDigits: string }

/** The card of a payment. Nothing but its scheme and its last four digits is ever kept. */
export function readCardPayment(body: unknown): CardPayment {
  const { card } = readBody(paymentSchema, body)
  return {
    number: card.number,
    cardType: card.type ?? cardTypeOf(card.number),
    lastDigits: card.number.slice(-4),
  }
}

/** A card is good to the last day of its month, wherever on earth that day ends. */
function hasExpired(card: { expiry_month: string; expiry_year: string }): boolean {
  const year = Number(card.expiry_year.padStart(4, '20'))
  const afterLastDay = Date.UTC(year, Number(card.expiry_month), 1, 12)
  return afterLastDay < Date.now()
}
