import type { Db } from '#server/db/database.ts'
import { sql, type SQL } from '#server/db/drizzle.ts'
import { demoProducts } from '#tools/seed/demo-products.ts'

/** Looked, paid, thanked: what each order has at least. */
export const eventsPerOrder = 3
const batchSize = 200_000
const daysBack = 365

/** What is written down of visits: those that ended in an order first, then as many that did not as are left. */
export async function addEvents(
  db: Db,
  { seed, count, now }: { seed: number; count: number; now: Date },
): Promise<void> {
  if (count === 0) return
  const ofOrders = await addSales(db)
  for (let first = 1; first <= count - ofOrders; first += batchSize) {
    const last = Math.min(first + batchSize - 1, count - ofOrders)
    await addViews(db, { seed, now, first, last, all: count - ofOrders })
  }
}

async function addSales(db: Db): Promise<number> {
  const { rowCount } = await db.execute(sql`
    insert into analytics_events (id, event_type, product_id, order_id, created_at, metadata, country, ${visitorColumns})
    select ${idOf('sale', sql`row_number() over (order by created_at, after)`)}, event, product_id, case when event <> 'checkout_view' then orders.id end,
      orders.created_at + after, '{"demo": true}', shipping_address ->> 'country', ${visitor}
    from orders, hashtextextended(sumup_checkout_id, 1) as lot, (values ('checkout_view', interval '-4 minutes'),
      ('checkout_complete', interval '1 second'), ('thank_you_view', interval '3 seconds')) as story(event, after)`)
  return rowCount ?? 0
}

async function addViews(
  db: Db,
  {
    seed,
    now,
    first,
    last,
    all,
  }: { seed: number; now: Date; first: number; last: number; all: number },
): Promise<void> {
  await db.execute(sql`
    insert into analytics_events (id, event_type, product_id, created_at, metadata, country, ${visitorColumns})
    select ${idOf('view', sql`n`)}, 'checkout_view', ${draw(products, 30)}::uuid,
      -- One after the other, as in life: what is written in its order is written in half the time.
      ${now.toISOString()}::timestamptz
        - power(1 - (n - ((lot >> 42) & 1023) / 1024.0::float8) / ${all}, 1.9::float8) * ${daysBack} * interval '1 day',
      '{"demo": true}', nullif(${draw(countriesSeen, 20)}, ''), ${visitor}
    from generate_series(${first}::bigint, ${last}::bigint) as n, hashint8extended(n, ${seed}) as lot`)
}

function idOf(kind: 'view' | 'sale', number: SQL): SQL {
  const beginning = kind === 'view' ? 'de3e0000-0000-4000-a000-' : 'de3e0000-0000-4000-b000-'
  return sql`(${beginning} || lpad(to_hex(${number}), 12, '0'))::uuid`
}

/** What comes often stands in a list often; nothing stands for unknown. */
const products = demoProducts.flatMap(({ id }, rank) =>
  Array.from({ length: demoProducts.length - rank }, () => id),
)
const countriesSeen = (
  'Germany,Germany,Germany,Germany,France,France,Netherlands,Netherlands,United Kingdom,' +
  'United Kingdom,Italy,Belgium,United States,Canada,Austria,'
).split(',')
const devices = (
  'mobile/Safari/iOS,mobile/Safari/iOS,mobile/Chrome/Android,mobile/Chrome/Android,mobile/Chrome/Android,' +
  'desktop/Chrome/Windows,desktop/Chrome/Windows,desktop/Edge/Windows,desktop/Safari/macOS,desktop/Firefox/Linux,' +
  'tablet/Safari/iOS'
).split(',')
const referrers = (
  ',,,https://www.google.com,https://www.google.com,https://www.instagram.com,https://www.instagram.com,' +
  'https://www.facebook.com,https://www.pinterest.com,https://hearth-and-oak.example,https://duckduckgo.com'
).split(',')

const visitorColumns = sql`device_type, browser, os, referrer, visitor_ip`
const visitor = sql`split_part(${draw(devices, 0)}, '/', 1), split_part(${draw(devices, 0)}, '/', 2),
  split_part(${draw(devices, 0)}, '/', 3), nullif(${draw(referrers, 10)}, ''), '203.0.' || (lot & 255) || '.0'`

/** One of a list, by ten bits of the row's lot: a seed can be repeated, which chance could not. */
function draw(list: string[], firstBit: number): SQL {
  return sql`(${sql.param(list)}::text[])[1 + ((lot >> ${firstBit}) & 1023) * ${list.length} / 1024]`
}
