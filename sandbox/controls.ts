import { randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { findKey, sendResponse } from './api.ts'
import { bankOutcomes } from './challenge.ts'
import { ApiError, problem, unauthorized, type ApiResponse } from './errors.ts'
import { faultPlanSchema, lagViews, type FaultPlan } from './faults.ts'
import { defaultSwitches, switchesSchema, type Context } from './context.ts'
import { accountSchema } from './accounts.ts'
import {
  answerBank,
  endRefund,
  findPaid,
  newTransaction,
  recordOutcome,
  refreshCheckout,
} from './payments.ts'
import { currencies, toMinor, type Checkout } from './records.ts'
import { reverseAmount } from './transactions.ts'
import { isLoopbackHost } from './webhooks.ts'

/** A checkout by its id or reference. */
const checkoutSchema = z.strictObject({ checkout: z.string() })
/** A payment by the id or code of its transaction, or by its checkout. */
const paymentSchema = z.strictObject({ payment: z.string() })
const reversalSchema = paymentSchema.extend({ amount: z.number().optional() })
const timeSchema = z.union([z.int(), z.iso.datetime({ offset: true }).transform(Date.parse)])

const foreignPaymentsSchema = z.strictObject({
  count: z.int().positive().default(1),
  /** Spread evenly between two times, as ISO text or milliseconds; now by default. */
  from: timeSchema.optional(),
  to: timeSchema.optional(),
  paymentType: z.enum(['ECOM', 'POS']).default('ECOM'),
  status: z.enum(['SUCCESSFUL', 'FAILED', 'CANCELLED']).default('SUCCESSFUL'),
  amount: z.number().default(10),
  currency: z.enum(currencies).optional(),
  /** The product_summary in the history. */
  description: z.string().default('Custom Amount'),
  /** The first account by default. */
  merchantCode: z.string().optional(),
})

export type Controls = ReturnType<typeof openControls>

/** What happens outside the API: at the bank, in SumUp's app, on other terminals, as time passes. */
export function openControls(context: Context) {
  const { ledger, lags, switches, merchants } = context

  return {
    /** valid_until passes now. Pending payments stay pending. */
    expire: defineControl(checkoutSchema, ({ checkout }) => {
      const validUntil = Date.now() - 1
      const expired = { ...getCheckout(context, checkout), validUntil }
      ledger.save(expired)
      return refreshCheckout(context, expired)
    }),

    /** The payer's choice on the bank's page, for the latest pending payment. */
    answerBank: defineControl(
      checkoutSchema.extend({ outcome: z.enum(['approve', 'decline', 'cancel']) }),
      async ({ checkout, outcome }) => {
        const found = getCheckout(context, checkout)
        const { transactions } = found
        const asked =
          transactions.findLast(({ status }) => status === 'PENDING') ??
          transactions.findLast(({ challenge }) => challenge !== undefined)
        if (asked === undefined) throw notFound('No payment of the checkout went to a bank')
        return answerBank(context, found, asked, bankOutcomes[outcome])
      },
    ),

    /** A second payment for a checkout that is paid. */
    payAgain: defineControl(checkoutSchema, async ({ checkout }) => {
      const found = getCheckout(context, checkout)
      const paid = findPaid(found)
      if (paid === undefined) throw notFound('The checkout is not paid')
      const second = newTransaction(found, paid, 'SUCCESSFUL', Date.now())
      return recordOutcome(context, { ...found, transactions: [...found.transactions, second] })
    }),

    /** By the owner in SumUp's app: all that is left, or a part. */
    refund: defineControl(reversalSchema, ({ payment, amount }) =>
      reverseAmount(context, 'refunds', getPayment(context, payment), amount),
    ),

    /** The oldest refund of the payment that is pending, by the fault `refund-pending`. */
    endRefund: defineControl(
      paymentSchema.extend({ outcome: z.enum(['done', 'failed']) }),
      ({ payment, outcome }) => {
        const { checkout, transaction } = getPayment(context, payment)
        const pending = transaction.refundAttempts?.find(({ status }) => status === 'PENDING')
        if (pending === undefined) throw notFound('No refund of the payment is pending')
        const end = {
          isDone: outcome === 'done',
          marksTransaction: switches.refundsMarkTransaction,
        }
        const after = endRefund(checkout, transaction.id, pending, end, Date.now())
        ledger.save(after, { durable: true })
        return after
      },
    ),

    /** By the payer's bank. */
    chargeBack: defineControl(reversalSchema, ({ payment, amount }) =>
      reverseAmount(context, 'chargebacks', getPayment(context, payment), amount),
    ),

    /** No call shows the checkout any more; its transactions are still found by id and in the history. */
    vanish: defineControl(checkoutSchema, ({ checkout }) =>
      ledger.save({ ...getCheckout(context, checkout), vanished: true }),
    ),

    /** The transaction is unknown from now on, also to its checkout, whose status stays. */
    forget: defineControl(paymentSchema, ({ payment }) => {
      const { checkout, transaction } = getPayment(context, payment)
      const transactions = checkout.transactions.filter(({ id }) => id !== transaction.id)
      ledger.save({ ...checkout, transactions })
    }),

    /** Payments on the account that were not made through this API. */
    addForeignPayments: defineControl(foreignPaymentsSchema, (wanted) => {
      const merchant = merchants.getByCode(wanted.merchantCode ?? merchants.first.code)
      const currency = wanted.currency ?? merchant.currency
      const amountMinor = toMinor(wanted.amount, currency)
      if (amountMinor === undefined) throw invalid(['amount: not an amount of this currency'])
      const { from = wanted.to ?? Date.now(), to = from, count } = wanted
      const step = count === 1 ? 0 : (to - from) / (count - 1)
      const card = { cardType: 'VISA', lastDigits: '0000' }
      const made = Array.from({ length: count }, (_, index): Checkout => {
        const at = Math.round(from + index * step)
        const transaction = newTransaction({ amountMinor, currency }, card, wanted.status, at)
        const { paymentType } = wanted
        const id = randomUUID()
        return {
          id,
          reference: `foreign-${id}`,
          formerReferences: [],
          merchantCode: merchant.code,
          foreign: true,
          amountMinor,
          currency,
          description: wanted.description,
          status: wanted.status === 'SUCCESSFUL' ? 'PAID' : 'FAILED',
          createdAt: at,
          validUntil: null,
          transactions: [paymentType === 'POS' ? { ...transaction, paymentType } : transaction],
        }
      })
      ledger.saveAll(made)
      return made.flatMap(({ transactions }) => transactions.map(({ id, code }) => ({ id, code })))
    }),

    /** Reads of this checkout are stale from now on, for a number of reads or until released. */
    lag: defineControl(
      checkoutSchema.extend({
        shows: z.enum(lagViews).default('as-before'),
        reads: z.int().positive().optional(),
      }),
      ({ checkout, shows, reads }) => lags.begin(getCheckout(context, checkout), shows, { reads }),
    ),

    /** Ends the lag of a checkout, or of all. */
    release: defineControl(checkoutSchema.partial(), ({ checkout }) =>
      lags.release(checkout && getCheckout(context, checkout).id),
    ),

    /** Changes the given switches and returns all of them. */
    setSwitches: defineControl(switchesSchema.partial(), (changes) =>
      structuredClone(Object.assign(switches, changes)),
    ),

    /** One more account; the other keys stay valid. */
    addAccount: defineControl(accountSchema, (account) => merchants.add(account)),

    /** Another account, or a former one: no other key is accepted from now on. */
    switchAccount: defineControl(accountSchema, (account) =>
      merchants.add(account, { only: true }),
    ),

    /** No faults, no lag, default switches. Accounts and the ledger stay. */
    reset: defineControl(z.strictObject({}), () => {
      context.faults.clear()
      lags.release()
      Object.assign(switches, structuredClone(defaultSwitches))
    }),
  }
}

/** Controls, faults and the ledger, for other processes. SumUp has nothing of the kind. */
export function registerControls(app: FastifyInstance, context: Context, controls: Controls): void {
  const preHandler = async (request: FastifyRequest): Promise<void> => {
    requireLocalCaller(request)
    // A key stays valid here after switchAccount.
    if (!context.merchants.isKnownKey(findKey(request) ?? '')) throw unauthorized()
  }

  for (const [name, run] of Object.entries(controls))
    app.post(`/sandbox/${toKebab(name)}`, { preHandler }, async ({ body }, reply) =>
      sendResponse(reply, toResponse(await (run as (input: unknown) => unknown)(body ?? {}))),
    )

  app.get('/sandbox/faults', { preHandler }, (_request, reply) =>
    sendResponse(reply, { status: 200, body: context.faults.report() }),
  )
  app.post('/sandbox/faults', { preHandler }, ({ body }, reply) => {
    const setFaults = defineControl(faultPlanSchema, (plan) => context.faults.set(plan))
    return sendResponse(reply, toResponse(setFaults(body as FaultPlan)))
  })
  app.delete('/sandbox/faults', { preHandler }, (_request, reply) => {
    context.faults.clear()
    return sendResponse(reply, { status: 204 })
  })
  app.get('/sandbox/ledger', { preHandler }, (_request, reply) =>
    sendResponse(reply, { status: 200, body: readLedger(context) }),
  )
}

/** Everything that was created and paid, as stored: money in minor units, times in milliseconds. */
export function readLedger({ ledger }: Context) {
  const checkouts = structuredClone(ledger.listCheckouts().filter(({ foreign }) => !foreign))
  return {
    checkouts,
    transactions: checkouts.flatMap(({ id, reference, transactions }) =>
      transactions.map((transaction) => ({ checkoutId: id, reference, ...transaction })),
    ),
    deliveries: structuredClone(ledger.listDeliveries()),
  }
}

/** Validates the input, which is untyped when it comes from another process. */
function defineControl<Schema extends z.ZodType, Result>(
  schema: Schema,
  run: (input: z.output<Schema>) => Result,
) {
  return (input: z.input<Schema>): Result => {
    const parsed = schema.safeParse(input)
    if (parsed.success) return run(parsed.data)
    throw invalid(parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`))
  }
}

function getCheckout(context: Context, idOrReference: string): Checkout {
  const { ledger } = context
  const known = ledger.findCheckout(idOrReference) ?? ledger.listByReference(idOrReference).at(-1)
  if (known === undefined) throw notFound('There is no such checkout')
  return refreshCheckout(context, known)
}

function getPayment(context: Context, payment: string) {
  const found = context.ledger.findTransaction(payment)
  if (found) return found
  const checkout = getCheckout(context, payment)
  const transaction = findPaid(checkout)
  if (transaction === undefined) throw notFound('The checkout is not paid')
  return { checkout, transaction }
}

const toResponse = (body: unknown): ApiResponse =>
  body === undefined ? { status: 204 } : { status: 200, body }

const toKebab = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

const notFound = (detail: string): ApiError => problem(404, 'Not Found', detail)

const invalid = (message: string[]): ApiError =>
  new ApiError({ status: 400, body: { error_code: 'INVALID', message } })

/** Behind a proxy every caller would look local: forwarded calls are refused. */
function requireLocalCaller({ socket, headers, hostname }: FastifyRequest): void {
  const isForwarded = headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined
  const address = (socket.remoteAddress ?? '').replace(/^::ffff:/, '')
  const isLocal = (address === '::1' || isLoopbackHost(address)) && isLoopbackHost(hostname)
  if (isForwarded || !isLocal) throw problem(403, 'Forbidden', 'From this machine only')
}
