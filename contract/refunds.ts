import { z } from 'zod'
import type { orderRefunds, refundOutcome } from './answers/orders.ts'
import { isPrice, toCents } from './money.ts'

/** What became of a refund that was asked for here. `pending`: SumUp works on it. `unknown`: SumUp has not said yet. */
export const refundStates = ['pending', 'done', 'failed', 'unknown'] as const
export type RefundState = (typeof refundStates)[number]

/** The problem of a refund that was asked for again, because SumUp did not show it for an hour. */
export const noTrace = 'SumUp shows no trace of it'

export type OrderRefund = OrderRefunds['refunds'][number]

/** What was refunded of an order from here, and what can be. */
export type OrderRefunds = z.infer<typeof orderRefunds>

/** What became of a refund, as far as SumUp shows it. */
export type RefundOutcome = z.infer<typeof refundOutcome>

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
