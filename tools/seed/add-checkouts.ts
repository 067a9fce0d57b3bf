import type { Db } from '#server/db/database.ts'
import { sql } from '#server/db/drizzle.ts'
import { demoMark } from '#tools/seed/clear-demo.ts'

/** For so many orders, so many more began to pay and thought better of it. */
const givenUpPerOrder = 0.4

/** The ledger that belongs to the orders: each was paid on a checkout, and some checkouts came to nothing. */
export async function addCheckouts(tx: Db): Promise<void> {
  await tx.execute(sql`
    insert into checkouts (product_id, product, amount, currency, state, buyer_token_hash, merchant_code, sumup_checkout_id,
      sumup_transaction_id, told_at, thanked_at, details, valid_until, started_at, created_at, updated_at)
    select product_id, product, amount, currency, 'paid', ${buyer}, 'DEMO', sumup_checkout_id, sumup_transaction_id,
      created_at, created_at,
      jsonb_strip_nulls(jsonb_build_object('customerEmail', customer_email, 'customerName', customer_name,
        'customerPhone', customer_phone, 'shippingAddress', shipping_address, 'billingAddress', billing_address,
        'acceptsNews', accepts_news_at is not null)),
      created_at + interval '26 minutes', created_at - interval '1 minute', created_at - interval '4 minutes', created_at
    from orders`)
  await tx.execute(sql`
    insert into checkouts (product_id, product, amount, currency, state, buyer_token_hash, merchant_code, sumup_checkout_id,
      valid_until, started_at, created_at, updated_at)
    select product_id, product, amount, currency, 'closed', ${buyer}, 'DEMO', ${demoMark} || 'left-' || id,
      created_at - interval '30 minutes', created_at - interval '57 minutes', created_at - interval '1 hour',
      created_at - interval '30 minutes'
    from orders where hashtextextended(sumup_checkout_id, 2) & 1023 < ${Math.round(givenUpPerOrder * 1024)}`)
}

/** Each bought in a browser of its own. */
const buyer = sql`md5('demo buyer' || id) || md5('demo browser' || id)`
