import { z } from 'zod'
import { count, day, id, money, time } from './fields.ts'

const uses = z.object({
  orders: count,
  takenOff: z
    .array(z.object({ amount: money, currency: z.string() }))
    .describe('What it took off their prices altogether, by currency'),
})

export const discountCode = z
  .object({
    id,
    code: z.string(),
    percent: z.int().nullable().describe('Either this or `amount`'),
    amount: money.nullable(),
    productId: id.nullable().describe('The only product that it counts for; null: all'),
    maxUses: count.nullable(),
    lastDay: day.nullable().describe('Counted in, in the time zone of the shop'),
    state: z
      .enum(['active', 'ended', 'used-up'])
      .describe('`used-up`: by real orders, or by tests while the shop is in test mode'),
    uses: uses.describe('By real orders'),
    testUses: uses.describe('By orders of test mode, which are counted apart'),
    createdAt: time,
  })
  .meta({ id: 'DiscountCode', description: 'A code in checkout links, as its owner sees it.' })
