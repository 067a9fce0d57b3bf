import { z } from 'zod'
import { showCents, toCents } from '#contract/money.ts'

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
const optional = <Schema extends z.ZodType>(schema: Schema) => schema.optional().catch(undefined)

const paymentSchema = z.object({
  id: optional(z.string().min(1).max(255)),
  transaction_code: optional(z.string().min(1).max(50)),
  amount: optional(amount),
  currency: optional(z.string()),
  status: z.enum(['SUCCESSFUL', 'REFUNDED', 'PENDING', 'FAILED', 'CANCELLED']),
  timestamp: optional(z.iso.datetime({ offset: true }).transform((text) => new Date(text))),
})

/** An attempt to pay, as a checkout tells of it. */
export type SumupPayment = {
  id: string | undefined
  code: string | undefined
  amount: string | undefined
  currency: string | undefined
  status: z.output<typeof paymentSchema>['status']
  madeAt: Date | undefined
}

/** A checkout as SumUp tells of it: only what we rely on, with its payments sorted by what they mean. */
export type SumupCheckout = {
  id: string
  status: string
  reference: string | undefined
  merchantCode: string | undefined
  amount: string | undefined
  currency: string | undefined
  /** Payments that went through, whether or not the money was given back since. */
  paid: SumupPayment[]
  pendingIds: string[]
  failed: { id: string; madeAt: Date | undefined }[]
  failedIds: string[]
  allIds: string[]
  /** Whether all that was said of payments could be read. */
  reading: 'clear' | 'unreadable'
}

export const sumupCheckoutSchema = z
  .object({
    id: z.guid(),
    checkout_reference: optional(z.string()),
    merchant_code: optional(z.string()),
    amount: optional(amount),
    currency: optional(z.string()),
    status: z.string(),
    transaction_id: optional(z.string().min(1).max(255)),
    transaction_code: optional(z.string().min(1).max(50)),
    transactions: z.unknown().optional(),
  })
  .transform((told): SumupCheckout => {
    const { payments, reading } = readPayments(told.transactions)
    const paid = payments.filter(({ status }) => status === 'SUCCESSFUL' || status === 'REFUNDED')
    const ids = (status: SumupPayment['status']) =>
      payments.filter((one) => one.status === status).map(idOf)
    const failed = payments
      .filter(({ status }) => status === 'FAILED')
      .map((one, place) => ({ id: idOf(one, place), madeAt: one.madeAt }))
    return {
      id: told.id,
      status: told.status,
      reference: told.checkout_reference,
      merchantCode: told.merchant_code,
      amount: told.amount,
      currency: told.currency,
      // The checkout itself names the payment too, and may do so where the list leaves something out.
      paid:
        paid.length === 1
          ? paid.map((one) => ({
              ...one,
              id: one.id ?? told.transaction_id,
              code: one.code ?? told.transaction_code,
            }))
          : paid,
      pendingIds: ids('PENDING'),
      failed,
      failedIds: failed.map(({ id }) => id),
      allIds: payments.map(idOf),
      reading,
    }
  })

export const sumupCheckoutsSchema = z.array(sumupCheckoutSchema)

/** A checkout that SumUp answered about in a way that nobody can read. */
export function unreadableCheckout(id: string): SumupCheckout {
  const nothing = {
    reference: undefined,
    merchantCode: undefined,
    amount: undefined,
    currency: undefined,
  }
  const lists = { paid: [], pendingIds: [], failed: [], failedIds: [], allIds: [] }
  return { id, status: 'UNKNOWN', ...nothing, ...lists, reading: 'unreadable' }
}

function readPayments(
  list: unknown,
): Pick<SumupCheckout, 'reading'> & { payments: SumupPayment[] } {
  if (list === undefined || list === null) return { payments: [], reading: 'clear' }
  if (!Array.isArray(list)) return { payments: [], reading: 'unreadable' }
  const read = list.map((one) => paymentSchema.safeParse(one))
  const payments = read.flatMap(({ data }) => {
    if (!data) return []
    const { transaction_code: code, timestamp: madeAt, ...rest } = data
    return [{ ...rest, code, madeAt }] as SumupPayment[]
  })
  return { payments, reading: read.every(({ success }) => success) ? 'clear' : 'unreadable' }
}

/** A payment without an id still counts, by its place in the list. */
function idOf({ id }: SumupPayment, place: number): string {
  return id ?? `#${place}`
}

export const merchantSchema = z.object({
  merchant_code: z.string(),
  default_currency: z.string(),
  country: optional(z.string()),
  sandbox: z.boolean().default(false),
})

const historyItemSchema = z.object({
  id: optional(z.string()),
  transaction_id: optional(z.string()),
  transaction_code: optional(z.string()),
  amount: optional(amount),
  currency: optional(z.string()),
  status: optional(z.string()),
  timestamp: optional(z.iso.datetime({ offset: true }).transform((text) => new Date(text))),
  type: optional(z.string()),
  payment_type: optional(z.string()),
  product_summary: optional(z.string()),
  checkout_reference: optional(z.string()),
  foreign_transaction_id: optional(z.string()),
  client_transaction_id: optional(z.string()),
})
export type HistoryItem = z.output<typeof historyItemSchema>

/** A page of the account's history. An item that cannot be read at all is left out, the others still count. */
export const historySchema = z.object({
  items: z
    .array(z.unknown())
    .transform((items) => items.flatMap((item) => historyItemSchema.safeParse(item).data ?? [])),
  links: z
    .array(z.object({ rel: z.string(), href: z.string() }))
    .default([])
    .catch([]),
})

const eventsSchema = z
  .array(
    z
      .object({
        event_type: optional(z.string()),
        type: optional(z.string()),
        status: optional(z.string()),
        amount: optional(amount),
      })
      .catch({}),
  )
  .nullish()
  .catch(undefined)

/** A payment in full. After a refund it stays SUCCESSFUL; only its events tell. */
export const transactionSchema = z
  .object({
    id: z.string(),
    transaction_code: optional(z.string()),
    amount: optional(amount),
    currency: optional(z.string()),
    status: optional(z.string()),
    simple_status: optional(z.string()),
    product_summary: optional(z.string()),
    checkout_reference: optional(z.string()),
    foreign_transaction_id: optional(z.string()),
    client_transaction_id: optional(z.string()),
    transaction_events: eventsSchema,
    events: eventsSchema,
  })
  .transform(({ transaction_code: code, transaction_events: full, events: short, ...rest }) => {
    const events = (full?.length ? full : short) ?? []
    const happened = (type: string) =>
      events.filter(
        (event) => (event.event_type ?? event.type) === type && event.status !== 'FAILED',
      )
    const refunds = happened('REFUND')
    const wholeCents = rest.amount === undefined ? undefined : toCents(rest.amount)
    const statedCents = refunds.reduce((sum, { amount: part }) => sum + toCents(part ?? '0'), 0)
    // A refund that does not say how much was given back is taken for all of it.
    const isWhole =
      rest.status === 'REFUNDED' ||
      rest.simple_status === 'REFUNDED' ||
      refunds.some(({ amount: part }) => part === undefined) ||
      (refunds.length > 0 && (wholeCents === undefined || statedCents >= wholeCents))
    return {
      ...rest,
      code,
      /** What was given back in all. */
      refunded: showCents(isWhole ? (wholeCents ?? statedCents) : statedCents),
      /** Whether nothing of it is left. */
      isRefunded: isWhole,
      isChargedBack: rest.simple_status === 'CHARGEBACK' || happened('CHARGE_BACK').length > 0,
    }
  })

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
