import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Refused, type Answer } from './answers.ts'
import type { Desk } from './desk.ts'
import { getMerchant, requireKey } from './door.ts'
import { refundFaults } from './faults/fault-rules.ts'
import { toMajor, toMinor } from './ledger/money.ts'
import { refundableMinor, reversePayment } from './ledger/payment.ts'
import type { Checkout, Transaction } from './ledger/records.ts'
import { isOurs } from './merchant-routes.ts'
import { operation } from './operation.ts'
import { problem, resourceNotFound } from './refusals.ts'

/** Money back: the call of 2026 and the older one that SumUp's guides still show. */
export function mountRefunds(app: FastifyInstance, desk: Desk): void {
  const preHandler = requireKey(desk)

  app.post(
    '/v1.0/merchants/:merchantCode/payments/:transactionId/refunds',
    { preHandler },
    operation(desk, 'refund', (request): Answer => {
      if (!isOurs(request.params, getMerchant(desk, request))) throw transactionNotFound()
      refund(desk, request)
      return { status: 201, body: {} }
    }),
  )

  app.post(
    '/v0.1/me/refund/:transactionId',
    { preHandler },
    operation(desk, 'refund', (request): Answer => {
      try {
        refund(desk, request)
        return { status: 204 }
      } catch (error) {
        throw asLegacy(error)
      }
    }),
  )
}

function refund(desk: Desk, request: FastifyRequest): void {
  const { transactionId } = request.params as { transactionId: string }
  const found = desk.ledger.maybeTransaction(transactionId)
  const { code } = getMerchant(desk, request)
  if (found?.transaction.id !== transactionId || found.checkout.merchantCode !== code)
    throw transactionNotFound()
  const { checkout, transaction } = found
  const subjects = [checkout.id, checkout.reference]
  if (desk.faults.take('refund', refundFaults, subjects)) throw rejected()
  const { amount } = (request.body ?? {}) as { amount?: unknown }
  giveBack(desk, 'refunds', checkout, transaction, amount)
}

/** By the API, by the owner in SumUp's app, or by the payer's bank. No amount is all that is left. */
export function giveBack(
  { ledger, switches }: Desk,
  type: 'refunds' | 'chargebacks',
  checkout: Checkout,
  transaction: Transaction,
  amount?: unknown,
): Checkout {
  const left = refundableMinor(transaction)
  const wanted = amount === undefined ? left : toMinor(amount, transaction.currency)
  if (amount !== undefined && wanted === undefined)
    throw problem(400, 'bad-request', 'Bad Request', 'amount must be greater than zero')
  if (left === 0)
    throw problem(
      409,
      'conflict',
      'Conflict',
      'The transaction is not refundable in its current state',
    )
  if (wanted === undefined || wanted > left) throw tooMuch(toMajor(left, transaction.currency))
  const marks = type === 'refunds' && switches.refundsMarkTransaction
  const reversal = { type, amountMinor: wanted, marks }
  const after = reversePayment(checkout, transaction.id, reversal, Date.now())
  ledger.save(after, { durable: true })
  return after
}

const transactionNotFound = (): Refused =>
  problem(404, 'not-found', 'Not Found', 'Transaction not found')

const rejected = (): Refused =>
  problem(422, 'unprocessable-entity', 'Unprocessable Entity', 'Refund failed.', {
    errors: [{ code: 'REFUND_FAILED', detail: 'The payment processor rejected the refund' }],
  })

function tooMuch(refundable: number): Refused {
  return problem(422, 'unprocessable-entity', 'Unprocessable Entity', 'Refund failed.', {
    errors: [
      {
        code: 'INVALID_AMOUNT',
        detail: 'Amount exceeds the refundable amount',
        reason: 'amount_too_high',
        max_refundable_amount: refundable,
      },
    ],
  })
}

/** The older call knows two refusals in the older words. */
function asLegacy(error: unknown): unknown {
  if (!(error instanceof Refused)) return error
  if (error.answer.status === 404) return resourceNotFound()
  if (error.answer.status === 400) return error
  const message = 'The transaction is not refundable in its current state'
  return new Refused({ status: 409, body: { message, error_code: 'CONFLICT' } })
}
