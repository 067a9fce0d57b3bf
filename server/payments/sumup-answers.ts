import { z } from 'zod'
import { showCents } from '#contract/money.ts'

/** SumUp writes money as a JSON number in major units; inside it is a decimal string, compared in cents. */
const amount = z.number().transform((units, context) => {
  const cents = Math.round(units * 100)
  if (cents >= 0 && Math.abs(units * 100 - cents) < 1e-6) return showCents(cents)
  context.addIssue('an amount with more than two decimals')
  return z.NEVER
})

const transaction = z.object({
  id: z.string().min(1),
  transaction_code: z.string().optional(),
  amount,
  currency: z.string(),
  status: z.string(),
})

/** A checkout as SumUp tells of it. Only what we rely on; whatever else it holds is left out. */
export const sumupCheckoutSchema = z
  .object({
    id: z.guid(),
    checkout_reference: z.string(),
    merchant_code: z.string(),
    amount,
    currency: z.string(),
    status: z.enum(['PENDING', 'PAID', 'FAILED', 'EXPIRED']),
    transactions: z.array(transaction).default([]),
  })
  .transform(
    ({ checkout_reference: reference, merchant_code: merchantCode, transactions, ...rest }) => ({
      ...rest,
      reference,
      merchantCode,
      transactions: transactions.map(({ transaction_code: code, ...of }) => ({ ...of, code })),
    }),
  )

export type SumupCheckout = z.output<typeof sumupCheckoutSchema>

export const sumupCheckoutsSchema = z.array(sumupCheckoutSchema)

export const merchantSchema = z.object({
  merchant_code: z.string(),
  default_currency: z.string(),
  sandbox: z.boolean().default(false),
})

export const historySchema = z.object({
  items: z.array(
    z.object({
      id: z.string().optional(),
      transaction_id: z.string().optional(),
      transaction_code: z.string().optional(),
      amount,
      currency: z.string(),
      status: z.string(),
      timestamp: z.string(),
    }),
  ),
  links: z.array(z.object({ rel: z.string(), href: z.string() })).default([]),
})

const oneError = z.object({
  error_code: z.string().optional(),
  type: z.string().optional(),
  message: z.string().optional(),
  error_message: z.string().optional(),
  detail: z.string().optional(),
})

/** SumUp has three ways to say no: one object, a list of them, or a problem document. */
export function readSumupError(body: unknown): { code: string; text: string } {
  const { data } = oneError.safeParse(Array.isArray(body) ? body[0] : body)
  return {
    code: data?.error_code ?? data?.type?.split('/').pop() ?? 'unknown',
    text: data?.message ?? data?.error_message ?? data?.detail ?? 'no reason given',
  }
}
