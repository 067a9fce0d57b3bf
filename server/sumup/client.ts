import type { z } from 'zod'
import { isUuid } from '#server/http/uuid.ts'
import {
  historySchema,
  merchantSchema,
  sumupCheckoutSchema,
  sumupCheckoutsSchema,
  transactionSchema,
  unreadableCheckout,
  type SumupCheckout,
  type SumupTransaction,
} from './answers.ts'
import { ProviderUnavailable } from './circuit-breaker.ts'
import { sumupHttp, SumupRefusal, type SumupAccount, type SumupRequest } from './http.ts'

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
const maxHistoryBytes = 1024 * 1024
const duplicateReference = 'DUPLICATED_CHECKOUT'

/** What we ask of SumUp, and nothing else. Every answer is checked before it is believed. */
export function openSumup(account: SumupAccount & { merchantCode: string }) {
  const http = sumupHttp(account)
  const merchantPath = encodeURIComponent(account.merchantCode)

  async function ask<Schema extends z.ZodType>(
    request: SumupRequest,
    schema: Schema,
  ): Promise<z.output<Schema>> {
    const read = schema.safeParse(await http.request(request))
    if (!read.success)
      throw new ProviderUnavailable('SumUp answered something we do not understand', {
        cause: read.error,
      })
    return read.data
  }

  async function findCheckout(id: string): Promise<SumupCheckout | undefined> {
    if (!isUuid(id)) return undefined
    const path = `/v0.1/checkouts/${id}`
    try {
      const answer = await http.request({ method: 'GET', path, withinMs: readWithinMs })
      // An answer is one, however odd: after a while a person looks at it.
      return sumupCheckoutSchema.safeParse(answer).data ?? unreadableCheckout(id)
    } catch (error) {
      if (!(error instanceof SumupRefusal)) throw error
      return error.status === 404 ? undefined : unreadableCheckout(id)
    }
  }

  return {
    merchantCode: account.merchantCode,
    /** Whether asking is pointless right now, or worth one trial. */
    isOpen: http.isOpen,
    isOnTrial: http.isOnTrial,
    findCheckout,

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

    async findCheckoutByReference(reference: string): Promise<SumupCheckout | undefined> {
      const path = `/v0.1/checkouts?checkout_reference=${encodeURIComponent(reference)}`
      const found = await ask({ method: 'GET', path, withinMs: readWithinMs }, sumupCheckoutsSchema)
      return found.find((checkout) => checkout.reference === reference)
    },

    /**
     * Ends a checkout. `ended`: no card can be paid on it any more. `paid`: one was. `blocked`: SumUp does not let go
     * of it, because a card is at the bank, or does not find it.
     */
    async deactivate(id: string): Promise<'ended' | 'paid' | 'blocked'> {
      if (!isUuid(id)) return 'blocked'
      try {
        await http.request({
          method: 'DELETE',
          path: `/v0.1/checkouts/${id}`,
          withinMs: readWithinMs,
        })
        return 'ended'
      } catch (error) {
        if (!(error instanceof SumupRefusal)) throw error
        // The refusals have many names; how the checkout stands tells what they mean.
        const seen = await findCheckout(id)
        if (!seen) return 'blocked'
        if (seen.status === 'PAID' || seen.paid.length > 0) return 'paid'
        const isOver = seen.status === 'EXPIRED' && seen.reading === 'clear'
        return isOver && seen.pendingIds.length === 0 ? 'ended' : 'blocked'
      }
    },

    merchant: () =>
      ask(
        { method: 'GET', path: `/v1/merchants/${merchantPath}`, withinMs: readWithinMs },
        merchantSchema,
      ),

    /** One page of the account's history, with links to the pages around it. */
    history: (query: string) =>
      ask(
        {
          method: 'GET',
          path: `/v2.1/merchants/${merchantPath}/transactions/history?${query}`,
          withinMs: readWithinMs * 3,
          maxBytes: maxHistoryBytes,
        },
        historySchema,
      ),

    /** One payment in full. SumUp may not find a fresh one yet. */
    async findTransaction(id: string): Promise<SumupTransaction | undefined> {
      const path = `/v2.1/merchants/${merchantPath}/transactions?id=${encodeURIComponent(id)}`
      return ask({ method: 'GET', path, withinMs: readWithinMs }, transactionSchema).catch(
        undefinedIfMissing,
      )
    },

    /** Gives a payment back: all of it, or an amount that is left of it. */
    async refund(transactionId: string, amount?: string): Promise<void> {
      if (!isUuid(transactionId)) throw new Error('not a transaction id')
      const path = `/v1.0/merchants/${merchantPath}/payments/${transactionId}/refunds`
      const body = amount === undefined ? {} : { amount: Number(amount) }
      await http.request({ method: 'POST', path, body, withinMs: createWithinMs })
    },
  }
}

function undefinedIfMissing(error: unknown): undefined {
  if (error instanceof SumupRefusal && error.status === 404) return undefined
  throw error
}
