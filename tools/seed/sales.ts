import { orderStatuses, type ProductAsSold } from '#contract/orders.ts'
import { productAsSold } from '#server/catalog/products.ts'
import type { Db } from '#server/db/database.ts'
import { sql, type SQL } from '#server/db/drizzle.ts'
import { products } from '#server/db/schema.ts'
import { demoAccount, demoPrefix } from '#server/demo.ts'
import { createOrders, daysBack, towardsToday } from '#tools/seed/orders.ts'
import { demoProducts } from '#tools/seed/products.ts'

/** So many orders are made up. Those of larger demos are copies of them. */
const maxMadeUp = 2_000
/** A copy was sold this much earlier than the one before, by the same buyer with another e-mail address. */
const copyShift = sql`interval '67 minutes'`

type DemoSales = { seed: number; count: number; actor: string; now: Date }

/** Adds orders with their timelines, as sales in test mode and admins would have. No mail is sent for them. */
export async function addOrders(tx: Db, { seed, count, actor, now }: DemoSales): Promise<void> {
  const rows = await tx.select().from(products)
  const sold = new Map<string, ProductAsSold>(rows.map((row) => [row.id, productAsSold(row)]))
  const madeUp = createOrders({ seed, count: Math.min(count, maxMadeUp), now }, sold)
  await tx.execute(sql`
    with made_up as (
      select row_number() over () - 1 as position, * from jsonb_to_recordset(${JSON.stringify(madeUp)}::jsonb)
        as (product jsonb, email text, name text, phone text, shipping jsonb, billing jsonb, status text,
          "acceptsNews" boolean, steps timestamptz[])
    ), made as materialized (
      select ${createOrderId(seed)} as id, ${demoPrefix} || n as payment, made_up.*, copy * ${copyShift} as shift,
        replace(email, '@', case copy when 0 then '@' else '.' || copy || '@' end) as own_email
      from generate_series(0, ${count - 1}::int) as n
        cross join lateral (select n / ${maxMadeUp} as copy) as copies
        join made_up on position = n % ${maxMadeUp}
    ), timeline as (
      insert into order_timeline (order_id, actor, event, from_status, to_status, created_at)
      select id, case step when 1 then 'shop' else ${actor} end, case step when 1 then 'placed' else 'status' end,
        statuses[step - 1], statuses[step], reached_at - shift
      from made, unnest(steps) with ordinality as reached(reached_at, step),
        (select ${sql.param([...orderStatuses])}::text[] as statuses) as known
    )
    insert into orders (id, product_id, product, customer_email, customer_name, customer_phone, shipping_address,
      billing_address, amount, currency, status, sumup_checkout_id, sumup_transaction_id, payment_method,
      accepts_news_at, is_test, created_at, updated_at)
    select id, (product ->> 'id')::uuid, product, own_email, name, phone, shipping, nullif(billing, 'null'),
      (product ->> 'price')::numeric, product ->> 'currency', status, payment, payment, 'card',
      case when "acceptsNews" then steps[1] - shift end, true, steps[1] - shift, steps[cardinality(steps)] - shift
    from made
    -- Numbers are given in this order.
    order by steps[1] - shift`)
}

/** The same for the same seed. */
function createOrderId(seed: number): SQL {
  return sql`overlay(overlay(md5('till demo ' || ${seed}::text || ' ' || n) placing '4' from 13) placing 'a' from 17)::uuid`
}

/** Checkouts that were never paid, per order. */
const abandonedPerOrder = 0.4

/** The paid checkout of each order, and some that were abandoned. */
export async function addCheckouts(tx: Db): Promise<void> {
  await tx.execute(sql`
    insert into shown_products (version, product)
    select distinct on (version) ${shownVersion} as version, product from orders on conflict do nothing`)
  await tx.execute(sql`
    insert into checkouts (product_id, shown_version, amount, currency, state, buyer_token_hash, merchant_code, sumup_checkout_id,
      is_test, told_at, thanked_at, details, valid_until, started_at, created_at, updated_at)
    select product_id, ${shownVersion}, amount, currency, 'paid', ${buyerHash}, ${demoAccount}, sumup_checkout_id,
      true, created_at, created_at,
      jsonb_strip_nulls(jsonb_build_object('customerEmail', customer_email, 'customerName', customer_name,
        'customerPhone', customer_phone, 'shippingAddress', shipping_address, 'billingAddress', billing_address,
        'acceptsNews', accepts_news_at is not null)),
      created_at + interval '26 minutes', created_at - interval '1 minute', created_at - interval '4 minutes', created_at
    from orders`)
  await tx.execute(sql`
    insert into checkouts (product_id, shown_version, amount, currency, state, buyer_token_hash, merchant_code, sumup_checkout_id,
      is_test, valid_until, started_at, created_at, updated_at)
    select product_id, ${shownVersion}, amount, currency, 'closed', ${buyerHash}, ${demoAccount}, ${demoPrefix} || 'left-' || id,
      true, created_at - interval '30 minutes', created_at - interval '57 minutes', created_at - interval '1 hour',
      created_at - interval '30 minutes'
    from orders where hashtextextended(sumup_checkout_id, 2) & 1023 < ${Math.round(abandonedPerOrder * 1024)}`)
}

const shownVersion = sql`left(md5(product::text), 16)`

/** A different browser for each order. */
const buyerHash = sql`md5('demo buyer' || id) || md5('demo browser' || id)`

/** Viewed, paid, thank-you page viewed. */
export const eventsPerOrder = 3

/** Views that led to no order: all events but those of so many orders. */
export async function addViews(
  tx: Db,
  { seed, count, orders, now }: { seed: number; count: number; orders: number; now: Date },
): Promise<void> {
  const views = count - orders * eventsPerOrder
  await tx.execute(sql`
    insert into analytics_events (id, event_type, product_id, is_test, is_new_visitor, created_at, metadata, country, ${visitorColumns})
    select ${createEventId('view', sql`n`)}, 'checkout_view', ${pickFrom(productIds, 30)}::uuid, true, (bits >> 52) & 3 <> 0,
      ${now.toISOString()}::timestamptz
        - power(1 - (n - ((bits >> 42) & 1023) / 1024.0::float8) / ${views}, ${towardsToday}::float8) * ${daysBack} * interval '1 day',
      '{"demo": true}', nullif(${pickFrom(visitorCountries, 20)}, ''), ${visitor}
    from generate_series(1, ${views}::bigint) as n, hashint8extended(n, ${seed}) as bits`)
}

/** What came of the visits that led to an order. */
export async function addSaleEvents(db: Db): Promise<void> {
  await db.execute(sql`
    insert into analytics_events (id, event_type, product_id, order_id, is_test, created_at, metadata, country, ${visitorColumns})
    select ${createEventId('sale', sql`row_number() over (order by created_at, after)`)}, event, product_id, case when event <> 'checkout_view' then orders.id end,
      true, orders.created_at + after, '{"demo": true}', shipping_address ->> 'country', ${visitor}
    from orders, hashtextextended(sumup_checkout_id, 1) as bits, (values ('checkout_view', interval '-4 minutes'),
      ('checkout_complete', interval '1 second'), ('thank_you_view', interval '3 seconds')) as steps(event, after)
    where sumup_checkout_id like ${`${demoPrefix}%`}`)
}

function createEventId(kind: 'view' | 'sale', index: SQL): SQL {
  const prefix = kind === 'view' ? 'de3e0000-0000-4000-a000-' : 'de3e0000-0000-4000-b000-'
  return sql`(${prefix} || lpad(to_hex(${index}), 12, '0'))::uuid`
}

/** Frequent values are repeated; an empty one means unknown. */
const productIds = demoProducts.flatMap(({ id }, rank) =>
  Array.from({ length: demoProducts.length - rank }, () => id),
)
const visitorCountries = (
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
const visitor = sql`split_part(${pickFrom(devices, 0)}, '/', 1), split_part(${pickFrom(devices, 0)}, '/', 2),
  split_part(${pickFrom(devices, 0)}, '/', 3), nullif(${pickFrom(referrers, 10)}, ''), '203.0.' || (bits & 255) || '.0'`

/** One of a list by ten bits of the row's hash, which repeats for the same seed, unlike random(). */
function pickFrom(list: string[], firstBit: number): SQL {
  return sql`(${sql.param(list)}::text[])[1 + ((bits >> ${firstBit}) & 1023) * ${list.length} / 1024]`
}
