import { z } from 'zod'
import { longestSearch, orderPageSize } from '#contract/order-list.ts'
import { orderStatuses, type OrderStatus } from '#contract/order-statuses.ts'
import { readPlace } from './place.ts'

/** Which orders are meant: those with these words in them, in this status, or all. */
export type OrderSearch = { words: string | undefined; status: OrderStatus | undefined }

const statusSentence = `A status is one of: ${orderStatuses.join(', ')}.`
const limitSentence = `A page has 1 to ${orderPageSize.most} orders.`

const words = z
  .string('Please search for one text.')
  .max(longestSearch, `A search has at most ${longestSearch} characters.`)
  // A tab between two copied words is a space; and lines are where our own text has its fields' borders.
  .transform((text) => text.replaceAll(/\p{Cc}+/gu, ' ').trim() || undefined)
  .optional()

const maybeStatus = z
  .enum(['', ...orderStatuses], statusSentence)
  .transform((status) => status || undefined)
  .optional()

export const orderSearchSchema = z
  .object({ q: words, status: maybeStatus })
  .transform(({ q, status }): OrderSearch => ({ words: q, status }))

export const orderPageSchema = z
  .object({
    q: words,
    status: maybeStatus,
    limit: z
      .string(limitSentence)
      .regex(/^\d{1,3}$/, limitSentence)
      .transform(Number)
      .pipe(z.number().min(1, limitSentence).max(orderPageSize.most, limitSentence))
      .default(orderPageSize.usual),
    cursor: z.string('A cursor is one text.').transform(readPlace).optional(),
  })
  .transform(({ q, status, limit, cursor }) => ({
    search: { words: q, status },
    limit,
    after: cursor,
  }))

export const statusChangeSchema = z.object(
  { status: z.enum(orderStatuses, statusSentence) },
  statusSentence,
)

/** Whether a page is asked for, or everything. */
export function asksForPage(query: object): boolean {
  return ['limit', 'cursor', 'q', 'status'].some((name) => name in query)
}
