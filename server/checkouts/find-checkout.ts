import { modeOf, type Mode } from '#contract/mode.ts'
import type { Db } from '#server/db/database.ts'
import { and, desc, eq, sql } from '#server/db/drizzle.ts'
import { prepareQuery } from '#server/db/prepared.ts'
import { checkouts } from '#server/db/schema.ts'
import type { Loaded, RecordWithSale } from '#server/payments/record.ts'
import type { SaleKey } from '#server/payments/flow.ts'
import { findSale } from './record-rows.ts'

/* Which earlier sales matter to a browser. */

const { placeholder } = sql

const earlierWith = (name: string, unknown: typeof checkouts.toldAt | typeof checkouts.thankedAt) =>
  prepareQuery(name, (db) =>
    db
      .select({ id: checkouts.id })
      .from(checkouts)
      .where(
        and(
          eq(checkouts.buyerTokenHash, placeholder('buyerTokenHash')),
          eq(checkouts.productId, placeholder('productId')),
          eq(checkouts.isTest, placeholder('isTest')),
          sql`(${checkouts.state} in ('created', 'open', 'submitted', 'review')
            or (${checkouts.state} = 'paid' and ${unknown} is null))`,
        ),
      )
      .orderBy(
        sql`array_position(array['review', 'submitted', 'paid'], ${checkouts.state}::text)`,
        desc(checkouts.createdAt),
      )
      .limit(1),
  )
const earlier = {
  unsent: earlierWith('unsent_sale', checkouts.toldAt),
  unseen: earlierWith('unseen_sale', checkouts.thankedAt),
}

/**
 * The earlier checkout of this browser for this product that matters before a new one: a card in progress, a payment in
 * review, a checkout that can still be paid, or an order that the browser was not sent (`unsent`) or whose thank-you page
 * it has not seen (`unseen`). Tests do not matter to a real sale, and the other way round.
 */
export async function findEarlierCheckout(
  db: Db,
  saleKey: SaleKey,
  orders: keyof typeof earlier,
): Promise<Loaded<RecordWithSale> | undefined> {
  const [found] = await earlier[orders](db, saleKey)
  return found && findSale(db, found.id)
}

/** The mode of an account, if all its sales agree. Undefined if it has none, or some of both. */
export async function findAccountMode(db: Db, merchantCode: string): Promise<Mode | undefined> {
  const hasSales = (isTest: boolean) =>
    sql`exists (select from checkouts where merchant_code = ${merchantCode} and is_test = ${isTest})`
  const { rows } = await db.execute<{ isTest: boolean; isLive: boolean }>(
    sql`select ${hasSales(true)} as "isTest", ${hasSales(false)} as "isLive"`,
  )
  const [sold] = rows
  return !sold || sold.isTest === sold.isLive ? undefined : modeOf(sold.isTest)
}
