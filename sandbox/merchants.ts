import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { merchantEndpoint, type Context } from './api.ts'
import { ApiError, problem } from './errors.ts'
import { currencies, formatTime } from './records.ts'

export const merchantName = 'Sandbox Shop'

export const merchantSchema = z.strictObject({
  code: z.string().min(1).default('MSANDBOX'),
  currency: z.enum(currencies).default('EUR'),
  country: z.string().length(2).default('DE'),
  sandbox: z.boolean().default(true),
  /** In major units. SumUp's help says "above 1.00"; its API documents no minimum. */
  minimumAmount: z.number().nonnegative().default(0),
})
export type MerchantAccount = z.output<typeof merchantSchema>

export const accountSchema = z.strictObject({
  apiKey: z.string().min(1),
  merchant: merchantSchema,
})
type Account = z.output<typeof accountSchema>

export type Merchants = ReturnType<typeof openMerchants>

/** The accounts of the sandbox and their keys. Merchants do not see each other's data. */
export function openMerchants(first: Account) {
  const known = new Map([[first.apiKey, first.merchant]])
  const accepted = new Map(known)
  return {
    first: first.merchant,
    findByKey: (apiKey: string): MerchantAccount | undefined => accepted.get(apiKey),
    /** Also finds merchants whose key is no longer accepted: their buyers can still pay. */
    getByCode: (merchantCode: string): MerchantAccount =>
      [...known.values()].findLast(({ code }) => code === merchantCode) ?? first.merchant,
    isKnownKey: (apiKey: string): boolean => known.has(apiKey),
    /** With `only`, no other key is accepted from now on. */
    add({ apiKey, merchant }: Account, { only } = { only: false }): void {
      if (only) accepted.clear()
      accepted.set(apiKey, merchant)
      // Deleted first, so that getByCode finds the latest version last.
      known.delete(apiKey)
      known.set(apiKey, merchant)
    },
  }
}

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
      const hasCard =
        isOwnPath(request, merchant) && (currency ?? merchant.currency) === merchant.currency
      return { status: 200, body: { available_payment_methods: hasCard ? [{ id: 'card' }] : [] } }
    }),
  )
}

export function isOwnPath({ params }: FastifyRequest, { code }: MerchantAccount): boolean {
  return (params as { merchantCode: string }).merchantCode === code
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
