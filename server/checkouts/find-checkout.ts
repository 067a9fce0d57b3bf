import { modeOf, type Mode } from '#contract/mode.ts'
import type { Db } from '#server/db/database.ts'
import { sql } from '#server/db/drizzle.ts'
import { runStatement, writeStatement } from '#server/db/prepared.ts'
import type { Loaded, SaleCase } from '#server/payments/case.ts'
import type { SaleKey } from '#server/payments/flow.ts'
import { findSale } from './case-rows.ts'

/* Which earlier sales matter to a browser. */

const { placeholder } = sql

const earlierWith = (unknown: 'told_at' | 'thanked_at') =>
  writeStatement(sql`select id from checkouts
    where buyer_token_hash = ${placeholder('buyer')} and product_id = ${placeholder('product')}::uuid
      and is_test = ${placeholder('isTest')}::boolean and (state in ('created', 'open', 'submitted', 'review')
        or (state = 'paid' and ${sql.raw(unknown)} is null))
    order by array_position(array['review', 'submitted', 'paid'], state::text), created_at desc limit 1`)
const earlier = { unsent: earlierWith('told_at'), unseen: earlierWith('thanked_at') }

/**
 * The earlier checkout of this browser for this product that matters before a new one: a card in progress, a payment in
 * review, a checkout that can still be paid, or an order that the browser was not sent (`unsent`) or whose thank-you page
 * it has not seen (`unseen`). Tests do not matter to a real sale, and the other way round.
 */
export async function findEarlierCheckout(
  db: Db,
  { buyerTokenHash, productId, isTest }: SaleKey,
  orders: keyof typeof earlier,
): Promise<Loaded<SaleCase> | undefined> {
  const values = { buyer: buyerTokenHash, product: productId, isTest }
  const [found] = await runStatement<{ id: string }>(db, earlier[orders], values)
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
