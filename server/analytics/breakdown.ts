import type { AnalyticsSummary } from '#contract/analytics.ts'
import type { Days } from '#contract/days.ts'
import { formatCents } from '#contract/money.ts'
import type { Db } from '#server/db/database.ts'
import { inArray, sql } from '#server/db/drizzle.ts'
import { products } from '#server/db/schema.ts'
import type { Kind } from './figures.ts'

const topEntries = 5
/** More than there are countries or currencies; of referrers and products only the top is shown. */
const mostOfAKind = 300

type Entry = { kind: Kind; key: string; views: number; orders: number; cents: number }

type Breakdown = Pick<
  AnalyticsSummary,
  'topProducts' | 'devices' | 'countries' | 'referrers' | 'otherCurrencies'
>

/** Who came from where with what, and what was sold. */
export async function readBreakdown(
  tx: Db,
  zone: string,
  range: Days,
  currency: string,
): Promise<Breakdown> {
  const entries = Map.groupBy(await readEntries(tx, zone, range, currency), ({ kind }) => kind)
  const of = (kind: Kind) => entries.get(kind) ?? []
  return {
    topProducts: await nameProducts(tx, of('product').slice(0, topEntries)),
    devices: withPercents(of('device')).map(({ key, ...shares }) => ({ device: key, ...shares })),
    countries: withPercents(of('country'))
      .slice(0, topEntries)
      .map(({ key, ...shares }) => ({ country: key, ...shares })),
    referrers: of('referrer')
      .slice(0, topEntries)
      .map(({ key, views }) => ({ referrer: key, views })),
    otherCurrencies: of('currency')
      .filter(({ key }) => key !== currency)
      .map(({ key, cents, orders }) => ({ currency: key, revenue: formatCents(cents), orders })),
  }
}

async function readEntries(
  tx: Db,
  zone: string,
  { from, to }: Days,
  currency: string,
): Promise<Entry[]> {
  const { rows } = await tx.execute<Entry>(sql`
    select kind, key, views::int, orders::int, (revenue * 100)::float8 as cents from (
      select kind, key, sum(views) as views, sum(orders) as orders, sum(revenue) as revenue,
        row_number() over (partition by kind
          order by sum(revenue) desc, sum(orders) desc, sum(views) desc, key) as place
      from analytics_days
      where zone = ${zone} and day between ${from} and ${to} and kind <> 'total'
        and (kind <> 'product' or right(key, 3) = ${currency})
      group by kind, key) as entries
    where place <= ${mostOfAKind}
    order by kind, place`)
  return rows
}

async function nameProducts(tx: Db, top: Entry[]): Promise<Breakdown['topProducts']> {
  if (top.length === 0) return []
  const sold = top.map(({ key, orders, cents }) => {
    const [productId = ''] = key.split(':')
    return { productId, orders, revenue: formatCents(cents) }
  })
  const ids = sold.map(({ productId }) => productId)
  const rows = await tx
    .select({ id: products.id, name: products.name })
    .from(products)
    .where(inArray(products.id, ids))
  const names = new Map(rows.map(({ id, name }) => [id, name]))
  return sold.map(({ productId, ...figures }) => ({
    productId,
    name: names.get(productId) ?? 'Unknown',
    ...figures,
  }))
}

/** Percents with one decimal that add up to 100: what rounding down leaves over goes to those it took most from. */
function withPercents(entries: Entry[]): { key: string; views: number; percent: number }[] {
  const all = entries.reduce((sum, { views }) => sum + views, 0)
  const shares = entries.map(({ key, views }) => {
    const thousandths = all === 0 ? 0 : (views * 1000) / all
    return { key, views, floor: Math.floor(thousandths), rest: thousandths % 1 }
  })
  const left = (all === 0 ? 0 : 1000) - shares.reduce((sum, { floor }) => sum + floor, 0)
  const lucky = new Set(shares.toSorted((a, b) => b.rest - a.rest).slice(0, left))
  return shares.map((share) => ({
    key: share.key,
    views: share.views,
    percent: (share.floor + (lucky.has(share) ? 1 : 0)) / 10,
  }))
}
