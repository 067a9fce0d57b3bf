import type { FastifyInstance } from 'fastify'
import { Refused, type Answer } from './answers.ts'
import { refreshCheckout, type Desk, type MerchantAccount } from './desk.ts'
import { requireKey } from './door.ts'
import { readHistory } from './history.ts'
import { operation } from './operation.ts'
import { invalidRequest, problem, resourceNotFound } from './refusals.ts'
import { isLagging, merchantName, showTime } from './show-checkout.ts'
import { showTransaction } from './show-transaction.ts'

const locales: Record<string, string> = { AT: 'de-AT', CH: 'de-CH', DE: 'de-DE', FR: 'fr-FR' }

/** The account, its payment methods and its transactions. */
export function mountMerchant(app: FastifyInstance, desk: Desk): void {
  const preHandler = requireKey(desk)
  const { merchant, ledger } = desk
  const openedAt = Date.now()

  app.get(
    '/v1/merchants/:merchantCode',
    { preHandler },
    operation(desk, 'merchant', ({ params }) => {
      if (!isOurs(params, merchant))
        throw problem(404, 'not-found', 'Not Found', 'Merchant not found')
      return { status: 200, body: showMerchant(merchant, openedAt) }
    }),
  )

  app.get(
    '/v0.1/merchants/:merchantCode/payment-methods',
    { preHandler },
    operation(desk, 'payment-methods', ({ params, query }) => {
      const { amount, currency } = query as Record<string, string | undefined>
      if (amount !== undefined && currency === undefined) throw currencyMissing()
      const card = isOurs(params, merchant) && (currency ?? merchant.currency) === merchant.currency
      return { status: 200, body: { available_payment_methods: card ? [{ id: 'card' }] : [] } }
    }),
  )

  app.get(
    '/v2.1/merchants/:merchantCode/transactions',
    { preHandler },
    operation(desk, 'transaction', ({ params, query }): Answer => {
      const { id, transaction_code: code, ...rest } = query as Record<string, string | undefined>
      const wanted = id ?? code
      const foreign = rest.foreign_transaction_id ?? rest.client_transaction_id
      if (wanted === undefined && foreign === undefined) throw invalidRequest()
      const found = wanted === undefined ? undefined : ledger.maybeTransaction(wanted)
      // Shortly after a payment SumUp may not know its transaction yet.
      if (found === undefined || isLagging(found.checkout) || !isOurs(params, merchant))
        throw resourceNotFound()
      const { checkout, transaction } = found
      return { status: 200, body: showTransaction(checkout, transaction, merchant, desk.publicUrl) }
    }),
  )

  app.get(
    '/v2.1/merchants/:merchantCode/transactions/history',
    { preHandler },
    operation(desk, 'history', ({ params, query }) => {
      if (!isOurs(params, merchant)) throw resourceNotFound()
      const checkouts = ledger
        .checkouts()
        .map((checkout) => refreshCheckout(desk, checkout))
        .filter((checkout) => !isLagging(checkout))
      return { status: 200, body: readHistory(checkouts, query as Record<string, unknown>) }
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
