import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isOwnPath, type MerchantAccount } from './accounts.ts'
import { merchantEndpoint } from './api.ts'
import type { Context } from './context.ts'
import { ApiError, invalidRequest, problem, resourceNotFound, type ApiResponse } from './errors.ts'
import { refundFaults } from './faults.ts'
import { getEntryMode, getPaymentType } from './methods.ts'
import { attemptRefund, listReversals, refundableMinor, reversePayment } from './payments.ts'
import {
  formatTime,
  listNames,
  otherMethods,
  toMajor,
  toMinor,
  type Checkout,
  type Transaction,
} from './records.ts'

export const merchantEmail = 'merchant@example.com'

/** Reading a transaction, and refunds: the call of 2026 and the older one that SumUp's guides still show. */
export function registerTransactions(app: FastifyInstance, context: Context): void {
  app.get(
    '/v2.1/merchants/:merchantCode/transactions',
    merchantEndpoint(context, 'transaction', (request, merchant) => {
      const query = request.query as Record<string, string | undefined>
      const wanted = query.id ?? query.transaction_code
      const foreign = query.foreign_transaction_id ?? query.client_transaction_id
      if (wanted === undefined && foreign === undefined) throw invalidRequest()
      const found = wanted === undefined ? undefined : context.ledger.findTransaction(wanted)
      if (found?.checkout.merchantCode !== merchant.code || !isOwnPath(request, merchant))
        throw resourceNotFound()
      // Shortly after a payment SumUp may not know its transaction yet.
      const seen = context.lags.view(found.checkout)
      const transaction = seen.transactions.find(({ id }) => id === found.transaction.id)
      if (transaction === undefined) throw resourceNotFound()
      const shown = hideEvents(context, seen, transaction)
      return { status: 200, body: showTransaction(seen, shown, merchant, context.publicUrl) }
    }),
  )

  app.post(
    '/v1.0/merchants/:merchantCode/payments/:transactionId/refunds',
    merchantEndpoint(context, 'refund', (request, merchant) => {
      if (!isOwnPath(request, merchant)) throw transactionNotFound()
      return refund(context, request, merchant) ?? { status: 201, body: {} }
    }),
  )

  app.post(
    '/v0.1/me/refund/:transactionId',
    merchantEndpoint(context, 'refund', (request, merchant) => {
      try {
        return refund(context, request, merchant) ?? { status: 204 }
      } catch (error) {
        throw toLegacyError(error)
      }
    }),
  )
}

/** A fault can show a payment as it was before its refunds and chargebacks. */
function hideEvents({ faults }: Context, checkout: Checkout, transaction: Transaction) {
  const names = listNames(checkout, transaction)
  if (listReversals(transaction).length === 0) return transaction
  if (!faults.trigger('transaction', ['without-events'], names)) return transaction
  const { refundAttempts: _attempts, chargebacks: _chargebacks, ...rest } = transaction
  return { ...rest, refunds: [], status: 'SUCCESSFUL' as const }
}

/** The answer, if a fault replaces the one of the call. */
function refund(
  context: Context,
  { params, body }: FastifyRequest,
  merchant: MerchantAccount,
): ApiResponse | undefined {
  const { transactionId } = params as { transactionId: string }
  const found = context.ledger.findTransaction(transactionId)
  if (found?.transaction.id !== transactionId || found.checkout.merchantCode !== merchant.code)
    throw transactionNotFound()
  const { checkout, transaction } = found
  const { amount } = (body ?? {}) as { amount?: unknown }
  const amountMinor = getRefundMinor(transaction, amount)
  const attempt = (status: 'PENDING' | 'FAILED') =>
    context.ledger.save(
      attemptRefund(checkout, transaction.id, { amountMinor, status }, Date.now()),
      { durable: true },
    )
  const fault = context.faults.trigger('refund', refundFaults, listNames(checkout, transaction))
  switch (fault?.kind) {
    case undefined:
      reverseAmount(context, 'refunds', found, amount)
      return undefined
    case 'refund-rejected':
      throw refundFailed({
        code: 'REFUND_FAILED',
        detail: 'The payment processor rejected the refund',
      })
    case 'refund-failed':
      attempt('FAILED')
      return { status: 200, body: { status: 'failed', response_code: '51' } }
    case 'refund-pending':
      attempt('PENDING')
      return undefined
  }
}

/** A refund by the API or in SumUp's app, or a chargeback by the bank. Without an amount: all that is left. */
export function reverseAmount(
  { ledger, switches }: Context,
  type: 'refunds' | 'chargebacks',
  { checkout, transaction }: { checkout: Checkout; transaction: Transaction },
  amount?: unknown,
): Checkout {
  const amountMinor = getRefundMinor(transaction, amount)
  const marksTransaction = type === 'refunds' && switches.refundsMarkTransaction
  const reversal = { type, amountMinor, marksTransaction }
  const after = reversePayment(checkout, transaction.id, reversal, Date.now())
  ledger.save(after, { durable: true })
  return after
}

function getRefundMinor(transaction: Transaction, amount: unknown): number {
  const left = refundableMinor(transaction)
  const wanted = amount === undefined ? left : toMinor(amount, transaction.currency)
  if (wanted === undefined) throw problem(400, 'Bad Request', 'amount must be greater than zero')
  if (left === 0) throw problem(409, 'Conflict', notRefundable)
  if (wanted > left)
    throw refundFailed({
      code: 'INVALID_AMOUNT',
      detail: 'Amount exceeds the refundable amount',
      reason: 'amount_too_high',
      max_refundable_amount: toMajor(left, transaction.currency),
    })
  return wanted
}

const notRefundable = 'The transaction is not refundable in its current state'

const transactionNotFound = (): ApiError => problem(404, 'Not Found', 'Transaction not found')

const refundFailed = (reason: object): ApiError =>
  problem(422, 'Unprocessable Entity', 'Refund failed.', { errors: [reason] })

/** The older call knows only two errors, in the older format. */
function toLegacyError(error: unknown): unknown {
  if (!(error instanceof ApiError)) return error
  if (error.response.status === 404) return resourceNotFound()
  if (error.response.status === 400) return error
  return new ApiError({
    status: 409,
    body: { message: notRefundable, error_code: 'CONFLICT' },
  })
}

const hasCard = ({ method }: Transaction): boolean => !method || !otherMethods[method].leavesPage

function getSimpleType(transaction: Transaction): string {
  if (transaction.paymentType === 'POS') return 'EMV'
  return hasCard(transaction) ? 'CC_CUSTOMER_ENTERED' : 'APM'
}

/** Refunds and chargebacks show only here and in the history, not in the checkout. */
function showTransaction(
  checkout: Checkout,
  transaction: Transaction,
  merchant: MerchantAccount,
  publicUrl: string,
) {
  const major = (minor: number): number => toMajor(minor, transaction.currency)
  const refundable = refundableMinor(transaction)
  const events = listReversals(transaction)
  return {
    id: transaction.id,
    transaction_code: transaction.code,
    amount: major(transaction.amountMinor),
    currency: transaction.currency,
    timestamp: formatTime(transaction.createdAt),
    local_time: formatTime(transaction.createdAt),
    status: transaction.status,
    simple_status: transaction.chargebacks ? 'CHARGEBACK' : transaction.status,
    payment_type: getPaymentType(transaction),
    simple_payment_type: getSimpleType(transaction),
    entry_mode: getEntryMode(transaction),
    verification_method: 'none',
    installments_count: 1,
    merchant_code: merchant.code,
    username: merchantEmail,
    vat_amount: 0,
    tip_amount: 0,
    auth_code: transaction.authCode,
    ...(hasCard(transaction)
      ? { card: { last_4_digits: transaction.lastDigits, type: transaction.cardType } }
      : {}),
    product_summary: checkout.description,
    payout_plan: 'SINGLE_PAYMENT',
    payouts_total: 1,
    payouts_received: 0,
    tax_enabled: false,
    links:
      refundable > 0
        ? [
            {
              rel: 'refund',
              href: `${publicUrl}/v0.1/me/refund/${transaction.id}`,
              type: 'application/json',
              min_amount: major(1),
              max_amount: major(refundable),
            },
          ]
        : [],
    events: events.map(({ eventId, type, status, amountMinor, at }) => ({
      id: eventId,
      transaction_id: transaction.id,
      type,
      status,
      amount: major(amountMinor),
      timestamp: formatTime(at),
    })),
    transaction_events: events.map(({ eventId, type, status, amountMinor, at }) => ({
      id: eventId,
      event_type: type,
      status,
      amount: major(amountMinor),
      date: formatTime(at).slice(0, 10),
      due_date: formatTime(at).slice(0, 10),
      timestamp: formatTime(at),
    })),
  }
}
