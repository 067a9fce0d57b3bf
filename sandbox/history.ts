import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { isOwnPath } from './accounts.ts'
import { merchantEndpoint } from './api.ts'
import type { Context, Switches } from './context.ts'
import { invalidRequest, resourceNotFound } from './errors.ts'
import { getEntryMode, getPaymentType } from './methods.ts'
import { listReversals, refreshCheckout, sumMinor } from './payments.ts'
import { formatTime, toMajor, type Checkout, type Transaction } from './records.ts'
import { merchantEmail } from './transactions.ts'

export function registerHistory(app: FastifyInstance, context: Context): void {
  app.get(
    '/v2.1/merchants/:merchantCode/transactions/history',
    merchantEndpoint(context, 'history', (request, merchant) => {
      if (!isOwnPath(request, merchant)) throw resourceNotFound()
      const checkouts = context.ledger
        .listCheckouts()
        .filter(({ merchantCode }) => merchantCode === merchant.code)
        .map((checkout) => context.lags.view(refreshCheckout(context, checkout)))
      const query = request.query as Record<string, unknown>
      return { status: 200, body: readHistory(checkouts, query, context.switches) }
    }),
  )
}

const oneOrMore = <Schema extends z.ZodType>(one: Schema) =>
  z.preprocess(
    (value) => (value === undefined || Array.isArray(value) ? value : [value]),
    z.array(one).optional(),
  )
const time = z.iso.datetime({ offset: true }).transform(Date.parse).optional()

const querySchema = z.object({
  transaction_code: z.string().optional(),
  order: z.enum(['ascending', 'descending']).default('ascending'),
  limit: z.coerce.number().int().positive().default(10),
  'users[]': oneOrMore(z.string()),
  'statuses[]': oneOrMore(z.enum(['SUCCESSFUL', 'CANCELLED', 'FAILED', 'REFUNDED', 'CHARGE_BACK'])),
  'types[]': oneOrMore(z.enum(['PAYMENT', 'REFUND', 'CHARGE_BACK'])),
  'payment_types[]': oneOrMore(z.string()),
  'entry_modes[]': oneOrMore(z.string()),
  changes_since: time,
  newest_time: time,
  newest_ref: z.string().optional(),
  oldest_time: time,
  oldest_ref: z.string().optional(),
})
type Query = z.output<typeof querySchema>

/** An item before it is rendered: there may be thousands before the requested page. */
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

/** One page, and the query for the next one. */
function readHistory(
  checkouts: Checkout[],
  rawQuery: Record<string, unknown>,
  { sparseHistory, bareLinks }: Switches,
) {
  const parsed = querySchema.safeParse(rawQuery)
  if (!parsed.success) throw invalidRequest()
  const query = parsed.data
  const rows = checkouts.flatMap(listRows).toSorted((a, b) => a.at - b.at)
  const matching = selectRange(rows, query).filter((row) => matchesFilters(row, query))
  if (query.order === 'descending') matching.reverse()
  const page = matching.slice(0, query.limit)
  const last = page.at(-1)
  const hasMore = matching.length > page.length && last !== undefined
  const filters = bareLinks ? {} : rawQuery
  return {
    items: page.map(showRow).map((item, index) => omitFields(item, index, sparseHistory)),
    links: hasMore ? [{ rel: 'next', href: formatNextQuery(filters, query, last.id) }] : [],
  }
}

/** Finished attempts; refunds and chargebacks are items of their own. */
function listRows(checkout: Checkout): Row[] {
  return checkout.transactions.flatMap((transaction): Row[] => {
    if (transaction.status === 'PENDING') return []
    const { id, status, amountMinor, createdAt: at, changedAt } = transaction
    const common = { checkout, transaction }
    return [
      { ...common, type: 'PAYMENT', id, status, amountMinor, at, changedAt },
      ...listReversals(transaction).map((reversal): Row => {
        return { ...common, ...reversal, changedAt: reversal.endedAt ?? reversal.at }
      }),
    ]
  })
}

function showRow({ id, type, status, amountMinor, at, checkout, transaction }: Row) {
  const major = (minor: number): number => toMajor(minor, transaction.currency)
  return {
    id,
    timestamp: formatTime(at),
    transaction_id: transaction.id,
    transaction_code: transaction.code,
    currency: transaction.currency,
    payment_type: getPaymentType(transaction),
    entry_mode: getEntryMode(transaction),
    installments_count: 1,
    card_type: transaction.cardType,
    user: merchantEmail,
    payout_plan: 'SINGLE_PAYMENT',
    product_summary: checkout.description,
    type,
    status,
    amount: major(amountMinor),
    refunded_amount: type === 'PAYMENT' ? major(sumMinor(transaction.refunds)) : 0,
  }
}

function omitFields(item: object, index: number, sparse: Switches['sparseHistory']): object {
  if (sparse === null || index % sparse.every !== 0) return item
  const entries = Object.entries(item).flatMap(([name, value]): [string, unknown][] => {
    if (!sparse.fields.includes(name)) return [[name, value]]
    return sparse.as === 'null' ? [[name, null]] : []
  })
  return Object.fromEntries(entries)
}

/** A reference takes precedence over a time and is itself excluded. */
function selectRange(rows: Row[], query: Query): Row[] {
  const from = query.oldest_ref === undefined ? 0 : getPosition(rows, query.oldest_ref) + 1
  const to = query.newest_ref === undefined ? rows.length : getPosition(rows, query.newest_ref)
  return rows
    .slice(from, to)
    .filter(
      ({ at }) =>
        (query.oldest_ref !== undefined || at >= (query.oldest_time ?? -Infinity)) &&
        (query.newest_ref !== undefined || at < (query.newest_time ?? Infinity)),
    )
}

function getPosition(rows: Row[], id: string): number {
  const position = rows.findIndex((row) => row.id === id)
  if (position === -1) throw invalidRequest()
  return position
}

function matchesFilters({ type, status, transaction, changedAt }: Row, query: Query): boolean {
  const matches = (list: string[] | undefined, ...values: string[]) =>
    list === undefined || values.some((value) => list.includes(value))
  return (
    // CHARGE_BACK can also be requested as a status.
    matches(query['statuses[]'], status, type === 'CHARGE_BACK' ? type : status) &&
    matches(query['types[]'], type) &&
    matches(query['payment_types[]'], getPaymentType(transaction)) &&
    matches(query['entry_modes[]'], getEntryMode(transaction)) &&
    matches(query['users[]'], merchantEmail) &&
    (query.transaction_code ?? transaction.code) === transaction.code &&
    changedAt >= (query.changes_since ?? -Infinity)
  )
}

/** A query string without a path, as in SumUp's example: `limit=10&oldest_ref=…&order=ascending`. */
function formatNextQuery(filters: Record<string, unknown>, query: Query, lastId: string): string {
  const next = new URLSearchParams()
  for (const [name, value] of Object.entries(filters))
    for (const one of Array.isArray(value) ? value : [value]) next.append(name, String(one))
  next.set('limit', String(query.limit))
  next.set(query.order === 'ascending' ? 'oldest_ref' : 'newest_ref', lastId)
  next.set('order', query.order)
  return next.toString()
}
