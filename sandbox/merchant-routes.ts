import type { FastifyInstance } from 'fastify'
import type { MerchantAccount } from './accounts.ts'
import { Refused, type Answer } from './answers.ts'
import { refreshCheckout, type Desk } from './desk.ts'
import { getMerchant, requireKey } from './door.ts'
import { readHistory } from './history.ts'
import { operation } from './operation.ts'
import { invalidRequest, problem, resourceNotFound } from './refusals.ts'
import { merchantName, showTime } from './show-checkout.ts'
import { showTransaction } from './show-transaction.ts'

const locales: Record<string, string> = { AT: 'de-AT', CH: 'de-CH', DE: 'de-DE', FR: 'fr-FR' }

/** The account, its payment methods and its transactions. */
export function mountMerchant(app: FastifyInstance, desk: Desk): void {
  const preHandler = requireKey(desk)
  const { ledger, lags } = desk
  const openedAt = Date.now()

  app.get(
    '/v1/merchants/:merchantCode',
    { preHandler },
    operation(desk, 'merchant', (request) => {
      const merchant = getMerchant(desk, request)
      if (!isOurs(request.params, merchant))
        throw problem(404, 'not-found', 'Not Found', 'Merchant not found')
      return { status: 200, body: showMerchant(merchant, openedAt) }
    }),
  )

  app.get(
    '/v0.1/merchants/:merchantCode/payment-methods',
    { preHandler },
    operation(desk, 'payment-methods', (request) => {
      const merchant = getMerchant(desk, request)
      const { amount, currency } = request.query as Record<string, string | undefined>
      if (amount !== undefined && currency === undefined) throw currencyMissing()
      const card =
        isOurs(request.params, merchant) && (currency ?? merchant.currency) === merchant.currency
      return { status: 200, body: { available_payment_methods: card ? [{ id: 'card' }] : [] } }
    }),
  )

  app.get(
    '/v2.1/merchants/:merchantCode/transactions',
    { preHandler },
    operation(desk, 'transaction', (request): Answer => {
      const merchant = getMerchant(desk, request)
      const {
        id,
        transaction_code: code,
        ...rest
      } = request.query as Record<string, string | undefined>
      const wanted = id ?? code
      const foreign = rest.foreign_transaction_id ?? rest.client_transaction_id
      if (wanted === undefined && foreign === undefined) throw invalidRequest()
      const found = wanted === undefined ? undefined : ledger.maybeTransaction(wanted)
      if (found?.checkout.merchantCode !== merchant.code || !isOurs(request.params, merchant))
        throw resourceNotFound()
      // Shortly after a payment SumUp may not know its transaction yet.
      const seen = lags.view(found.checkout)
      const transaction = seen.transactions.find((one) => one.id === found.transaction.id)
      if (transaction === undefined) throw resourceNotFound()
      return { status: 200, body: showTransaction(seen, transaction, merchant, desk.publicUrl) }
    }),
  )

  app.get(
    '/v2.1/merchants/:merchantCode/transactions/history',
    { preHandler },
    operation(desk, 'history', (request) => {
      const merchant = getMerchant(desk, request)
      if (!isOurs(request.params, merchant)) throw resourceNotFound()
      const checkouts = ledger
        .checkouts()
        .filter(({ merchantCode }) => merchantCode === merchant.code)
        .map((checkout) => lags.view(refreshCheckout(desk, checkout)))
      const query = request.query as Record<string, unknown>
      return { status: 200, body: readHistory(checkouts, query, desk.switches) }
    }),
  )
}

export function isOurs(params: unknown, { code }: MerchantAccount): boolean {
  return (params as { merchantCode: string }).merchantCode === code
}

function showMerchant(merchant: MerchantAccount, openedAt: number) {
  return {
    merchant_code: merchant.code,
    alias: merchantName,
    business_type: 'sole_trader',
    country: merchant.country,
    default_currency: merchant.currency,
    default_locale: locales[merchant.country] ?? `en-${merchant.country}`,
    sandbox: merchant.sandbox,
    created_at: showTime(openedAt),
    updated_at: showTime(openedAt),
  }
}

function currencyMissing(): Refused {
  const message = 'Currency must also be specified when filtering by amount'
  return new Refused({
    status: 400,
    body: {
      title: 'Bad Request',
      status: 400,
      failed_constraints: [{ message, reference: 'currency' }],
    },
  })
}
