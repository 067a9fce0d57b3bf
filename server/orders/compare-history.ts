import { inArray, sql } from '#server/db/drizzle.ts'
import { checkouts, orders } from '#server/db/schema.ts'
import type { Settling } from './settle.ts'

/** How far back the two books are compared. Longer than any outage we expect not to notice. */
const daysBack = 3
/** A payment this young may still be on its way into our book. */
const settlingMinutes = 15
const perPage = 100
const mostPages = 100
/** Each payment without an order costs a question more; beyond so many something larger is wrong anyway. */
const mostLookedUp = 20

export type Comparison = { payments: number; withoutOrder: string[]; withoutPayment: string[] }

/**
 * The third path to an order, once a day: SumUp's book of payments against ours, in both directions.
 * What has no counterpart is an alert; a payment without an order also has its sale looked at again.
 */
export async function compareWithHistory(shop: Settling): Promise<Comparison> {
  const paid = await readPayments(shop)
  const withoutOrder = await findUnbooked(shop, paid)
  const withoutPayment = await findUnpaidOrders(shop, paid)
  if (withoutOrder.length > 0) {
    shop.log.error({ payments: withoutOrder }, 'SumUp knows payments that have no order here')
    await lookAtOpenSales(shop)
  }
  if (withoutPayment.length > 0) {
    shop.log.error({ orders: withoutPayment }, 'There are orders whose payment SumUp does not know')
  }
  return { payments: paid.size, withoutOrder, withoutPayment }
}

/** Transaction ids with the codes that SumUp's own pages show. Payments at the owner's card reader are not ours. */
async function readPayments({ db, sumup }: Settling): Promise<Map<string, string>> {
  const { rows } = await db.execute<{ since: string; until: string }>(sql`
    select to_char((now() - make_interval(days => ${daysBack})) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as since,
      to_char((now() - make_interval(mins => ${settlingMinutes})) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as until`)
  const { since = '', until = '' } = rows[0] ?? {}
  const payments = new Map<string, string>()
  const first = new URLSearchParams([
    ['statuses[]', 'SUCCESSFUL'],
    // Taken, and given back since: the order stays what it is.
    ['statuses[]', 'REFUNDED'],
    ['types[]', 'PAYMENT'],
    ['payment_types[]', 'ECOM'],
    ['oldest_time', since],
    ['newest_time', until],
    ['limit', String(perPage)],
  ])
  let query: string | undefined = String(first)
  for (let page = 0; query !== undefined && page < mostPages; page += 1) {
    const { items, links } = await sumup.history(query)
    for (const item of items) {
      const id = item.transaction_id ?? item.id
      if (id) payments.set(id, item.transaction_code ?? id)
    }
    query = links.find(({ rel }) => rel === 'next')?.href.replace(/^[^?]*\?/, '')
  }
  return payments
}

/** Codes of payments that neither an order nor a payment in review has, and that were not given back already. */
async function findUnbooked(shop: Settling, paid: Map<string, string>): Promise<string[]> {
  const known = await findKnown(shop, [...paid.keys()])
  const unbooked: string[] = []
  let lookedUp = 0
  for (const [id, code] of paid) {
    if (known.has(id)) continue
    lookedUp += 1
    const full = lookedUp <= mostLookedUp ? await shop.sumup.maybeTransaction(id) : undefined
    if (!full?.isRefunded) unbooked.push(code)
  }
  return unbooked
}

async function findKnown({ db }: Settling, ids: string[]): Promise<Set<string | null>> {
  if (ids.length === 0) return new Set()
  const booked = await db
    .select({ id: orders.sumupTransactionId })
    .from(orders)
    .where(inArray(orders.sumupTransactionId, ids))
  const reviewed = await db
    .select({ id: checkouts.sumupTransactionId })
    .from(checkouts)
    .where(inArray(checkouts.sumupTransactionId, ids))
  return new Set([...booked, ...reviewed].map(({ id }) => id))
}

async function findUnpaidOrders({ db }: Settling, paid: Map<string, string>): Promise<string[]> {
  const rows = await db
    .select({ id: orders.id, transactionId: orders.sumupTransactionId })
    .from(orders)
    .where(sql`${orders.createdAt} between now() - make_interval(days => ${daysBack - 1})
      and now() - make_interval(mins => ${settlingMinutes * 2})`)
  return rows
    .filter(({ transactionId }) => !transactionId || !paid.has(transactionId))
    .map(({ id }) => id)
}

async function lookAtOpenSales({ db }: Settling): Promise<void> {
  await db.update(checkouts).set({ nextCheckAt: sql`now()` })
    .where(sql`${checkouts.state} in ('created', 'open', 'submitted', 'expired')
      and ${checkouts.createdAt} > now() - make_interval(days => ${daysBack})`)
}
