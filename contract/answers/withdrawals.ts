import { z } from 'zod'
import { acknowledgementStates, withdrawalExemptions } from '#contract/withdrawals.ts'
import { id, time } from './fields.ts'

export const withdrawalReceipt = z.object({ receivedAt: time }).meta({
  id: 'WithdrawalReceipt',
  description: 'The statement was received, which says nothing about whether it fits an order.',
})

export const withdrawal = z
  .object({
    id,
    name: z.string(),
    orderNumber: z.string().describe('As it was typed'),
    email: z.string(),
    createdAt: time,
    refundDueOn: z.iso
      .date()
      .nullable()
      .describe(
        'The last day for paying back, in the shop’s time zone; null where there is no right of withdrawal',
      ),
    isOverdue: z.boolean().describe('Whether that day is over'),
    order: z
      .object({ id, number: z.int().nullable(), product: z.string() })
      .nullable()
      .describe('Null where no order has this number and this email address'),
    isLate: z
      .boolean()
      .describe('More than 14 days after the order was marked as shipped or completed'),
    isRepeat: z.boolean().describe('Not the first statement about this order'),
    exemption: z
      .enum(withdrawalExemptions)
      .nullable()
      .describe('Why there was no right of withdrawal for this product'),
    isTest: z.boolean(),
    acknowledgement: z
      .enum(acknowledgementStates)
      .describe(
        'What became of the mail that says it was received; unknown once its record was deleted',
      ),
    isOpen: z.boolean().describe('Neither refunded in full nor marked as handled'),
    handledAt: time.nullable(),
    handledBy: z.string().nullable().describe('An admin’s email'),
    note: z.string().nullable(),
  })
  .meta({ id: 'Withdrawal', description: 'A buyer’s statement to withdraw from a purchase.' })

export const dismissedWithdrawals = z.object({ dismissed: z.int() }).meta({
  id: 'DismissedWithdrawals',
  description: 'How many withdrawals that fit no order were dismissed.',
})
