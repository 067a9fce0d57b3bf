import { z } from 'zod'
import { currencies } from './ledger/records.ts'

export const merchantSchema = z.strictObject({
  code: z.string().min(1).default('MSANDBOX'),
  currency: z.enum(currencies).default('EUR'),
  country: z.string().length(2).default('DE'),
  sandbox: z.boolean().default(true),
  /** Smaller checkouts are refused, in major units. SumUp's help says "above 1.00"; its API says nothing. */
  minimumAmount: z.number().nonnegative().default(0),
})
export type MerchantAccount = z.output<typeof merchantSchema>

export const accountSchema = z.strictObject({
  apiKey: z.string().min(1),
  merchant: merchantSchema,
})
export type Account = z.output<typeof accountSchema>

export type Accounts = {
  first: MerchantAccount
  /** The merchant whose key it is, as long as it is accepted. */
  findByKey(apiKey: string): MerchantAccount | undefined
  /** Also of a merchant whose key is no longer accepted: its buyers still pay. */
  getByCode(merchantCode: string): MerchantAccount
  wasEverKey(apiKey: string): boolean
  /** Beside the others, or instead of them: then no other key is accepted any more. */
  add(account: Account, options?: { only: boolean }): void
}

/** Whose keys the stand-in accepts. What one merchant made no other merchant sees. */
export function openAccounts(first: Account): Accounts {
  const known = new Map([[first.apiKey, first.merchant]])
  const accepted = new Map(known)
  return {
    first: first.merchant,
    findByKey: (apiKey) => accepted.get(apiKey),
    wasEverKey: (apiKey) => known.has(apiKey),
    getByCode: (merchantCode) =>
      [...known.values()].findLast(({ code }) => code === merchantCode) ?? first.merchant,
    add({ apiKey, merchant }, { only } = { only: false }) {
      if (only) accepted.clear()
      accepted.set(apiKey, merchant)
      // Set anew, so that the latest word about a merchant is the last in the list.
      known.delete(apiKey)
      known.set(apiKey, merchant)
    },
  }
}
