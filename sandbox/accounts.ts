import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { currencies, methodIds } from './records.ts'

export const merchantName = 'Sandbox Shop'

export const merchantSchema = z.strictObject({
  code: z.string().min(1).default('MSANDBOX'),
  currency: z.enum(currencies).default('EUR'),
  country: z.string().length(2).default('DE'),
  sandbox: z.boolean().default(true),
  /** In major units. SumUp's help says "above 1.00"; its API documents no minimum. */
  minimumAmount: z.number().nonnegative().default(0),
  /** Beside the card. SumUp decides by country; here a shop can try all of them. */
  methods: z.array(z.enum(methodIds)).default(methodIds),
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

export function isOwnPath({ params }: FastifyRequest, { code }: MerchantAccount): boolean {
  return (params as { merchantCode: string }).merchantCode === code
}
