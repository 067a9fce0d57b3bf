import { z } from 'zod'
import { toMajor } from './ledger/money.ts'
import type { Checkout } from './ledger/records.ts'
import { refundedMinor } from './ledger/refund.ts'
import { invalidRequest } from './refusals.ts'
import { merchantEmail } from './show-transaction.ts'
import { showTime } from './show-checkout.ts'

const several = <Schema extends z.ZodType>(one: Schema) =>
  z.preprocess(
    (value) => (value === undefined || Array.isArray(value) ? value : [value]),
    z.array(one).optional(),
  )
const time = z.iso.datetime({ offset: true }).transform(Date.parse).optional()

const querySchema = z.object({
  transaction_code: z.string().optional(),
  order: z.enum(['ascending', 'descending']).default('ascending'),
  limit: z.coerce.number().int().positive().default(10),
  'users[]': several(z.string()),
  'statuses[]': several(z.enum(['SUCCESSFUL', 'CANCELLED', 'FAILED', 'REFUNDED', 'CHARGE_BACK'])),
  'types[]': several(z.enum(['PAYMENT', 'REFUND', 'CHARGE_BACK'])),
  'payment_types[]': several(z.string()),
  'entry_modes[]': several(z.string()),
  changes_since: time,
  newest_time: time,
  newest_ref: z.string().optional(),
  oldest_time: time,
  oldest_ref: z.string().optional(),
})
type Query = z.output<typeof querySchema>

/** A page of the merchant's history and the query that leads to the next. */
export function readHistory(checkouts: Checkout[], rawQuery: Record<string, unknown>) {
  const parsed = querySchema.safeParse(rawQuery)
  if (!parsed.success) throw invalidRequest()
  const query = parsed.data
  const rows = checkouts.flatMap(rowsOf).toSorted((a, b) => a.at - b.at)
  const between = cut(rows, query).filter((row) => isWanted(row, query))
  if (query.order === 'descending') between.reverse()
  const page = between.slice(0, query.limit)
  const last = page.at(-1)
  const more = between.length > page.length && last !== undefined
  return {
    items: page.map(({ item }) => item),
    links: more ? [{ rel: 'next', href: nextQuery(rawQuery, query, last.id) }] : [],
  }
}

/** Attempts that ended, and refunds as entries of their own. */
function rowsOf({ transactions }: Checkout) {
  return transactions
    .filter(({ status }) => status !== 'PENDING')
    .flatMap((transaction) => {
      const common = {
        transaction_id: transaction.id,
        transaction_code: transaction.code,
        currency: transaction.currency,
        payment_type: 'ECOM',
        entry_mode: 'CUSTOMER_ENTRY',
        installments_count: 1,
        card_type: transaction.cardType,
        user: merchantEmail,
        payout_plan: 'SINGLE_PAYMENT',
      }
      const row = (type: string, status: string, minor: number, refunded: number) => ({
        ...common,
        type,
        status,
        amount: toMajor(minor, transaction.currency),
        refunded_amount: toMajor(refunded, transaction.currency),
      })
      const { id, createdAt: at, changedAt } = transaction
      const payment = row(
        'PAYMENT',
        transaction.status,
        transaction.amountMinor,
        refundedMinor(transaction),
      )
      return [
        { id, at, changedAt, item: { id, timestamp: showTime(at), ...payment } },
        ...transaction.refunds.map((refund) => ({
          id: refund.id,
          at: refund.at,
          changedAt: refund.at,
          item: {
            id: refund.id,
            timestamp: showTime(refund.at),
            ...row('REFUND', 'REFUNDED', refund.amountMinor, 0),
          },
        })),
      ]
    })
}
type Row = ReturnType<typeof rowsOf>[number]

/** A reference wins over a time, and is itself outside. */
function cut(rows: Row[], query: Query): Row[] {
  const from = query.oldest_ref === undefined ? 0 : positionOf(rows, query.oldest_ref) + 1
  const to = query.newest_ref === undefined ? rows.length : positionOf(rows, query.newest_ref)
  return rows
    .slice(from, to)
    .filter(
      ({ at }) =>
        (query.oldest_ref !== undefined || at >= (query.oldest_time ?? -Infinity)) &&
        (query.newest_ref !== undefined || at < (query.newest_time ?? Infinity)),
    )
}

function positionOf(rows: Row[], id: string): number {
  const position = rows.findIndex((row) => row.id === id)
  if (position === -1) throw invalidRequest()
  return position
}

function isWanted({ item, changedAt }: Row, query: Query): boolean {
  const within = (list: string[] | undefined, value: string) => list?.includes(value) ?? true
  return (
    within(query['statuses[]'], item.status) &&
    within(query['types[]'], item.type) &&
    within(query['payment_types[]'], item.payment_type) &&
    within(query['entry_modes[]'], item.entry_mode) &&
    within(query['users[]'], item.user) &&
    (query.transaction_code ?? item.transaction_code) === item.transaction_code &&
    changedAt >= (query.changes_since ?? -Infinity)
  )
}

/** As SumUp's example: a bare query, `limit=10&oldest_ref=…&order=ascending`. */
function nextQuery(rawQuery: Record<string, unknown>, query: Query, lastId: string): string {
  const next = new URLSearchParams()
  for (const [name, value] of Object.entries(rawQuery))
    for (const one of Array.isArray(value) ? value : [value]) next.append(name, String(one))
  next.set('limit', String(query.limit))
  next.set(query.order === 'ascending' ? 'oldest_ref' : 'newest_ref', lastId)
  next.set('order', query.order)
  return next.toString()
}
