import { z } from 'zod'
import { isPrice, toCents } from './money.ts'

/** What became of a refund that was asked for here. `pending`: SumUp works on it. `unknown`: SumUp has not said yet. */
export const refundStates = ['pending', 'done', 'failed', 'unknown'] as const
export type RefundState = (typeof refundStates)[number]

/** The problem of a refund that was asked for again, because SumUp did not show it for an hour. */
export const noTrace = 'SumUp shows no trace of it'

export type OrderRefund = {
  id: string
  /** False for one of another payment of the sale: the customer had paid twice. */
  isOfOrder: boolean
  amount: string
  state: RefundState
  /** Why it failed, or why nobody can ask what became of it, in plain words. */
  problem: string | null
  /** An admin's e-mail. */
  who: string
  askedAt: string
  endedAt: string | null
}

/** What was refunded of an order from here, and what can be. */
export type OrderRefunds = {
  /** Sent back with a refund, which is refused if what is known of the payment has changed since. */
  version: string
  /** What the shop still has of the payment. */
  left: string
  currency: string
  /** Why nothing can be refunded now, in plain words; null if something can. */
  blockedBy: string | null
  /** A refund of more than this needs the admin's password. */
  freeAmount: string
  /** Its piece was taken from a stock since that was last counted, and may come back. Absent otherwise. */
  hasPiece?: true
  /** Newest first. */
  refunds: OrderRefund[]
}

/** What became of a refund, as far as SumUp shows it. */
export type RefundOutcome = {
  state: RefundState
  amount: string
  problem: string | null
  /** What the shop still has of the payment. */
  left: string
  /** The customer had paid twice, and the other payment pays for the order now. */
  isPaidAgain: boolean
}

/** Needed above a setting of the shop. */
export const refundPassword = z
  .string('The password is text')
  .max(1024, 'Password is too long')
  .optional()

const amountMessage = 'Enter an amount with at most two decimals, such as 12.50'

export const orderRefundSchema = z.object({
  version: z.string('The version of the payment is missing').max(64),
  /** All that is left, if there is none. */
  amount: z
    .string(amountMessage)
    .max(20, amountMessage)
    .refine((text) => isPrice(text) && toCents(text) > 0, amountMessage)
    .optional(),
  password: refundPassword,
  isBackInStock: z
    .boolean()
    .optional()
    .describe('The piece can be sold again; only with all that is left, and once'),
})
