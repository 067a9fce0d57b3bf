import { z } from 'zod'
import { formatCents, toCents } from '#contract/money.ts'

/** SumUp sends amounts as JSON numbers in major units; the shop uses decimal strings. */
const amount = z.number().transform((units, context) => {
  const cents = Math.round(units * 100)
  if (Number.isSafeInteger(cents) && cents >= 0 && Math.abs(units * 100 - cents) < 1e-6)
    return formatCents(cents)
  context.addIssue('an amount with more than two decimals')
  return z.NEVER
})

/**
 * An invalid field counts as missing instead of failing the whole response: money may have moved, so what can be read
 * is used, and what does not fit goes to review.
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

/** A payment attempt in a checkout. */
export type SumupPayment = {
  id: string | undefined
  code: string | undefined
  amount: string | undefined
  currency: string | undefined
  status: z.output<typeof paymentSchema>['status']
  madeAt: Date | undefined
}

/** The parts of SumUp's checkout that the shop relies on, with its payments grouped by result. */
export type SumupCheckout = {
  id: string
  status: string
  reference: string | undefined
  merchantCode: string | undefined
  amount: string | undefined
  currency: string | undefined
  /** Successful payments, including those refunded since. */
  paid: SumupPayment[]
  pendingIds: string[]
  failed: { id: string; madeAt: Date | undefined }[]
  failedIds: string[]
  allIds: string[]
  /** Whether all payments could be parsed. */
  isReadable: boolean
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
  .transform((body): SumupCheckout => {
    const { payments, isReadable } = parsePayments(body.transactions)
    const paid = payments.filter(({ status }) => status === 'SUCCESSFUL' || status === 'REFUNDED')
    const ids = (status: SumupPayment['status']) =>
      payments.filter((one) => one.status === status).map(idOf)
    const failed = payments
      .filter(({ status }) => status === 'FAILED')
      .map((one, index) => ({ id: idOf(one, index), madeAt: one.madeAt }))
    return {
      id: body.id,
      status: body.status,
      reference: body.checkout_reference,
      merchantCode: body.merchant_code,
      amount: body.amount,
      currency: body.currency,
      // The checkout itself names the payment too, which helps where the list lacks a field.
      paid:
        paid.length === 1
          ? paid.map((one) => ({
              ...one,
              id: one.id ?? body.transaction_id,
              code: one.code ?? body.transaction_code,
            }))
          : paid,
      pendingIds: ids('PENDING'),
      failed,
      failedIds: failed.map(({ id }) => id),
      allIds: payments.map(idOf),
      isReadable,
    }
  })

export const sumupCheckoutsSchema = z.array(sumupCheckoutSchema)

/** Stands for a response that could not be parsed. */
export function unreadableCheckout(id: string): SumupCheckout {
  const fields = {
    reference: undefined,
    merchantCode: undefined,
    amount: undefined,
    currency: undefined,
  }
  const lists = { paid: [], pendingIds: [], failed: [], failedIds: [], allIds: [] }
  return { id, status: 'UNKNOWN', ...fields, ...lists, isReadable: false }
}

function parsePayments(list: unknown): { payments: SumupPayment[]; isReadable: boolean } {
  if (list === undefined || list === null) return { payments: [], isReadable: true }
  if (!Array.isArray(list)) return { payments: [], isReadable: false }
  const parsed = list.map((one) => paymentSchema.safeParse(one))
  const payments = parsed.flatMap(({ data }) => {
    if (!data) return []
    const { transaction_code: code, timestamp: madeAt, ...rest } = data
    return [{ ...rest, code, madeAt }] as SumupPayment[]
  })
  return { payments, isReadable: parsed.every(({ success }) => success) }
}

/** A payment without an id is identified by its index. */
function idOf({ id }: SumupPayment, index: number): string {
  return id ?? `#${index}`
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

/** A page of the account's transactions. Items that cannot be parsed are left out. */
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

/** A transaction with its events. Its status stays SUCCESSFUL after a refund; only the events tell. */
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
    const eventsOf = (type: string) =>
      events.filter(
        (event) => (event.event_type ?? event.type) === type && event.status !== 'FAILED',
      )
    const refunds = eventsOf('REFUND')
    const amountCents = rest.amount === undefined ? undefined : toCents(rest.amount)
    const refundedCents = refunds.reduce((sum, { amount: part }) => sum + toCents(part ?? '0'), 0)
    // A refund without an amount counts as a full refund.
    const isFullRefund =
      rest.status === 'REFUNDED' ||
      rest.simple_status === 'REFUNDED' ||
      refunds.some(({ amount: part }) => part === undefined) ||
      (refunds.length > 0 && (amountCents === undefined || refundedCents >= amountCents))
    return {
      ...rest,
      code,
      /** Total of all refunds. */
      refunded: formatCents(isFullRefund ? (amountCents ?? refundedCents) : refundedCents),
      /** Whether it was refunded in full. */
      isRefunded: isFullRefund,
      isChargedBack: rest.simple_status === 'CHARGEBACK' || eventsOf('CHARGE_BACK').length > 0,
    }
  })

export type SumupTransaction = z.output<typeof transactionSchema>

const errorSchema = z.object({
  error_code: z.string().optional(),
  type: z.string().optional(),
  message: z.string().optional(),
  error_message: z.string().optional(),
  detail: z.string().optional(),
})

/** SumUp has three error formats: an object, a list of them, or a problem document. */
export function parseSumupError(body: unknown): { code: string; text: string } {
  const { data } = errorSchema.safeParse(Array.isArray(body) ? body[0] : body)
  return {
    code: data?.error_code ?? data?.type?.split('/').pop() ?? 'unknown',
    text: data?.message ?? data?.error_message ?? data?.detail ?? 'no reason given',
  }
}
