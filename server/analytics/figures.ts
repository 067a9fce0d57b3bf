import { unknownCountry, unknownDevice, withoutReferrer } from '#contract/analytics.ts'
import type { Db } from '#server/db/database.ts'
import { sql, type SQL } from '#server/db/drizzle.ts'

/** What days are counted by. */
export type Kind = 'total' | 'device' | 'country' | 'referrer' | 'currency' | 'product'

/**
 * Whoever changes figures holds this lock shared, and whoever begins to keep a further time zone holds it alone: so
 * what happened is either among what the new zone is filled from, or its transaction knows of the zone.
 */
export const zonesLock = 7_411_006

/** Views of one node are written by one writer. Sales come from all sides: each connection has figures of its own. */
const shards = { views: sql`0`, sales: sql`1 + pg_backend_pid() % 8` }

/** The columns of every select below, in their order. */
const figures = 'views, started, completed, thanked, orders, revenue'

/** What events mean for the figures: of `(day, event_type, device_type, country, referrer, times)`, by day, kind and key. */
export function figuresOfEvents(events: SQL): SQL {
  const viewsBy = (kind: Kind, column: SQL) => sql`
    select day, ${kind}, ${column}, times, 0, 0, 0, 0, 0
    from ${events} where event_type = 'checkout_view'`
  return sql`
    select day, 'total' as kind, '' as key,
      coalesce(sum(times) filter (where event_type = 'checkout_view'), 0) as views, 0 as started,
      coalesce(sum(times) filter (where event_type = 'checkout_complete'), 0) as completed,
      coalesce(sum(times) filter (where event_type = 'thank_you_view'), 0) as thanked,
      0 as orders, 0 as revenue
    from ${events} group by day
    union all ${viewsBy('device', sql`coalesce(device_type, ${unknownDevice})`)}
    union all ${viewsBy('country', sql`coalesce(country, ${unknownCountry})`)}
    union all ${viewsBy('referrer', sql`coalesce(referrer, ${withoutReferrer})`)}`
}

/**
 * Adds to today's figures in every zone that is kept. `steps` are what comes before it in the same statement, and
 * `changes` what of it counts. The last thing a transaction does: others wait for its rows.
 */
export async function addToDays(
  tx: Db,
  steps: SQL[],
  changes: SQL,
  shard: keyof typeof shards,
): Promise<void> {
  // A statement of its own: the next one sees the zones that were added while this one waited.
  await tx.execute(sql`select pg_advisory_xact_lock_shared(${zonesLock})`)
  // In the order of their key, so that two who add at once never wait for each other in a circle.
  await tx.execute(sql`
    with ${sql.join([...steps, sql`changes (day, kind, key, ${sql.raw(figures)}) as (${changes})`], sql`, `)}
    insert into analytics_days as known (zone, day, kind, key, shard, ${sql.raw(figures)})
    select zone, (now() at time zone zone)::date, kind, key, ${shards[shard]},
        sum(views), sum(started), sum(completed), sum(thanked), sum(orders), sum(revenue)
      from analytics_zones cross join changes
      group by zone, kind, key order by zone, kind, key
    on conflict (zone, day, kind, key, shard) do update set ${addUp}`)
}

/** For `on conflict do update` on `known` rows of analytics_days. */
export const addUp = sql.raw(
  figures
    .split(', ')
    .map((figure) => `${figure} = known.${figure} + excluded.${figure}`)
    .join(', '),
)
