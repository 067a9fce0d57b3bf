import { z } from 'zod'

/** Ways of SumUp that are neither faults nor events: they stay until they are changed back. */
export const switchesSchema = z.strictObject({
  /** A refund shows in the transaction's own status too, as SumUp documents and nobody has seen. */
  refundsMarkTransaction: z.boolean(),
  /** Links to the next page of the history name limit, place and order alone, and no filter. */
  bareLinks: z.boolean(),
  /** Items of the history lack fields. */
  sparseHistory: z
    .strictObject({
      fields: z.array(z.string()).min(1),
      as: z.enum(['missing', 'null']).default('missing'),
      /** Each item, or each second, third, … one of a page, beginning with the first. */
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
