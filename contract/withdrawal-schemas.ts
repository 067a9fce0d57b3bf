import { z } from 'zod'
import { languageCodes } from './languages.ts'
import { maxNoteLength } from './orders.ts'
import { maxStatementLengths } from './withdrawals.ts'

function line(maxLength: number, missing: string) {
  return z.string(missing).trim().min(1, missing).max(maxLength, `At most ${maxLength} characters`)
}

/** As typed: what is odd in it is not quoted in a mail (server/mail/withdrawal-messages.ts), but never refused. */
const plain = /^[^\p{Cc}]*$/u

export const withdrawalSchema = z.object({
  name: line(maxStatementLengths.name, 'Enter your name').regex(
    plain,
    'Enter your name in one line',
  ),
  orderNumber: line(
    maxStatementLengths.orderNumber,
    'Enter the order number from your confirmation email',
  ).regex(plain, 'Enter the order number in one line'),
  email: z
    .string('Enter your email address')
    .trim()
    .max(maxStatementLengths.email, `At most ${maxStatementLengths.email} characters`)
    .pipe(z.email('Enter a valid email address')),
  language: z
    .enum(languageCodes)
    .optional()
    .catch(undefined)
    .describe('Of the page; the acknowledgement is written in it'),
})

export const handledWithdrawalSchema = z.object({
  note: z
    .string('Write a note')
    .trim()
    .min(1, 'Write a note')
    .max(maxNoteLength, `At most ${maxNoteLength} characters`),
})

export const dismissedWithdrawalsSchema = z.object({
  newest: z.uuid('A withdrawal is named by its id.'),
})
