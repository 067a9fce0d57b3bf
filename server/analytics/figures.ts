import { unknownCountry, unknownDevice, withoutReferrer } from '#contract/analytics.ts'
import { sql, type SQL } from '#server/db/drizzle.ts'

/** What the figures of a day are grouped by. */
export type Kind = 'total' | 'device' | 'country' | 'referrer' | 'currency' | 'product'

/** The counting columns of analytics_days. */
export const figureNames = [
  'views',
  'started',
  'completed',
  'thanked',
  'orders',
  'revenue',
] as const
type Figure = (typeof figureNames)[number]

/** Sums of money; the others are counts. */
export const moneyFigures: ReadonlySet<Figure> = new Set(['revenue'])

/** Separate rows for each writer of views and each connection that sells, so that they rarely wait for each other. */
const shards = {
  firstWriter: sql`${0}`,
  secondWriter: sql`${1}`,
  sales: sql`2 + pg_backend_pid() % 8`,
}
export type Shard = keyof typeof shards

const listOf = (format: (name: Figure) => string) => sql.raw(figureNames.map(format).join(', '))

export const figureColumns = listOf((name) => name)
export const figureSums = listOf((name) => `sum(${name}) as ${name}`)
/** For `on conflict do update` of rows of analytics_days that are called `known`. */
export const addToKnown = listOf((name) => `${name} = known.${name} + excluded.${name}`)

/** Selects `(day, is_test, kind, key, …figures)` from a table with the first two; figures that are not given are 0. */
export function selectFigures(
  { kind, key, ...figures }: { kind: Kind; key?: SQL } & Partial<Record<Figure, SQL>>,
  from: SQL,
): SQL {
  const columns = figureNames.map(
    (name) => sql`${figures[name] ?? sql`0`} as ${sql.identifier(name)}`,
  )
  return sql`
    select day, is_test, ${sql.raw(`'${kind}'`)} as kind, ${key ?? sql`''`} as key, ${sql.join(columns, sql`, `)}
    from ${from}`
}

export function unionAll(selects: SQL[]): SQL {
  return sql.join(selects, sql` union all `)
}

/** The figures of a table of events: `(day, is_test, event_type, device_type, country, referrer, times)`. */
export function selectEventFigures(events: SQL): SQL {
  const viewsBy = (kind: Kind, key: SQL) => sql`
    ${selectFigures({ kind, key, views: sql`sum(times)` }, events)}
    where event_type = 'checkout_view' group by day, is_test, key`
  const total = selectFigures(
    {
      kind: 'total',
      views: sql`coalesce(sum(times) filter (where event_type = 'checkout_view'), 0)`,
      completed: sql`coalesce(sum(times) filter (where event_type = 'checkout_complete'), 0)`,
      thanked: sql`coalesce(sum(times) filter (where event_type = 'thank_you_view'), 0)`,
    },
    events,
  )
  return unionAll([
    sql`${total} group by day, is_test`,
    viewsBy('device', sql`coalesce(device_type, ${unknownDevice})`),
    viewsBy('country', sql`coalesce(country, ${unknownCountry})`),
    viewsBy('referrer', sql`coalesce(referrer, ${withoutReferrer})`),
  ])
}

/**
 * Adds figures to today in every zone that is kept, after the `steps` (CTEs) of the same statement. This is the last
 * thing a transaction does, since others wait for its rows.
 */
export function addFigures(steps: SQL[], figures: SQL, shard: Shard): SQL {
  return sql`with ${sql.join([...steps, sql`figures as (${figures})`], sql`, `)} ${insertFigures(shard)}`
}

/** The same as CTEs of a larger statement. */
export function addFiguresSteps(figures: SQL, shard: Shard): SQL[] {
  return [sql`figures as (${figures})`, sql`counted as (${insertFigures(shard)})`]
}

function insertFigures(shard: Shard): SQL {
  // In the order of the key, so that concurrent inserts cannot deadlock.
  return sql`
    insert into analytics_days as known (zone, day, kind, key, is_test, shard, ${figureColumns})
    select zone, (now() at time zone zone)::date, kind, key, is_test, (${shards[shard]})::smallint, ${figureSums}
      from analytics_zones cross join figures
      group by zone, kind, key, is_test order by zone, kind, key, is_test
    on conflict (zone, day, kind, key, is_test, shard) do update set ${addToKnown}`
}
