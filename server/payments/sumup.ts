import type { z } from 'zod'
import { isUuid } from '#server/http/uuid.ts'
import { ProviderAway } from './circuit-breaker.ts'
import {
  historySchema,
  merchantSchema,
  sumupCheckoutSchema,
  sumupCheckoutsSchema,
  transactionSchema,
  type SumupCheckout,
  type SumupTransaction,
} from './sumup-answers.ts'
import { sumupHttp, SumupRefusal, type SumupRequest } from './sumup-http.ts'

export type NewSumupCheckout = {
  reference: string
  amount: string
  currency: string
  description: string
  validUntil: Date
  /** Where SumUp tells that something happened. */
  webhookUrl: string | undefined
}

export type Sumup = ReturnType<typeof openSumup>

const createWithinMs = 3_000
const readWithinMs = 3_000
const largestHistoryBytes = 1024 * 1024
const duplicateReference = 'DUPLICATED_CHECKOUT'

/** What we ask of SumUp, and nothing else. Every answer is checked before it is believed. */
export function openSumup(account: { apiUrl: string; apiKey: string; merchantCode: string }) {
  const http = sumupHttp(account)
  const merchantPath = encodeURIComponent(account.merchantCode)

  async function ask<Schema extends z.ZodType>(
    request: SumupRequest,
    schema: Schema,
  ): Promise<z.output<Schema>> {
    const read = schema.safeParse(await http(request))
    if (!read.success)
      throw new ProviderAway('SumUp answered something we do not understand', { cause: read.error })
    return read.data
  }

  return {
    merchantCode: account.merchantCode,

    /** The checkout, or 'taken' when this reference already has one. */
    async createCheckout(wanted: NewSumupCheckout): Promise<SumupCheckout | 'taken'> {
      const body = {
        checkout_reference: wanted.reference,
        amount: Number(wanted.amount),
        currency: wanted.currency,
        merchant_code: account.merchantCode,
        description: wanted.description,
        ...(wanted.webhookUrl ? { return_url: wanted.webhookUrl } : {}),
        valid_until: wanted.validUntil.toISOString(),
      }
      const request = {
        method: 'POST',
        path: '/v0.1/checkouts',
        body,
        withinMs: createWithinMs,
      } as const
      try {
        return await ask(request, sumupCheckoutSchema)
      } catch (error) {
        const taken =
          error instanceof SumupRefusal &&
          (error.status === 409 || error.code === duplicateReference)
        if (taken) return 'taken'
        throw error
      }
    },

    async maybeCheckoutByReference(reference: string): Promise<SumupCheckout | undefined> {
      const path = `/v0.1/checkouts?checkout_reference=${encodeURIComponent(reference)}`
      const found = await ask({ method: 'GET', path, withinMs: readWithinMs }, sumupCheckoutsSchema)
      return found.find((checkout) => checkout.reference === reference)
    },

    async maybeCheckout(id: string): Promise<SumupCheckout | undefined> {
      if (!isUuid(id)) return undefined
      const request = {
        method: 'GET',
        path: `/v0.1/checkouts/${id}`,
        withinMs: readWithinMs,
      } as const
      return ask(request, sumupCheckoutSchema).catch(nothingIfMissing)
    },

    /** No card can be paid on it any more. A checkout that is paid already stays so. */
    async deactivate(id: string): Promise<void> {
      if (!isUuid(id)) return
      try {
        await http({ method: 'DELETE', path: `/v0.1/checkouts/${id}`, withinMs: readWithinMs })
      } catch (error) {
        if (!(error instanceof SumupRefusal)) throw error
      }
    },

    merchant: () =>
      ask(
        { method: 'GET', path: `/v1/merchants/${merchantPath}`, withinMs: readWithinMs },
        merchantSchema,
      ),

    /** One page of payments, newest first; `next` is the query of the page after it. */
    history: (query: string) =>
      ask(
        {
          method: 'GET',
          path: `/v2.1/merchants/${merchantPath}/transactions/history?${query}`,
          withinMs: readWithinMs * 3,
          mostBytes: largestHistoryBytes,
        },
        historySchema,
      ),

    /** One payment in full. SumUp may not find a fresh one yet. */
    async maybeTransaction(id: string): Promise<SumupTransaction | undefined> {
      const path = `/v2.1/merchants/${merchantPath}/transactions?id=${encodeURIComponent(id)}`
      return ask({ method: 'GET', path, withinMs: readWithinMs }, transactionSchema).catch(
        nothingIfMissing,
      )
    },

    async refund(transactionId: string, amount?: string): Promise<void> {
      if (!isUuid(transactionId)) throw new Error('not a transaction id')
      const path = `/v1.0/merchants/${merchantPath}/payments/${transactionId}/refunds`
      await http({
        method: 'POST',
        path,
        body: amount ? { amount: Number(amount) } : {},
        withinMs: createWithinMs,
      })
    },
  }
}

function nothingIfMissing(error: unknown): undefined {
  if (error instanceof SumupRefusal && error.status === 404) return undefined
  throw error
}
