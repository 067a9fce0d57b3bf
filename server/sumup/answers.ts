import { z } from 'zod'
import { formatCents, toCents } from '#contract/money.ts'
import { isOtherMethod, type OtherMethod } from '#contract/payment-methods.ts'

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

const moment = z.iso.datetime({ offset: true }).transform((text) => new Date(text))

/** Any text: SumUp adds methods. */
const methodFields = { entry_mode: optional(z.string()), payment_type: optional(z.string()) }

const cardModes = ['CUSTOMER_ENTRY', 'MANUAL_ENTRY']
const emptyModes = ['', 'NONE', 'N/A']

/** Undefined for a card, and where SumUp does not say; 'sumup' for a method that the shop does not know. */
function readMethod(said: {
  entry_mode?: string | undefined
  payment_type?: string | undefined
}): OtherMethod | 'sumup' | undefined {
  const mode = (said.entry_mode ?? '').toUpperCase()
  const id = mode.toLowerCase()
  if (isOtherMethod(id)) return id
  if (emptyModes.includes(mode)) return said.payment_type === 'APM' ? 'sumup' : undefined
  return cardModes.includes(mode) ? undefined : 'sumup'
}

const paymentSchema = z.object({
  ...methodFields,
  id: optional(z.string().min(1).max(255)),
  transaction_code: optional(z.string().min(1).max(50)),
  amount: optional(amount),
  currency: optional(z.string().length(3)),
  status: z.enum(['SUCCESSFUL', 'REFUNDED', 'PENDING', 'FAILED', 'CANCELLED']),
  timestamp: optional(moment),
})

/** A payment attempt in a checkout. */
export type SumupPayment = {
  id: string | undefined
  code: string | undefined
  amount: string | undefined
  currency: string | undefined
  status: z.output<typeof paymentSchema>['status']
  madeAt: Date | undefined
  method?: OtherMethod | 'sumup' | undefined
}

/** The parts of SumUp's checkout that the shop relies on. */
export type SumupCheckout = {
  id: string
  status: string
  reference: string | undefined
  merchantCode: string | undefined
  amount: string | undefined
  currency: string | undefined
  payments: SumupPayment[]
  /** Whether all payments could be parsed. */
  isReadable: boolean
}

export const sumupCheckoutSchema = z
  .object({
    id: z.guid(),
    checkout_reference: optional(z.string()),
    merchant_code: optional(z.string()),
    amount: optional(amount),
    currency: optional(z.string().length(3)),
    status: z.string(),
    transaction_id: optional(z.string().min(1).max(255)),
    transaction_code: optional(z.string().min(1).max(50)),
    transactions: z.unknown().optional(),
  })
  .transform((body): SumupCheckout => {
    const { payments, isReadable } = parsePayments(body.transactions)
    const isPaid = ({ status }: SumupPayment) => status === 'SUCCESSFUL' || status === 'REFUNDED'
    const isOnlyPaid = payments.filter(isPaid).length === 1
    return {
      id: body.id,
      status: body.status,
      reference: body.checkout_reference,
      merchantCode: body.merchant_code,
      amount: body.amount,
      currency: body.currency,
      // The checkout itself names the payment too, which helps where the list lacks a field.
      payments: payments.map((one) =>
        isOnlyPaid && isPaid(one)
          ? {
              ...one,
              id: one.id ?? body.transaction_id,
              code: one.code ?? body.transaction_code,
            }
          : one,
      ),
      isReadable,
    }
  })

export const sumupCheckoutsSchema = z.array(sumupCheckoutSchema)

/** Stands for a response that could not be parsed. */
export function unreadableCheckout(id: string): SumupCheckout {
  return {
    id,
    status: 'UNKNOWN',
    reference: undefined,
    merchantCode: undefined,
    amount: undefined,
    currency: undefined,
    payments: [],
    isReadable: false,
  }
}

function parsePayments(list: unknown): { payments: SumupPayment[]; isReadable: boolean } {
  if (list === undefined || list === null) return { payments: [], isReadable: true }
  if (!Array.isArray(list)) return { payments: [], isReadable: false }
  const parsed = list.map((one) => paymentSchema.safeParse(one))
  const payments = parsed.flatMap(({ data }) => {
    if (!data) return []
    const { id, amount: paid, currency, status, transaction_code: code, timestamp: madeAt } = data
    const method = readMethod(data)
    return [{ id, code, amount: paid, currency, status, madeAt, ...(method && { method }) }]
  })
  return { payments, isReadable: parsed.every(({ success }) => success) }
}

export const merchantSchema = z.object({
  merchant_code: z.string(),
  default_currency: z.string(),
  country: optional(z.string()),
  sandbox: z.boolean().default(false),
})

const historyItemSchema = z
  .object({
    ...methodFields,
    id: optional(z.string()),
    transaction_id: optional(z.string()),
    transaction_code: optional(z.string().min(1).max(50)),
    amount: optional(amount),
    refunded_amount: optional(amount),
    currency: optional(z.string().length(3)),
    status: optional(z.string()),
    timestamp: optional(moment),
    type: optional(z.string()),
    product_summary: optional(z.string()),
    checkout_reference: optional(z.string()),
    foreign_transaction_id: optional(z.string()),
    client_transaction_id: optional(z.string()),
  })
  .transform((item) => {
    const method = readMethod(item)
    return { ...item, ...(method && { method }) }
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

/** Statuses of refunds that have not given anything back yet. */
const unfinishedEvents = ['PENDING', 'SCHEDULED']

/** A transaction with its events. Its status stays SUCCESSFUL after a refund; only the events tell. */
export const transactionSchema = z
  .object({
    ...methodFields,
    id: z.string(),
    transaction_code: optional(z.string().min(1).max(50)),
    amount: optional(amount),
    currency: optional(z.string().length(3)),
    status: optional(z.string()),
    simple_status: optional(z.string()),
    timestamp: optional(moment),
    product_summary: optional(z.string()),
    checkout_reference: optional(z.string()),
    foreign_transaction_id: optional(z.string()),
    client_transaction_id: optional(z.string()),
    transaction_events: eventsSchema,
    events: eventsSchema,
  })
  .transform((transaction) => {
    const { transaction_code: code, transaction_events: full, events: short, ...rest } = transaction
    const { timestamp: madeAt, simple_status: simple, entry_mode, payment_type, ...known } = rest
    const method = readMethod({ entry_mode, payment_type })
    const listed = full?.length ? full : short
    const events = listed ?? []
    const ofType = (type: string) => events.filter((one) => (one.event_type ?? one.type) === type)
    const isOf = (statuses: string[]) => (one: { status?: string | undefined }) =>
      statuses.includes(one.status ?? '')
    /** An event without an amount is about all of it, and so is a status that says so without any event. */
    const total = (type: string, isWhole: boolean): string => {
      const done = ofType(type).filter((one) => !isOf(['FAILED', ...unfinishedEvents])(one))
      const cents = done.reduce((sum, one) => sum + toCents(one.amount ?? rest.amount ?? '0'), 0)
      return isWhole && (done.length === 0 || type === 'REFUND')
        ? formatCents(Math.max(cents, toCents(rest.amount ?? '0')))
        : formatCents(cents)
    }
    const isRefunded = rest.status === 'REFUNDED' || simple === 'REFUNDED'
    return {
      ...known,
      code,
      madeAt,
      ...(method && { method }),
      /** Totals of what went back to the buyer. */
      refunded: total('REFUND', isRefunded),
      chargedBack: total('CHARGE_BACK', simple === 'CHARGEBACK'),
      /** Not known where the events are missing or cannot be read, unless all of it went back. */
      ...((listed || isRefunded) && {
        isRefundPending: ofType('REFUND').some(isOf(unfinishedEvents)),
        failedRefunds: ofType('REFUND').filter(isOf(['FAILED'])).length,
      }),
    }
  })

export type SumupTransaction = z.output<typeof transactionSchema>

/** What SumUp answers to a refund, mostly nothing. */
export const refundAnswerSchema = z
  .object({ status: optional(z.string()), response_code: optional(z.string()) })
  .catch({})

const errorSchema = z.object({
  error_code: z.string().optional(),
  type: z.string().optional(),
  message: z.string().optional(),
  error_message: z.string().optional(),
  detail: z.string().optional(),
  /** The field that is not valid. */
  param: optional(z.string()),
  /** Of a problem document: what exactly was wrong. */
  errors: optional(z.array(z.object({ code: optional(z.string()), detail: optional(z.string()) }))),
})

/** SumUp has three error formats: an object, a list of them, or a problem document. */
export function parseSumupError(body: unknown): { code: string; text: string; param: string } {
  const { data } = errorSchema.safeParse(Array.isArray(body) ? body[0] : body)
  const [first] = data?.errors ?? []
  return {
    param: data?.param ?? '',
    code: data?.error_code ?? first?.code ?? data?.type?.split('/').pop() ?? 'unknown',
    text:
      data?.message ?? data?.error_message ?? first?.detail ?? data?.detail ?? 'no reason given',
  }
}
