import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Client } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { orderStatuses, type ProductAsSold } from '#contract/orders.ts'
import { productAsSold } from '#server/catalog/products.ts'
import type { Db } from '#server/db/database.ts'
import { drizzle, sql, type SQL } from '#server/db/drizzle.ts'
import { products } from '#server/db/schema.ts'
import { createOrders, type DemoOrder } from '#tools/seed/orders.ts'
import { demoProducts } from '#tools/seed/products.ts'

/** How ids of demo payments start, where real ones have SumUp's ids. */
export const demoPrefix = 'demo-'

/** Orders per COPY: their timelines are in memory meanwhile. */
const ordersPerCopy = 5_000
/** What is sent at a time, in characters. */
const pieceLength = 64 * 1024

const orderColumns = `id, product_id, product, customer_email, customer_name, customer_phone, shipping_address,
  billing_address, amount, currency, status, sumup_checkout_id, sumup_transaction_id, payment_method,
  accepts_news_at, is_test, created_at, updated_at`
const timelineColumns = 'order_id, actor, event, from_status, to_status, created_at'

export type DemoSales = { seed: number; count: number; actor: string; now: Date }

/**
 * Adds orders with their timelines, as sales in test mode and admins would have. No mail is sent for them. The tables must
 * have been emptied in this transaction.
 */
export async function addOrders(
  client: Client,
  sales: DemoSales,
  onShare: (share: number) => void,
): Promise<void> {
  const rows = await drizzle(client).select().from(products)
  const formatOrder = createOrderFormatter(new Map(rows.map((row) => [row.id, productAsSold(row)])))
  const orders = createOrders(sales.seed, sales.count, sales.now)
  for (let copied = 0; copied < sales.count; copied += ordersPerCopy) {
    const timeline: string[] = []
    const formatSome = function* () {
      for (let index = 0; index < ordersPerCopy; index += 1) {
        const { value: order } = orders.next()
        if (!order) return
        timeline.push(formatTimeline(order, sales.actor))
        yield formatOrder(order)
      }
    }
    await copyLines(client, `orders (${orderColumns})`, formatSome())
    await copyLines(client, `order_timeline (${timelineColumns})`, timeline)
    onShare(Math.min(1, (copied + ordersPerCopy) / sales.count))
  }
}

/** Frozen, since nobody sees the rows before the commit: PostgreSQL need not visit them again. */
async function copyLines(client: Client, target: string, lines: Iterable<string>): Promise<void> {
  const copying = client.query(copyFrom(`copy ${target} from stdin with (freeze)`))
  await pipeline(Readable.from(joinLines(lines), { objectMode: false }), copying)
}

function* joinLines(lines: Iterable<string>): Generator<string> {
  let piece = ''
  for (const line of lines) {
    piece += line
    if (piece.length < pieceLength) continue
    yield piece
    piece = ''
  }
  if (piece) yield piece
}

function createOrderFormatter(sold: Map<string, ProductAsSold>) {
  // A product has two names at most: its text is the same in many thousand orders.
  const texts = new Map<string, string>()
  const formatProduct = (product: ProductAsSold, name: string) => {
    const key = `${product.id} ${name}`
    const text = texts.get(key) ?? escapeText(JSON.stringify({ ...product, name }))
    texts.set(key, text)
    return text
  }
  return (order: DemoOrder): string => {
    const product = sold.get(order.productId)
    if (!product) throw new Error('the demo has no products')
    const [placedAt = ''] = order.steps
    const payment = `${demoPrefix}${order.number}`
    return formatRow([
      order.id,
      product.id,
      formatProduct(product, order.earlierName ?? product.name),
      order.email,
      order.name,
      order.phone,
      escapeText(JSON.stringify(order.shipping)),
      order.billing && escapeText(JSON.stringify(order.billing)),
      product.price,
      product.currency,
      order.status,
      payment,
      payment,
      'card',
      order.acceptsNews ? placedAt : null,
      'true',
      placedAt,
      order.steps.at(-1) ?? null,
    ])
  }
}

function formatTimeline({ id, steps }: DemoOrder, actor: string): string {
  let rows = ''
  for (const [index, at] of steps.entries()) {
    const isFirst = index === 0
    rows += formatRow([
      id,
      isFirst ? 'shop' : escapeText(actor),
      isFirst ? 'placed' : 'status',
      orderStatuses[index - 1] ?? null,
      orderStatuses[index] ?? null,
      at,
    ])
  }
  return rows
}

/** A line of COPY, of texts that are escaped or need no escaping. */
function formatRow(values: (string | null)[]): string {
  return `${values.map((value) => value ?? '\\N').join('\t')}\n`
}

function escapeText(text: string): string {
  return text.replaceAll(/[\\\t\n\r]/g, (sign) => copyEscapes[sign] ?? sign)
}
const copyEscapes: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }

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
    select product_id, ${shownVersion}, amount, currency, 'paid', ${buyerHash}, 'DEMO', sumup_checkout_id,
      true, created_at, created_at,
      jsonb_strip_nulls(jsonb_build_object('customerEmail', customer_email, 'customerName', customer_name,
        'customerPhone', customer_phone, 'shippingAddress', shipping_address, 'billingAddress', billing_address,
        'acceptsNews', accepts_news_at is not null)),
      created_at + interval '26 minutes', created_at - interval '1 minute', created_at - interval '4 minutes', created_at
    from orders`)
  await tx.execute(sql`
    insert into checkouts (product_id, shown_version, amount, currency, state, buyer_token_hash, merchant_code, sumup_checkout_id,
      is_test, valid_until, started_at, created_at, updated_at)
    select product_id, ${shownVersion}, amount, currency, 'closed', ${buyerHash}, 'DEMO', ${demoPrefix} || 'left-' || id,
      true, created_at - interval '30 minutes', created_at - interval '57 minutes', created_at - interval '1 hour',
      created_at - interval '30 minutes'
    from orders where hashtextextended(sumup_checkout_id, 2) & 1023 < ${Math.round(abandonedPerOrder * 1024)}`)
}

const shownVersion = sql`left(md5(product::text), 16)`

/** A different browser for each order. */
const buyerHash = sql`md5('demo buyer' || id) || md5('demo browser' || id)`

/** Viewed, paid, thank-you page viewed. */
export const eventsPerOrder = 3
const eventBatchSize = 200_000
const daysBack = 365

/** Views that led to no order: all events but those of so many orders. */
export async function addViews(
  db: Db,
  { seed, count, orders, now }: { seed: number; count: number; orders: number; now: Date },
  onShare: (share: number) => void,
): Promise<void> {
  const all = count - orders * eventsPerOrder
  for (let first = 1; first <= all; first += eventBatchSize) {
    const last = Math.min(first + eventBatchSize - 1, all)
    await addSomeViews(db, { seed, now, first, last, all })
    onShare(last / all)
  }
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

async function addSomeViews(
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
    insert into analytics_events (id, event_type, product_id, is_test, is_new_visitor, created_at, metadata, country, ${visitorColumns})
    select ${createEventId('view', sql`n`)}, 'checkout_view', ${pickFrom(productIds, 30)}::uuid, true, (bits >> 52) & 3 <> 0,
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
