import { CannotStart } from '#server/cannot-start.ts'
import type { Db } from '#server/db/database.ts'
import { sql } from '#server/db/drizzle.ts'

/** What demo orders carry where a real one has SumUp's numbers. */
export const demoMark = 'demo-'
const isDemo = sql`coalesce(sumup_checkout_id, '') like ${`${demoMark}%`}`

/** Refuses where anything was sold that no seed made. */
export async function requireNoSales(db: Db): Promise<void> {
  const { rows } = await db.execute<{ orders: number; payments: number }>(sql`select
    (select count(*)::int from orders where not ${isDemo}) as orders,
    (select count(*)::int from checkouts where state in ('paid', 'review') and not ${isDemo}) as payments`)
  const [real] = rows
  if (!real || real.orders + real.payments === 0) return
  const what = real.orders > 0 ? `${real.orders} order(s)` : `${real.payments} payment(s)`
  throw new CannotStart(
    `This shop has ${what} that no seed made, so it is left alone. A demo belongs in a shop of its own: ` +
      'DATA_DIR=./demo npm run seed, then DATA_DIR=./demo npm start.',
  )
}

/** Removes what an earlier seed made. Buyers wait until the transaction ends: nothing can be sold in between. */
export async function clearDemo(tx: Db): Promise<void> {
  await tx.execute(sql`lock table checkouts, orders in access exclusive mode`)
  await requireNoSales(tx)
  await tx.execute(sql`truncate orders cascade`)
  await tx.execute(sql`delete from checkouts where ${isDemo}`)
  await tx.execute(sql`delete from analytics_events where metadata @> '{"demo": true}'`)
}
