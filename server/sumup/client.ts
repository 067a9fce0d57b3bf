import type { z } from 'zod'
import type { Mode } from '#contract/mode.ts'
import { isUuid } from '#server/http/uuid.ts'
import {
  historySchema,
  merchantSchema,
  refundAnswerSchema,
  sumupCheckoutSchema,
  sumupCheckoutsSchema,
  transactionSchema,
  unreadableCheckout,
  type SumupCheckout,
  type SumupTransaction,
} from './answers.ts'
import { describeFormRefusal } from './form-refusals.ts'
import {
  createSumupHttp,
  ProviderUnavailable,
  SumupRefusal,
  type SumupAccount,
  type SumupRequest,
} from './http.ts'

export type NewSumupCheckout = {
  reference: string
  amount: string
  currency: string
  description: string
  validUntil: Date
  webhookUrl: string | undefined
  /** Where the browser comes back to from a bank; without it, a bank is shown inside the card form. */
  returnUrl?: string | undefined
}

export type Sumup = ReturnType<typeof openSumup>

/** For a page of the history three times as long. */
const defaultTimeoutMs = 3_000
const maxHistoryBytes = 1024 * 1024
const duplicateReference = 'DUPLICATED_CHECKOUT'

/** SumUp's API as far as the shop uses it. Every response is validated. */
export function openSumup(
  account: SumupAccount & {
    merchantCode: string
    findMode?: () => Mode | undefined
    timeoutMs?: number | undefined
  },
) {
  const { timeoutMs = defaultTimeoutMs } = account
  const http = createSumupHttp(account)
  const merchantPath = encodeURIComponent(account.merchantCode)

  async function request<Schema extends z.ZodType>(
    call: SumupRequest,
    schema: Schema,
  ): Promise<z.output<Schema>> {
    const parsed = schema.safeParse(await http.request(call))
    if (!parsed.success)
      throw new ProviderUnavailable('SumUp sent an unexpected response', {
        cause: parsed.error,
      })
    return parsed.data
  }

  async function findCheckout(id: string): Promise<SumupCheckout | undefined> {
    if (!isUuid(id)) return undefined
    const path = `/v0.1/checkouts/${id}`
    try {
      const answer = await http.request({
        operation: 'read-checkout',
        method: 'GET',
        path,
        timeoutMs,
      })
      // Even an unreadable response counts: if it stays unreadable, a person decides.
      return sumupCheckoutSchema.safeParse(answer).data ?? unreadableCheckout(id)
    } catch (error) {
      if (!(error instanceof SumupRefusal)) throw error
      return error.status === 404 ? undefined : unreadableCheckout(id)
    }
  }

  return {
    merchantCode: account.merchantCode,
    /** The mode of the account. Undefined until SumUp has told. */
    findMode: account.findMode ?? (() => undefined),
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
        ...(wanted.returnUrl ? { redirect_url: wanted.returnUrl } : {}),
        valid_until: wanted.validUntil.toISOString(),
      }
      const call = {
        operation: 'create-checkout',
        method: 'POST',
        path: '/v0.1/checkouts',
        body,
        timeoutMs,
      } as const
      try {
        const created = await request(call, sumupCheckoutSchema)
        if (account.health) account.health.formProblem = undefined
        return created
      } catch (error) {
        const isTaken =
          error instanceof SumupRefusal &&
          (error.status === 409 || error.code === duplicateReference)
        if (isTaken) return 'taken'
        if (account.health && error instanceof SumupRefusal)
          account.health.formProblem = describeFormRefusal(error, wanted, account.merchantCode)
        throw error
      }
    },

    async findCheckoutByReference(reference: string): Promise<SumupCheckout | undefined> {
      const path = `/v0.1/checkouts?checkout_reference=${encodeURIComponent(reference)}`
      const found = await request(
        { operation: 'find-checkout', method: 'GET', path, timeoutMs },
        sumupCheckoutsSchema,
      )
      return found.find((checkout) => checkout.reference === reference)
    },

    /**
     * Asks that the checkout takes no card any more. Whether it does, only reading it tells: the error codes vary, and an
     * answer without error has been seen while a card was at the bank.
     */
    async deactivate(id: string): Promise<void> {
      if (!isUuid(id)) return
      await http
        .request({
          operation: 'end-checkout',
          method: 'DELETE',
          path: `/v0.1/checkouts/${id}`,
          timeoutMs,
        })
        .catch((error: unknown) => {
          if (!(error instanceof SumupRefusal)) throw error
        })
    },

    getMerchant: () =>
      request(
        {
          operation: 'read-account',
          method: 'GET',
          path: `/v1/merchants/${merchantPath}`,
          timeoutMs,
        },
        merchantSchema,
      ),

    /** One page of the account's transactions, with links to the pages around it. */
    listHistory: (query: string) =>
      request(
        {
          operation: 'list-history',
          method: 'GET',
          path: `/v2.1/merchants/${merchantPath}/transactions/history?${query}`,
          timeoutMs: 3 * timeoutMs,
          maxBytes: maxHistoryBytes,
        },
        historySchema,
      ),

    /** One transaction with its events. SumUp may not find a new one yet. */
    async findTransaction(id: string): Promise<SumupTransaction | undefined> {
      const path = `/v2.1/merchants/${merchantPath}/transactions?id=${encodeURIComponent(id)}`
      return request(
        { operation: 'read-transaction', method: 'GET', path, timeoutMs },
        transactionSchema,
      ).catch(undefinedIfMissing)
    },

    /** Asks for a refund of this amount. SumUp's answer may say itself that it failed. */
    async refund(transactionId: string, amount: string): Promise<{ problem?: string }> {
      if (!isUuid(transactionId)) throw new Error('not a transaction id')
      const path = `/v1.0/merchants/${merchantPath}/payments/${transactionId}/refunds`
      const answer = await http.request({
        operation: 'refund',
        method: 'POST',
        path,
        body: { amount: Number(amount) },
        timeoutMs,
      })
      const { status, response_code: code } = refundAnswerSchema.parse(answer)
      return status?.toLowerCase() === 'failed' ? { problem: `failed ${code ?? ''}`.trim() } : {}
    },
  }
}

function undefinedIfMissing(error: unknown): undefined {
  if (error instanceof SumupRefusal && error.status === 404) return undefined
  throw error
}
