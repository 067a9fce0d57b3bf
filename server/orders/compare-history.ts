import { inArray, sql } from '#server/db/drizzle.ts'
import { checkouts, orders } from '#server/db/schema.ts'
import type { Settling } from './settle.ts'

/** How far back the two books are compared. Longer than any outage we expect not to notice. */
const daysBack = 3
/** A payment this young may still be on its way into our book. */
const settlingMinutes = 15
const perPage = 100
const mostPages = 100

export type Comparison = { payments: number; withoutOrder: string[]; withoutPayment: string[] }

/**
 * The third path to an order, once a day: SumUp's book of payments against ours, in both directions.
 * What has no counterpart is an alert; a payment without an order also has its sale looked at again.
 */
export async function compareWithHistory(shop: Settling): Promise<Comparison> {
  const paid = await readPayments(shop)
  const ids = [...paid.keys()]
  const known = ids.length === 0 ? [] : await findKnown(shop, ids)
  const withoutOrder = ids.filter((id) => !known.includes(id)).map((id) => paid.get(id) ?? id)
  const withoutPayment = await findUnpaidOrders(shop, ids)
  if (withoutOrder.length > 0) {
    shop.log.error({ payments: withoutOrder }, 'SumUp knows payments that have no order here')
    await lookAtOpenSales(shop)
  }
  if (withoutPayment.length > 0) {
    shop.log.error({ orders: withoutPayment }, 'There are orders whose payment SumUp does not know')
  }
  return { payments: ids.length, withoutOrder, withoutPayment }
}

/** Transaction ids with the codes that SumUp's own pages show. */
async function readPayments({ db, sumup }: Settling): Promise<Map<string, string>> {
  const { rows } = await db.execute<{ since: string; until: string }>(sql`
    select to_char((now() - make_interval(days => ${daysBack})) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as since,
      to_char((now() - make_interval(mins => ${settlingMinutes})) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as until`)
  const { since = '', until = '' } = rows[0] ?? {}
  const payments = new Map<string, string>()
  const first = new URLSearchParams({
    'statuses[]': 'SUCCESSFUL',
    oldest_time: since,
    newest_time: until,
    limit: String(perPage),
  })
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

async function findKnown({ db }: Settling, ids: string[]): Promise<string[]> {
  const booked = await db
    .select({ id: orders.sumupTransactionId })
    .from(orders)
    .where(inArray(orders.sumupTransactionId, ids))
  const reviewed = await db
    .select({ id: checkouts.sumupTransactionId })
    .from(checkouts)
    .where(inArray(checkouts.sumupTransactionId, ids))
  return [...booked, ...reviewed].flatMap(({ id }) => (id ? [id] : []))
}

async function findUnpaidOrders({ db }: Settling, ids: string[]): Promise<string[]> {
  const rows = await db
    .select({ id: orders.id, transactionId: orders.sumupTransactionId })
    .from(orders)
    .where(sql`${orders.createdAt} between now() - make_interval(days => ${daysBack - 1})
      and now() - make_interval(mins => ${settlingMinutes * 2})`)
  return rows
    .filter(({ transactionId }) => !transactionId || !ids.includes(transactionId))
    .map(({ id }) => id)
}

async function lookAtOpenSales({ db }: Settling): Promise<void> {
  await db.update(checkouts).set({ nextCheckAt: sql`now()` })
    .where(sql`${checkouts.state} in ('created', 'open', 'submitted', 'expired')
      and ${checkouts.createdAt} > now() - make_interval(days => ${daysBack})`)
}
