import type { FastifyInstance } from 'fastify'
import { Refused, type Answer } from './answers.ts'
import type { Desk } from './desk.ts'
import { requireKey } from './door.ts'
import { toMajor, toMinor } from './ledger/money.ts'
import { addRefund, refundableMinor } from './ledger/refund.ts'
import { isOurs } from './merchant-routes.ts'
import { operation } from './operation.ts'
import { problem, resourceNotFound } from './refusals.ts'

/** Money back: the call of 2026 and the older one that SumUp's guides still show. */
export function mountRefunds(app: FastifyInstance, desk: Desk): void {
  const preHandler = requireKey(desk)

  app.post(
    '/v1.0/merchants/:merchantCode/payments/:transactionId/refunds',
    { preHandler },
    operation(desk, 'refund', ({ params, body }): Answer => {
      if (!isOurs(params, desk.merchant)) throw transactionNotFound()
      refund(desk, (params as { transactionId: string }).transactionId, body)
      return { status: 201, body: {} }
    }),
  )

  app.post(
    '/v0.1/me/refund/:transactionId',
    { preHandler },
    operation(desk, 'refund', ({ params, body }): Answer => {
      try {
        refund(desk, (params as { transactionId: string }).transactionId, body)
        return { status: 204 }
      } catch (error) {
        throw asLegacy(error)
      }
    }),
  )
}

/** No body is all that is left. The transaction stays SUCCESSFUL and its checkout PAID. */
function refund({ ledger }: Desk, transactionId: string, body: unknown): void {
  const found = ledger.maybeTransaction(transactionId)
  if (found?.transaction.id !== transactionId) throw transactionNotFound()
  const { checkout, transaction } = found
  const left = refundableMinor(transaction)
  const { amount } = (body ?? {}) as { amount?: unknown }
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
  ledger.save(addRefund(checkout, transaction.id, wanted, Date.now()), { durable: true })
}

const transactionNotFound = (): Refused =>
  problem(404, 'not-found', 'Not Found', 'Transaction not found')

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
