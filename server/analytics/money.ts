import type { AnalyticsSummary } from '#contract/analytics.ts'
import type { Day, Days } from '#contract/days.ts'
import { formatCents } from '#contract/money.ts'
import type { Db } from '#server/db/database.ts'
import { inArray, sql } from '#server/db/drizzle.ts'
import { products } from '#server/db/schema.ts'
import { selectDays, startOfDay } from '#server/db/time-zones.ts'
import type { Shown } from './days.ts'

/*
 * What was sold is read from the orders. What went back is read from their payments, and taken off the day on which the
 * order was placed.
 */

/** How many products, countries and referrers are shown. */
export const topEntries = 5

export type ShownMoney = Shown & { currency: string }

type Sold = {
  currency: string
  orders: number
  /** What was paid, and what of it was kept. */
  grossCents: number
  keptCents: number
}

/** Either of one day, or of one product before the range or in it. */
type SoldRow = Sold & { day: Day | null; productId: string | null; isBefore: boolean | null }

export type SoldOnDay = Sold & { day: Day }
type SoldProduct = Sold & { productId: string }

/** What was sold on each of the days, and of each product from `from` on. */
export async function listSold(
  db: Db,
  { zone, isShown }: Shown,
  days: Days,
  from: Day,
): Promise<{ days: SoldOnDay[]; products: SoldProduct[] }> {
  const { rows } = await db.execute<SoldRow>(sql`
    with sold as (
      select day, sold.*, 0 as returned from (${selectDays(days, zone)}) as days cross join lateral (
        select product_id, currency, count(*) as orders, sum(amount) as amount from orders
        where created_at >= starts and created_at < ends and ${isShown}
        group by product_id, currency) as sold
    ), returned as (
      -- Each order is looked up by its key: few payments went back, but PostgreSQL expects a third of all.
      select (placed.created_at at time zone ${zone})::date as day, placed.product_id, placed.currency, 0, 0,
        least(amount, refunded + charged_back) as returned
      from payments cross join lateral (
        select created_at, product_id, currency from orders
        where sumup_transaction_id = transaction_id and ${isShown} limit 1) as placed
      where refunded + charged_back > 0
    )
    select day::text, product_id as "productId", is_before as "isBefore", currency, sum(orders)::int as orders,
      (sum(amount) * 100)::float8 as "grossCents", (sum(amount - returned) * 100)::float8 as "keptCents"
    from (select *, day < ${from} as is_before from sold
      union all select *, day < ${from} from returned where day between ${days.from} and ${days.to}) as money
    group by grouping sets ((day, currency), (product_id, is_before, currency))`)
  return {
    days: rows.filter((row): row is SoldRow & SoldOnDay => row.day !== null),
    products: rows.filter((row): row is SoldRow & SoldProduct => row.isBefore === false),
  }
}

/** The day of the first order that is shown; null if there is none. */
export async function findFirstSale(db: Db, { zone, isShown }: Shown): Promise<Day | null> {
  const { rows } = await db.execute<{ day: Day | null }>(sql`
    select (min(created_at) at time zone ${zone})::date::text as day from orders where ${isShown}`)
  return rows[0]?.day ?? null
}

/** The products with the most revenue, with how often each value of their choice was bought. */
export async function showTopProducts(
  db: Db,
  shown: ShownMoney,
  range: Days,
  sold: SoldProduct[],
): Promise<AnalyticsSummary['topProducts']> {
  const ofCurrency = sold.filter(({ currency }) => currency === shown.currency)
  const top = ofCurrency.toSorted(byRevenue).slice(0, topEntries)
  const rows = await db
    .select({ id: products.id, name: products.name, choice: products.choice })
    .from(products)
    .where(
      inArray(
        products.id,
        top.map(({ productId }) => productId),
      ),
    )
  const known = new Map(rows.map((row) => [row.id, row]))
  const chosen = rows.filter(({ choice }) => choice !== null).map(({ id }) => id)
  const bought = await listValues(db, shown, range, chosen)
  return top.map(({ productId, orders, keptCents }) => {
    const values = bought
      .get(productId)
      ?.map(({ value, orders: times }) => ({ value, orders: times }))
    const name = known.get(productId)?.name ?? 'Unknown'
    return { productId, name, orders, revenue: formatCents(keptCents), ...(values && { values }) }
  })
}

function byRevenue(one: SoldProduct, other: SoldProduct): number {
  const byId = one.productId < other.productId ? -1 : 1
  return other.keptCents - one.keptCents || other.orders - one.orders || byId
}

/** What was sold from a day on in other currencies, the highest sum first. */
export function sumOtherCurrencies(
  sold: SoldOnDay[],
  from: Day,
  currency: string,
): AnalyticsSummary['otherCurrencies'] {
  const others = sold.filter((row) => row.currency !== currency && row.day >= from)
  const sums = [...Map.groupBy(others, (row) => row.currency)].map(([other, rows]) => ({
    currency: other,
    cents: rows.reduce((sum, { keptCents }) => sum + keptCents, 0),
    orders: rows.reduce((sum, { orders }) => sum + orders, 0),
  }))
  return sums
    .toSorted((one, other) => other.cents - one.cents)
    .map(({ cents, ...sum }) => ({ ...sum, revenue: formatCents(cents) }))
}

type BoughtValue = { productId: string; value: string; orders: number }

/** How often each value was bought, by product. */
async function listValues(
  db: Db,
  { zone, isShown, currency }: ShownMoney,
  { from, to }: Days,
  productIds: string[],
): Promise<Map<string, BoughtValue[]>> {
  if (productIds.length === 0) return new Map()
  const { rows } = await db.execute<BoughtValue>(sql`
    select product_id as "productId", count(*)::int as orders,
      (array_agg(product -> 'choice' ->> 'value' order by created_at desc))[1] as value
    from orders
    where product_id = any(${sql.param(productIds)}::uuid[]) and currency = ${currency} and ${isShown}
      and created_at >= ${startOfDay(sql`${from}`, sql`${zone}`)}
      and created_at < ${startOfDay(sql`(${to}::date + 1)`, sql`${zone}`)}
      and (product -> 'choice' ->> 'id') is not null
    group by product_id, product -> 'choice' ->> 'id' order by orders desc, value`)
  return Map.groupBy(rows, ({ productId }) => productId)
}
