import { compareWithRecount } from '#server/analytics/recount.ts'
import { ensureZone } from '#server/analytics/zones.ts'
import type { Db } from '#server/db/database.ts'
import { sql } from '#server/db/drizzle.ts'

/** An owner looked at the figures before the chaos: from then on they are kept. */
export async function keepFigures(db: Db): Promise<void> {
  await ensureZone(db, 'Europe/Berlin')
}

/** Figures that a recount does not find, and orders that are not completed exactly once. */
export async function findMiscounted(db: Db): Promise<string[]> {
  const { rows, differences } = await compareWithRecount(db)
  if (rows === 0) return ['no figures are kept']
  const uncounted = await db.execute<{ id: string }>(sql`
    select orders.id from orders left join analytics_events as told
      on told.order_id = orders.id and event_type = 'checkout_complete'
    group by orders.id having count(told.id) <> 1`)
  return [
    ...differences.map((found) => JSON.stringify(found)),
    ...uncounted.rows.map(({ id }) => `order ${id}`),
  ]
}
