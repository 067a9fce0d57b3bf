import type { Db } from '#server/db/database.ts'
import { sql, type SQL } from '#server/db/drizzle.ts'
import { createOrders, type DemoOrder } from '#tools/seed/orders.ts'
import { demoProducts } from '#tools/seed/products.ts'

/** How ids of demo payments start, where real ones have SumUp's ids. */
export const demoPrefix = 'demo-'

const orderBatchSize = 2_500

const searchIndexes = ['order_search_words_idx', 'order_search_short_words_idx']
/** From this number on it is faster to rebuild the search indexes than to update them. */
const minOrdersForRebuild = 5_000

/** Adds orders with their timelines, as sales in test mode and admins would have. No mail is sent for them. */
export async function addOrders(
  tx: Db,
  { seed, count, actor, now }: { seed: number; count: number; actor: string; now: Date },
): Promise<void> {
  const dropped = count < minOrdersForRebuild ? [] : searchIndexes
  const definitions = await Promise.all(dropped.map((name) => readIndexDefinition(tx, name)))
  for (const name of dropped) await tx.execute(sql`drop index ${sql.identifier(name)}`)
  for (const batch of createOrders(seed, count, now, orderBatchSize)) {
    await addOrderBatch(tx, batch, actor)
  }
  for (const definition of definitions) await tx.execute(sql.raw(definition))
}

async function readIndexDefinition(tx: Db, index: string): Promise<string> {
  const { rows } = await tx.execute<{ definition: string }>(
    sql`select pg_get_indexdef(${index}::regclass) as definition`,
  )
  return rows[0]?.definition ?? ''
}

async function addOrderBatch(tx: Db, batch: DemoOrder[], actor: string): Promise<void> {
  await tx.execute(sql`
    with demo as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(batch)}::jsonb) as demo(id uuid, number integer,
        product_id uuid, earlier_name text, email text, name text, phone text, shipping jsonb, billing jsonb, status text,
        accepts_news boolean, created_at timestamptz, steps jsonb)
    ), placed as (
      insert into orders (id, product_id, product, customer_email, customer_name, customer_phone, shipping_address,
        billing_address, amount, currency, status, sumup_checkout_id, sumup_transaction_id, payment_method,
        accepts_news_at, is_test, created_at, updated_at)
      select demo.id, products.id, jsonb_build_object('id', products.id, 'name', coalesce(demo.earlier_name, products.name),
          'price', products.price::text, 'currency', products.currency, 'description', products.description,
          'imageUrl', products.image_url, 'headerLogoUrl', products.header_logo_url,
          'headerName', products.header_name),
        demo.email, demo.name, demo.phone, demo.shipping, demo.billing, products.price, products.currency,
        demo.status, ${demoPrefix} || demo.number, ${demoPrefix} || demo.number, 'card',
        case when demo.accepts_news then demo.created_at end, true, demo.created_at, (demo.steps ->> -1)::timestamptz
      from demo join products on products.id = demo.product_id
      order by demo.created_at
    )
    insert into order_timeline (order_id, actor, event, from_status, to_status, created_at)
    select demo.id, case when step.number = 1 then 'shop' else ${actor} end,
      case when step.number = 1 then 'placed' else 'status' end,
      statuses[step.number - 1], statuses[step.number], step.at::timestamptz
    from demo, jsonb_array_elements_text(demo.steps) with ordinality as step(at, number),
      (select array['pending', 'processing', 'shipped', 'completed'] as statuses) as known`)
}

/** Checkouts that were never paid, per order. */
const abandonedPerOrder = 0.4

/** The paid checkout of each order, and some that were abandoned. */
export async function addCheckouts(tx: Db): Promise<void> {
  await tx.execute(sql`
    insert into checkouts (product_id, product, amount, currency, state, buyer_token_hash, merchant_code, sumup_checkout_id,
      sumup_transaction_id, is_test, told_at, thanked_at, details, valid_until, started_at, created_at, updated_at)
    select product_id, product, amount, currency, 'paid', ${buyerHash}, 'DEMO', sumup_checkout_id, sumup_transaction_id,
      true, created_at, created_at,
      jsonb_strip_nulls(jsonb_build_object('customerEmail', customer_email, 'customerName', customer_name,
        'customerPhone', customer_phone, 'shippingAddress', shipping_address, 'billingAddress', billing_address,
        'acceptsNews', accepts_news_at is not null)),
      created_at + interval '26 minutes', created_at - interval '1 minute', created_at - interval '4 minutes', created_at
    from orders`)
  await tx.execute(sql`
    insert into checkouts (product_id, product, amount, currency, state, buyer_token_hash, merchant_code, sumup_checkout_id,
      is_test, valid_until, started_at, created_at, updated_at)
    select product_id, product, amount, currency, 'closed', ${buyerHash}, 'DEMO', ${demoPrefix} || 'left-' || id,
      true, created_at - interval '30 minutes', created_at - interval '57 minutes', created_at - interval '1 hour',
      created_at - interval '30 minutes'
    from orders where hashtextextended(sumup_checkout_id, 2) & 1023 < ${Math.round(abandonedPerOrder * 1024)}`)
}

/** A different browser for each order. */
const buyerHash = sql`md5('demo buyer' || id) || md5('demo browser' || id)`

/** Viewed, paid, thank-you page viewed. */
export const eventsPerOrder = 3
const eventBatchSize = 200_000
const daysBack = 365

/** The events of the orders first; the rest are views that led to no order. */
export async function addEvents(
  db: Db,
  { seed, count, now }: { seed: number; count: number; now: Date },
): Promise<void> {
  if (count === 0) return
  const saleEvents = await addSaleEvents(db)
  for (let first = 1; first <= count - saleEvents; first += eventBatchSize) {
    const last = Math.min(first + eventBatchSize - 1, count - saleEvents)
    await addViews(db, { seed, now, first, last, all: count - saleEvents })
  }
}

async function addSaleEvents(db: Db): Promise<number> {
  const { rowCount } = await db.execute(sql`
    insert into analytics_events (id, event_type, product_id, order_id, is_test, created_at, metadata, country, ${visitorColumns})
    select ${createEventId('sale', sql`row_number() over (order by created_at, after)`)}, event, product_id, case when event <> 'checkout_view' then orders.id end,
      true, orders.created_at + after, '{"demo": true}', shipping_address ->> 'country', ${visitor}
    from orders, hashtextextended(sumup_checkout_id, 1) as bits, (values ('checkout_view', interval '-4 minutes'),
      ('checkout_complete', interval '1 second'), ('thank_you_view', interval '3 seconds')) as steps(event, after)`)
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
    insert into analytics_events (id, event_type, product_id, is_test, created_at, metadata, country, ${visitorColumns})
    select ${createEventId('view', sql`n`)}, 'checkout_view', ${pickFrom(productIds, 30)}::uuid, true,
      -- Ordered by time: inserting in index order takes half as long.
      ${now.toISOString()}::timestamptz
        - power(1 - (n - ((bits >> 42) & 1023) / 1024.0::float8) / ${all}, 1.9::float8) * ${daysBack} * interval '1 day',
      '{"demo": true}', nullif(${pickFrom(visitorCountries, 20)}, ''), ${visitor}
    from generate_series(${first}::bigint, ${last}::bigint) as n, hashint8extended(n, ${seed}) as bits`)
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
