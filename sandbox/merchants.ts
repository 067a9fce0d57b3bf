import type { FastifyInstance } from 'fastify'
import { isOwnPath, merchantName, type MerchantAccount } from './accounts.ts'
import { merchantEndpoint } from './api.ts'
import type { Context } from './context.ts'
import { ApiError, problem } from './errors.ts'
import { listMethods } from './methods.ts'
import { formatTime } from './records.ts'

/** The account and its payment methods. */
export function registerMerchants(app: FastifyInstance, context: Context): void {
  const openedAt = Date.now()

  app.get(
    '/v1/merchants/:merchantCode',
    merchantEndpoint(context, 'merchant', (request, merchant) => {
      if (!isOwnPath(request, merchant)) throw problem(404, 'Not Found', 'Merchant not found')
      return { status: 200, body: showMerchant(merchant, openedAt) }
    }),
  )

  app.get(
    '/v0.1/merchants/:merchantCode/payment-methods',
    merchantEndpoint(context, 'payment-methods', (request, merchant) => {
      const { amount, currency } = request.query as Record<string, string | undefined>
      if (amount !== undefined && currency === undefined) throw currencyMissing()
      const canPay =
        isOwnPath(request, merchant) && (currency ?? merchant.currency) === merchant.currency
      const others = listMethods(merchant).map(({ id }) => ({ id }))
      const methods = canPay ? [{ id: 'card' }, ...others] : []
      return { status: 200, body: { available_payment_methods: methods } }
    }),
  )
}

const locales: Record<string, string> = { AT: 'de-AT', CH: 'de-CH', DE: 'de-DE', FR: 'fr-FR' }

function showMerchant(merchant: MerchantAccount, openedAt: number) {
  return {
    merchant_code: merchant.code,
    alias: merchantName,
    business_type: 'sole_trader',
    country: merchant.country,
    default_currency: merchant.currency,
    default_locale: locales[merchant.country] ?? `en-${merchant.country}`,
    sandbox: merchant.sandbox,
    created_at: formatTime(openedAt),
    updated_at: formatTime(openedAt),
  }
}

function currencyMissing(): ApiError {
  const message = 'Currency must also be specified when filtering by amount'
  const failed = [{ message, reference: 'currency' }]
  const body = { title: 'Bad Request', status: 400, failed_constraints: failed }
  return new ApiError({ status: 400, body })
}
