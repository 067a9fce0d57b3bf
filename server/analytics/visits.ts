import type { Db } from '#server/db/database.ts'
import { sql, type SQL } from '#server/db/drizzle.ts'

/** The same visitor on the same product within this time is the same visit. */
export const visitMinutes = 30

/** Long enough for any payment to find the visit it began in. */
const keepHours = 24
const dropAtOnce = 5_000

/** Notes who of a table looks at what, and returns those that begin a visit; the others only look again, or are nobody known. */
export function beginVisits(views: SQL): SQL {
  // Rows are locked in the order of their key, so that two nodes never wait for each other in a circle.
  return sql`
    insert into analytics_visits as known (visitor, product_id)
    select distinct visitor, product_id from ${views} where visitor is not null
      order by visitor, product_id
    on conflict (visitor, product_id) do update set seen_at = now(), checkout_id = null
      where known.seen_at < now() - make_interval(mins => ${visitMinutes})
    returning visitor, product_id`
}

/**
 * A payment belongs to a visit, each to its own: one that nothing had come of yet is `claimed`, and where there is none,
 * one is added whose view the caller counts. Both only where `begun` has the payment's checkout.
 */
export function claimingVisit(
  visit: { visitor: string; productId: string; checkoutId: string },
  begun: SQL,
): SQL[] {
  const { visitor, productId, checkoutId } = visit
  return [
    sql`claimed as (
      update analytics_visits set checkout_id = ${checkoutId}
      where exists (select from ${begun}) and visitor = ${visitor} and product_id = ${productId}
        and checkout_id is null
      returning visitor)`,
    sql`added_visit as (
      insert into analytics_visits (visitor, product_id, checkout_id)
      select ${visitor}, ${productId}::uuid, ${checkoutId}::uuid
      where exists (select from ${begun}) and not exists (select from claimed)
      on conflict (visitor, product_id) do update set checkout_id = excluded.checkout_id)`,
  ]
}

/** Never waits for a visitor who comes back at this moment: writers lock rows in another order than they are dropped. */
export async function dropOldVisits(db: Db): Promise<void> {
  for (let dropped = dropAtOnce; dropped === dropAtOnce;) {
    const { rowCount } = await db.execute(sql`
      delete from analytics_visits where ctid = any (array(
        select ctid from analytics_visits
        where seen_at < now() - make_interval(hours => ${keepHours})
        limit ${dropAtOnce} for update skip locked))`)
    dropped = rowCount ?? 0
  }
}
