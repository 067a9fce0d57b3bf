import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { accountSchema } from './accounts.ts'
import { Refused, type Answer } from './answers.ts'
import { outcomes } from './challenge-routes.ts'
import { answerBank, recordOutcome, refreshCheckout, type Desk } from './desk.ts'
import { findKey } from './door.ts'
import { faultPlanSchema, type FaultPlan } from './faults/fault-rules.ts'
import { lagViews } from './lag.ts'
import { newId } from './ledger/ids.ts'
import { toMinor } from './ledger/money.ts'
import { findPaid, newTransaction, payAgain } from './ledger/payment.ts'
import { currencies, type Checkout } from './ledger/records.ts'
import { isLoopbackAddress, isLoopbackHost } from './loopback.ts'
import { sendAnswer } from './operation.ts'
import { giveBack } from './refund-routes.ts'
import { problem, unauthorized } from './refusals.ts'
import { defaultSwitches, switchesSchema } from './switches.ts'

/** A checkout by its id or reference. */
const checkoutSchema = z.strictObject({ checkout: z.string() })
/** A payment by the id or code of its transaction, or by its checkout. */
const paymentSchema = z.strictObject({ payment: z.string(), amount: z.number().optional() })
const timeSchema = z.union([z.int(), z.iso.datetime({ offset: true }).transform(Date.parse)])

const foreignPaymentsSchema = z.strictObject({
  count: z.int().positive().default(1),
  /** Spread evenly from the first time to the last, as ISO text or milliseconds; now unless told. */
  from: timeSchema.optional(),
  to: timeSchema.optional(),
  paymentType: z.enum(['ECOM', 'POS']).default('ECOM'),
  status: z.enum(['SUCCESSFUL', 'FAILED', 'CANCELLED']).default('SUCCESSFUL'),
  amount: z.number().default(10),
  currency: z.enum(currencies).optional(),
  /** What the history says as product_summary. */
  description: z.string().default('Custom Amount'),
  /** Of which account; the first one's unless told. */
  merchantCode: z.string().optional(),
})

export type Controls = ReturnType<typeof openControls>

/** What happens outside of the API's calls: at the bank, in SumUp's app, by other merchants, by time. */
export function openControls(desk: Desk) {
  const { ledger, lags, switches, accounts } = desk

  return {
    /** valid_until passes now. What waits at the bank goes on waiting. */
    expire: define(checkoutSchema, ({ checkout }) => {
      const validUntil = Date.now() - 1
      const expired = { ...getCheckout(desk, checkout), validUntil }
      ledger.save(expired)
      return refreshCheckout(desk, expired)
    }),

    /** The payer's choice on the bank's page, for the latest payment that waits there. */
    answerBank: define(
      checkoutSchema.extend({ outcome: z.enum(['approve', 'decline', 'cancel']) }),
      async ({ checkout, outcome }) => {
        const known = getCheckout(desk, checkout)
        const { transactions } = known
        const asked =
          transactions.findLast(({ status }) => status === 'PENDING') ??
          transactions.findLast(({ challenge }) => challenge !== undefined)
        if (asked === undefined) throw notFound('No payment of the checkout went to a bank')
        return answerBank(desk, known, asked, outcomes[outcome])
      },
    ),

    /** A second payment for a checkout that is paid. */
    payAgain: define(checkoutSchema, async ({ checkout }) => {
      const known = getCheckout(desk, checkout)
      const paid = findPaid(known)
      if (paid === undefined) throw notFound('The checkout is not paid')
      return recordOutcome(desk, payAgain(known, paid, Date.now()))
    }),

    /** By the owner in SumUp's app: all that is left, or a part. */
    refund: define(paymentSchema, ({ payment, amount }) => {
      const { checkout, transaction } = getPayment(desk, payment)
      return giveBack(desk, 'refunds', checkout, transaction, amount)
    }),

    /** The payer's bank takes the money back. */
    chargeBack: define(paymentSchema, ({ payment, amount }) => {
      const { checkout, transaction } = getPayment(desk, payment)
      return giveBack(desk, 'chargebacks', checkout, transaction, amount)
    }),

    /** Payments on the account that no checkout of this API explains. */
    addForeignPayments: define(foreignPaymentsSchema, (wanted) => {
      const merchant = accounts.getByCode(wanted.merchantCode ?? accounts.first.code)
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
        const id = newId()
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

    /** From now on reads of this checkout show something old, for a number of reads or until released. */
    lag: define(
      checkoutSchema.extend({
        shows: z.enum(lagViews).default('as-before'),
        reads: z.int().positive().optional(),
      }),
      ({ checkout, shows, reads }) => lags.begin(getCheckout(desk, checkout), shows, { reads }),
    ),

    /** Ends the lag of a checkout, or of all. */
    release: define(checkoutSchema.partial(), ({ checkout }) =>
      lags.release(checkout && getCheckout(desk, checkout).id),
    ),

    /** Changes those that are named and answers with all. */
    setSwitches: define(switchesSchema.partial(), (changes) =>
      structuredClone(Object.assign(switches, changes)),
    ),

    /** One more account, whose key works beside the others. */
    addAccount: define(accountSchema, (account) => accounts.add(account)),

    /** Another account, or an old one again: no other key works from now on. */
    switchAccount: define(accountSchema, (account) => accounts.add(account, { only: true })),

    /** No faults, no lag, all switches as at the start. Accounts and the books stay. */
    reset: define(z.strictObject({}), () => {
      desk.faults.clear()
      lags.release()
      Object.assign(switches, structuredClone(defaultSwitches))
    }),
  }
}

/** For proofs in other processes: controls, faults and the books. SumUp has nothing of the kind. */
export function mountControls(app: FastifyInstance, desk: Desk, controls: Controls): void {
  const preHandler = async (request: FastifyRequest): Promise<void> => {
    requireThisMachine(request)
    // The key of an account that was switched away goes on working here: its proof goes on too.
    if (!desk.accounts.wasEverKey(findKey(request) ?? '')) throw unauthorized()
  }

  for (const [name, run] of Object.entries(controls))
    app.post(`/sandbox/${toKebab(name)}`, { preHandler }, async ({ body }, reply) =>
      sendAnswer(reply, toAnswer(await (run as (input: unknown) => unknown)(body ?? {}))),
    )

  app.get('/sandbox/faults', { preHandler }, (_request, reply) =>
    sendAnswer(reply, { status: 200, body: desk.faults.report() }),
  )
  app.post('/sandbox/faults', { preHandler }, ({ body }, reply) => {
    const setFaults = define(faultPlanSchema, (plan) => desk.faults.set(plan))
    return sendAnswer(reply, toAnswer(setFaults(body as FaultPlan)))
  })
  app.delete('/sandbox/faults', { preHandler }, (_request, reply) => {
    desk.faults.clear()
    return sendAnswer(reply, { status: 204 })
  })
  app.get('/sandbox/ledger', { preHandler }, (_request, reply) =>
    sendAnswer(reply, { status: 200, body: readBooks(desk) }),
  )
}

/** Everything that was created and paid here, as kept: money in minor units, times in milliseconds. */
export function readBooks({ ledger }: Pick<Desk, 'ledger'>) {
  const checkouts = structuredClone(ledger.checkouts().filter(({ foreign }) => !foreign))
  return {
    checkouts,
    transactions: checkouts.flatMap(({ id, reference, transactions }) =>
      transactions.map((transaction) => ({ checkoutId: id, reference, ...transaction })),
    ),
    deliveries: structuredClone(ledger.deliveries()),
  }
}

/** What comes from another process is not typed: it is checked here, for both ways in. */
function define<Schema extends z.ZodType, Result>(
  schema: Schema,
  run: (input: z.output<Schema>) => Result,
) {
  return (input: z.input<Schema>): Result => {
    const parsed = schema.safeParse(input)
    if (parsed.success) return run(parsed.data)
    throw invalid(parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`))
  }
}

function getCheckout(desk: Desk, idOrReference: string): Checkout {
  const { ledger } = desk
  const known =
    ledger.maybeCheckout(idOrReference) ?? ledger.checkoutsByReference(idOrReference).at(-1)
  if (known === undefined) throw notFound('There is no such checkout')
  return refreshCheckout(desk, known)
}

function getPayment(desk: Desk, payment: string) {
  const found = desk.ledger.maybeTransaction(payment)
  if (found) return found
  const checkout = getCheckout(desk, payment)
  const transaction = findPaid(checkout)
  if (transaction === undefined) throw notFound('The checkout is not paid')
  return { checkout, transaction }
}

const toAnswer = (body: unknown): Answer =>
  body === undefined ? { status: 204 } : { status: 200, body }

const toKebab = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

const notFound = (detail: string): Refused => problem(404, 'not-found', 'Not Found', detail)

const invalid = (message: string[]): Refused =>
  new Refused({ status: 400, body: { error_code: 'INVALID', message } })

/** A proxy in front would make every caller look local: what came through one is refused. */
function requireThisMachine({ socket, headers, hostname }: FastifyRequest): void {
  const forwarded = headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined
  const local = isLoopbackAddress(socket.remoteAddress) && isLoopbackHost(hostname)
  if (forwarded || !local) throw problem(403, 'forbidden', 'Forbidden', 'From this machine only')
}
