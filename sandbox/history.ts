import { z } from 'zod'
import { toMajor } from './ledger/money.ts'
import { refundedMinor } from './ledger/payment.ts'
import type { Checkout, Transaction } from './ledger/records.ts'
import { invalidRequest } from './refusals.ts'
import { showTime } from './show-checkout.ts'
import { entryModeOf, merchantEmail, paymentTypeOf } from './show-transaction.ts'
import type { Switches } from './switches.ts'

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

/** An entry, not yet written out: there may be thousands before the page that is asked for. */
type Row = {
  id: string
  type: 'PAYMENT' | 'REFUND' | 'CHARGE_BACK'
  status: string
  amountMinor: number
  at: number
  changedAt: number
  checkout: Checkout
  transaction: Transaction
}

/** A page of the merchant's history and the query that leads to the next. */
export function readHistory(
  checkouts: Checkout[],
  rawQuery: Record<string, unknown>,
  { sparseHistory, bareLinks }: Switches,
) {
  const parsed = querySchema.safeParse(rawQuery)
  if (!parsed.success) throw invalidRequest()
  const query = parsed.data
  const rows = checkouts.flatMap(rowsOf).toSorted((a, b) => a.at - b.at)
  const between = cut(rows, query).filter((row) => isWanted(row, query))
  if (query.order === 'descending') between.reverse()
  const page = between.slice(0, query.limit)
  const last = page.at(-1)
  const more = between.length > page.length && last !== undefined
  const filters = bareLinks ? {} : rawQuery
  return {
    items: page.map(showRow).map((item, index) => leaveOut(item, index, sparseHistory)),
    links: more ? [{ rel: 'next', href: nextQuery(filters, query, last.id) }] : [],
  }
}

/** Attempts that ended, and money that went back as entries of their own. */
function rowsOf(checkout: Checkout): Row[] {
  return checkout.transactions.flatMap((transaction): Row[] => {
    if (transaction.status === 'PENDING') return []
    const { id, status, amountMinor, createdAt: at, changedAt } = transaction
    const { refunds, chargebacks = [] } = transaction
    const common = { checkout, transaction }
    return [
      { ...common, type: 'PAYMENT', id, status, amountMinor, at, changedAt },
      ...refunds.map((refund): Row => {
        return { ...common, ...refund, type: 'REFUND', status: 'REFUNDED', changedAt: refund.at }
      }),
      // SumUp's statuses of a transaction have none for it: its type tells.
      ...chargebacks.map((back): Row => {
        return { ...common, ...back, type: 'CHARGE_BACK', status: 'SUCCESSFUL', changedAt: back.at }
      }),
    ]
  })
}

function showRow({ id, type, status, amountMinor, at, checkout, transaction }: Row) {
  const major = (minor: number): number => toMajor(minor, transaction.currency)
  return {
    id,
    timestamp: showTime(at),
    transaction_id: transaction.id,
    transaction_code: transaction.code,
    currency: transaction.currency,
    payment_type: paymentTypeOf(transaction),
    entry_mode: entryModeOf(transaction),
    installments_count: 1,
    card_type: transaction.cardType,
    user: merchantEmail,
    payout_plan: 'SINGLE_PAYMENT',
    product_summary: checkout.description,
    type,
    status,
    amount: major(amountMinor),
    refunded_amount: type === 'PAYMENT' ? major(refundedMinor(transaction)) : 0,
  }
}

function leaveOut(item: object, index: number, sparse: Switches['sparseHistory']): object {
  if (sparse === null || index % sparse.every !== 0) return item
  const entries = Object.entries(item).flatMap(([name, value]): [string, unknown][] => {
    if (!sparse.fields.includes(name)) return [[name, value]]
    return sparse.as === 'null' ? [[name, null]] : []
  })
  return Object.fromEntries(entries)
}

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

function isWanted({ type, status, transaction, changedAt }: Row, query: Query): boolean {
  const within = (list: string[] | undefined, ...values: string[]) =>
    list === undefined || values.some((value) => list.includes(value))
  return (
    // CHARGE_BACK can be asked for as a status too.
    within(query['statuses[]'], status, type === 'CHARGE_BACK' ? type : status) &&
    within(query['types[]'], type) &&
    within(query['payment_types[]'], paymentTypeOf(transaction)) &&
    within(query['entry_modes[]'], entryModeOf(transaction)) &&
    within(query['users[]'], merchantEmail) &&
    (query.transaction_code ?? transaction.code) === transaction.code &&
    changedAt >= (query.changes_since ?? -Infinity)
  )
}

/** As SumUp's example: a bare query, `limit=10&oldest_ref=…&order=ascending`. */
function nextQuery(filters: Record<string, unknown>, query: Query, lastId: string): string {
  const next = new URLSearchParams()
  for (const [name, value] of Object.entries(filters))
    for (const one of Array.isArray(value) ? value : [value]) next.append(name, String(one))
  next.set('limit', String(query.limit))
  next.set(query.order === 'ascending' ? 'oldest_ref' : 'newest_ref', lastId)
  next.set('order', query.order)
  return next.toString()
}
