import { z } from 'zod'
import { showCents } from '#contract/money.ts'

/** SumUp writes money as a JSON number in major units; inside it is a decimal string, compared in cents. */
const amount = z.number().transform((units, context) => {
  const cents = Math.round(units * 100)
  if (Number.isSafeInteger(cents) && cents >= 0 && Math.abs(units * 100 - cents) < 1e-6)
    return showCents(cents)
  context.addIssue('an amount with more than two decimals')
  return z.NEVER
})

/**
 * A field that is missing or unreadable is not there. Money may have moved all the same, so the rest of the
 * answer still counts: what does not fit goes to a person instead of being waited for without end.
 */
const maybe = <Schema extends z.ZodType>(schema: Schema) => schema.optional().catch(undefined)

const transaction = z.object({
  id: maybe(z.string().min(1).max(255)),
  transaction_code: maybe(z.string().min(1).max(50)),
  amount: maybe(amount),
  currency: maybe(z.string()),
  status: maybe(z.string()),
})

/** A checkout as SumUp tells of it. Only what we rely on; whatever else it holds is left out. */
export const sumupCheckoutSchema = z
  .object({
    id: z.guid(),
    checkout_reference: maybe(z.string()),
    merchant_code: maybe(z.string()),
    amount: maybe(amount),
    currency: maybe(z.string()),
    status: z.string(),
    transactions: z.array(transaction).nullish(),
  })
  .transform(
    ({ checkout_reference: reference, merchant_code: merchantCode, transactions, ...rest }) => ({
      ...rest,
      reference,
      merchantCode,
      transactions: (transactions ?? []).map(({ transaction_code: code, ...of }) => ({
        ...of,
        code,
      })),
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
      type: z.string().optional(),
      payment_type: z.string().optional(),
    }),
  ),
  links: z.array(z.object({ rel: z.string(), href: z.string() })).default([]),
})

/** A payment in full. After a refund it stays SUCCESSFUL; only its events tell. */
export const transactionSchema = z
  .object({
    id: z.string(),
    transaction_code: maybe(z.string()),
    amount,
    simple_status: maybe(z.string()),
    transaction_events: z
      .array(z.object({ event_type: maybe(z.string()), status: maybe(z.string()) }))
      .nullish(),
  })
  .transform(
    ({ transaction_code: code, simple_status: simple, transaction_events: events, ...rest }) => ({
      ...rest,
      code,
      isRefunded:
        simple === 'REFUNDED' ||
        (events ?? []).some(
          ({ event_type: type, status }) => type === 'REFUND' && status !== 'FAILED',
        ),
    }),
  )

export type SumupTransaction = z.output<typeof transactionSchema>

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
