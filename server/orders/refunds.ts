import type { Db } from '#server/db/database.ts'
import { sql } from '#server/db/drizzle.ts'

/** What SumUp says was given back of a payment, in all. */
export type GivenBack = { transactionId: string; refunded: string; isChargedBack: boolean }

/**
 * Writes refunds and chargebacks on the order that they belong to. Said twice it changes nothing: the amount is what was
 * given back in all, and only more of it is news.
 */
export async function recordGivenBack(db: Db, given: GivenBack): Promise<void> {
  await db.execute(sql`
    with before as (
      select id, refunded_amount, charged_back_at, amount from orders
      where sumup_transaction_id = ${given.transactionId} for update),
    refunded as (
      update orders set refunded_amount = ${given.refunded}::numeric, updated_at = now()
      from before where orders.id = before.id and before.refunded_amount < ${given.refunded}::numeric
        and ${given.refunded}::numeric <= before.amount and not ${given.isChargedBack}
      returning orders.id, ${given.refunded}::numeric - before.refunded_amount as amount),
    charged_back as (
      update orders set charged_back_at = now(), updated_at = now()
      from before where orders.id = before.id and before.charged_back_at is null and ${given.isChargedBack}
      returning orders.id, before.amount)
    insert into order_timeline (order_id, actor, event, amount)
    select id, 'shop', 'refunded', amount from refunded
    union all select id, 'shop', 'charged-back', amount from charged_back`)
}
