import { z } from 'zod'
import { maxNoteLength } from './orders.ts'
import { maxStatementLengths } from './withdrawals.ts'

function line(maxLength: number, missing: string) {
  return z.string(missing).trim().min(1, missing).max(maxLength, `At most ${maxLength} characters`)
}

/** Mail programs make links of these, and the name is quoted in a mail to whatever address was typed. */
const linked = /\.\p{L}{2}/u

export const withdrawalSchema = z.object({
  name: line(maxStatementLengths.name, 'Enter your name')
    .regex(/^[\p{L}\p{M} .,'’‘-]+$/u, 'Enter your name in letters')
    .refine((name) => !linked.test(name), 'Leave a space after each full stop'),
  orderNumber: line(
    maxStatementLengths.orderNumber,
    'Enter the order number from your confirmation email',
  ).regex(/^[\p{L}\d #-]+$/u, 'An order number has letters, digits and hyphens only'),
  email: z
    .string('Enter your email address')
    .trim()
    .max(maxStatementLengths.email)
    .pipe(z.email('Enter a valid email address')),
})

export const handledWithdrawalSchema = z.object({
  note: z
    .string('Write a note')
    .trim()
    .min(1, 'Write a note')
    .max(maxNoteLength, `At most ${maxNoteLength} characters`),
})
