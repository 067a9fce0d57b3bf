import { z } from 'zod'
import type { Merchants } from './accounts.ts'
import type { Faults, Lags } from './faults.ts'
import type { Ledger } from './ledger.ts'
import type { Log } from './records.ts'
import type { Webhooks } from './webhooks.ts'

/** Variants of SumUp's behavior that stay until they are changed back. */
export const switchesSchema = z.strictObject({
  /** A refund changes the transaction's status, as SumUp documents and nobody has seen. */
  refundsMarkTransaction: z.boolean(),
  /** Links to the next page of the history contain limit, reference and order, but no filters. */
  bareLinks: z.boolean(),
  /** Items of the history lack fields. */
  sparseHistory: z
    .strictObject({
      fields: z.array(z.string()).min(1),
      as: z.enum(['missing', 'null']).default('missing'),
      /** Every item of a page, or every second, third, …, starting with the first. */
      every: z.int().positive().default(1),
    })
    .nullable(),
})
export type Switches = z.output<typeof switchesSchema>

export const defaultSwitches: Switches = {
  refundsMarkTransaction: false,
  bareLinks: false,
  sparseHistory: null,
}

/** What the calls share. */
export type Context = {
  ledger: Ledger
  merchants: Merchants
  faults: Faults
  lags: Lags
  switches: Switches
  webhooks: Webhooks
  /** How a browser reaches the sandbox; final once it listens. */
  publicUrl: string
  closing: AbortSignal
  log: Log
}
