import type { Db } from '#server/db/database.ts'
import { sql } from '#server/db/drizzle.ts'
import { demoMark } from '#tools/seed/clear-demo.ts'
import { makeOrders, type DemoOrder } from '#tools/seed/make-orders.ts'

const batchSize = 2_500

const searchIndexes = ['order_search_trigrams_idx', 'order_search_pairs_idx']
/** From so many orders on it is quicker to make the indexes of the search anew than to add to them. */
const many = 5_000

/** Adds orders as the sale and an admin's work would have left them. No mail is sent for any of them. */
export async function addOrders(
  tx: Db,
  { seed, count, actor, now }: { seed: number; count: number; actor: string; now: Date },
): Promise<void> {
  const dropped = count < many ? [] : searchIndexes
  const definitions = await Promise.all(dropped.map((name) => readDefinition(tx, name)))
  for (const name of dropped) await tx.execute(sql`drop index ${sql.identifier(name)}`)
  for (const batch of makeOrders(seed, count, now, batchSize)) {
    await addBatch(tx, batch, actor)
  }
  for (const definition of definitions) await tx.execute(sql.raw(definition))
}

async function readDefinition(tx: Db, index: string): Promise<string> {
  const { rows } = await tx.execute<{ definition: string }>(
    sql`select pg_get_indexdef(${index}::regclass) as definition`,
  )
  return rows[0]?.definition ?? ''
}

async function addBatch(tx: Db, batch: DemoOrder[], actor: string): Promise<void> {
  await tx.execute(sql`
    with made as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(batch)}::jsonb) as made(id uuid, number integer,
        product_id uuid, earlier_name text, email text, name text, phone text, shipping jsonb, billing jsonb, status text,
        accepts_news boolean, created_at timestamptz, steps jsonb)
    ), placed as (
      insert into orders (id, product_id, product, customer_email, customer_name, customer_phone, shipping_address,
        billing_address, amount, currency, status, sumup_checkout_id, sumup_transaction_id, payment_method,
        accepts_news_at, created_at, updated_at)
      select made.id, products.id, jsonb_build_object('id', products.id, 'name', coalesce(made.earlier_name, products.name),
          'price', products.price::text, 'currency', products.currency, 'description', products.description,
          'imageUrl', products.image_url, 'headerLogoUrl', products.header_logo_url,
          'headerName', products.header_name),
        made.email, made.name, made.phone, made.shipping, made.billing, products.price, products.currency,
        made.status, ${demoMark} || made.number, ${demoMark} || made.number, 'card',
        case when made.accepts_news then made.created_at end, made.created_at, (made.steps ->> -1)::timestamptz
      from made join products on products.id = made.product_id
      order by made.created_at
    )
    insert into order_timeline (order_id, actor, event, from_status, to_status, created_at)
    select made.id, case when step.number = 1 then 'shop' else ${actor} end,
      case when step.number = 1 then 'placed' else 'status' end,
      statuses[step.number - 1], statuses[step.number], step.at::timestamptz
    from made, jsonb_array_elements_text(made.steps) with ordinality as step(at, number),
      (select array['pending', 'processing', 'shipped', 'completed'] as statuses) as known`)
}
