import { z } from 'zod'
import type { discountCode } from './answers/discounts.ts'
import { isDay } from './days.ts'
import { formatCents, isPrice, toCents } from './money.ts'
import { maxCodeLength } from './quotes.ts'

export const minCodeLength = 3
const maxUsesOfCode = 1_000_000

/** How a code is stored and compared: capitals or not, it is the same. */
export function normalizeCode(text: string): string {
  return text.trim().toUpperCase()
}

/** Everything else is no code of any shop, and is not looked for. */
export function isCode(text: string): boolean {
  return text.length >= minCodeLength && text.length <= maxCodeLength && /^[A-Z0-9_-]+$/.test(text)
}

const codeMessage = `A code has ${minCodeLength} to ${maxCodeLength} letters (A to Z), digits, - or _`
const percentMessage = 'Enter a whole number from 1 to 99: a code never makes anything free'
const amountMessage = 'Enter an amount such as 5 or 5.50'
const usesMessage = `Enter a whole number from 1 to ${maxUsesOfCode.toLocaleString('en')}`

const maxUses = z
  .int(usesMessage)
  .min(1, usesMessage)
  .max(maxUsesOfCode, usesMessage)
  .nullable()
  .describe('How many orders may use it; null: any number')

const lastDay = z
  .string('Enter a day')
  .refine(isDay, 'Enter a day such as 2027-01-31')
  .nullable()
  .describe('It counts until the end of this day in the time zone of the shop; null: it has no end')

export const newDiscountSchema = z
  .object({
    code: z
      .string(codeMessage)
      .max(200, codeMessage)
      .overwrite(normalizeCode)
      .refine(isCode, codeMessage)
      .describe('Stored in capitals; buyers may write it in small letters'),
    percent: z
      .int(percentMessage)
      .min(1, percentMessage)
      .max(99, percentMessage)
      .nullable()
      .default(null)
      .describe('What it takes off the price of the product. Either this or `amount`'),
    amount: z
      .string(amountMessage)
      .trim()
      .refine((text) => isPrice(text) && toCents(text) > 0, amountMessage)
      .transform((text) => formatCents(toCents(text)))
      .nullable()
      .default(null)
      .describe('In the currency that buyers are charged in'),
    productId: z
      .guid('Product not found')
      .nullable()
      .default(null)
      .describe('The only product that it counts for; null: all'),
    maxUses: maxUses.default(null),
    lastDay: lastDay.default(null),
  })
  .refine(({ percent, amount }) => (percent === null) !== (amount === null), {
    error: 'Enter either a percentage or an amount',
    path: ['percent'],
  })

/** What a code takes off is what its links promise, so it stays as it is. */
export const discountChangeSchema = z.object({
  maxUses: maxUses.exactOptional(),
  lastDay: lastDay.exactOptional(),
})

export type NewDiscount = z.output<typeof newDiscountSchema>
export type DiscountChange = z.output<typeof discountChangeSchema>
export type DiscountCode = z.infer<typeof discountCode>
