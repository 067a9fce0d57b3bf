import assert from 'node:assert/strict'
import { sql } from '#server/db/drizzle.ts'
import { reviewEntries } from '#server/db/payment-schema.ts'
import { checkouts } from '#server/db/schema.ts'
import { createBuyer, payByCard } from '#server/testing/buyer.ts'
import type { BrowserShop } from './browser-shop.ts'

/**
 * A card is charged, and the page that should have told where to deliver never did. Stories change what is known of the
 * payment: SumUp is not asked about it again, neither for its webhook nor because it is time.
 */
export async function payWithoutDetails(shop: BrowserShop, productId: string): Promise<void> {
  const buyer = createBuyer(shop)
  const { checkoutId } = (await buyer.open(productId)).json()
  shop.sandbox.faults.set({ rules: [{ on: 'webhook', kind: 'webhook-lost' }] })
  await payByCard(shop.sandbox, checkoutId)
  shop.sandbox.faults.set({ rules: [] })
  assert.equal((await buyer.look(checkoutId)).json().state, 'review')
  await shop.db.execute(sql`update checkouts set next_check_at = now() + interval '1 hour'`)
}

/** A payment of a sale that is lost here. SumUp is not asked about it. */
export async function addStrayPayment(shop: BrowserShop, count = 1): Promise<void> {
  await shop.db.execute(sql`
    with added as (
      insert into payments
        (transaction_id, transaction_code, merchant_code, is_test, amount, currency, status, made_at)
      select gen_random_uuid(), 'TSTRAY1', ${shop.sandbox.merchantCode}, true, 49, 'EUR', 'successful', now()
      from generate_series(1, ${count})
      returning id
    )
    insert into review_entries (id, payment_id, reason, state, is_test)
    select id, id, 'no-sale', 'open', true from added`)
}

/** The shop forgets the only sale, whose payment SumUp has. */
export async function losePaidSale(shop: BrowserShop): Promise<void> {
  await shop.db.delete(checkouts)
  await shop.db.delete(reviewEntries)
  await shop.db.execute(sql`update payments set sale_id = null`)
  await shop.db.execute(sql`
    insert into review_entries (id, payment_id, reason, state, is_test)
    select id, id, 'no-sale', 'open', true from payments`)
}

/** Another admin's refund of which nobody knows yet what became of it. */
export async function addOpenRefund({ db }: BrowserShop): Promise<void> {
  await db.execute(sql`
    insert into refunds
      (payment_id, amount, currency, state, refunded_before, failed_before, asked_by)
    select id, amount, currency, 'unknown', refunded, failed_refunds, 'another' from payments`)
}
