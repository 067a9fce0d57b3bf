import { unknownCountry, unknownDevice, withoutReferrer } from '#contract/analytics.ts'
import { sql, type SQL } from '#server/db/drizzle.ts'

/** What days are counted by. */
export type Kind = 'total' | 'device' | 'country' | 'referrer' | 'currency' | 'product'

/** Each writer of views has figures of its own, and each connection that sells, so that they rarely wait for another. */
const shards = {
  firstWriter: sql`${0}`,
  secondWriter: sql`${1}`,
  sales: sql`2 + pg_backend_pid() % 8`,
}
export type Shard = keyof typeof shards

/** The columns of every select below, in their order. */
const figures = 'views, started, completed, thanked, orders, revenue'

/** What events mean for the figures: of `(day, event_type, device_type, country, referrer, times)`, by day, kind and key. */
export function figuresOfEvents(events: SQL): SQL {
  const viewsBy = (kind: Kind, column: SQL) => sql`
    select day, ${kind}, ${column}, sum(times), 0, 0, 0, 0, 0
    from ${events} where event_type = 'checkout_view' group by 1, 3`
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
export function addingToDays(steps: SQL[], changes: SQL, shard: Shard): SQL {
  return sql`with ${sql.join([...steps, changesStep(changes)], sql`, `)} ${addChanges(shard)}`
}

/** The same as steps of a larger statement. */
export function countingSteps(changes: SQL, shard: Shard): SQL[] {
  return [changesStep(changes), sql`counted as (${addChanges(shard)})`]
}

function changesStep(changes: SQL): SQL {
  return sql`changes (day, kind, key, ${sql.raw(figures)}) as (${changes})`
}

function addChanges(shard: Shard): SQL {
  // In the order of their key, so that two who add at once never wait for each other in a circle.
  return sql`
    insert into analytics_days as known (zone, day, kind, key, shard, ${sql.raw(figures)})
    select zone, (now() at time zone zone)::date, kind, key, (${shards[shard]})::smallint,
        sum(views), sum(started), sum(completed), sum(thanked), sum(orders), sum(revenue)
      from analytics_zones cross join changes
      group by zone, kind, key order by zone, kind, key
    on conflict (zone, day, kind, key, shard) do update set ${addUp}`
}

/** For `on conflict do update` on `known` rows of analytics_days. */
export const addUp = sql.raw(
  figures
    .split(', ')
    .map((figure) => `${figure} = known.${figure} + excluded.${figure}`)
    .join(', '),
)
