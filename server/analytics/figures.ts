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

/** Which rows of a day a statement adds to: those of the connection that sells, or of one writer of views. */
export type Shard = 'sales' | number

/** Sales of all nodes together. */
const salesShards = { first: 2, count: 8 }

/** Each writer of each node has rows of its own, so that they do not wait for each other. 0 and 1 are the first node's. */
export function writerShard(node: number, writer: 0 | 1): Shard {
  if (node === 0) return writer
  return salesShards.first + salesShards.count + 2 * (node - 1) + writer
}

function shardSql(shard: Shard): SQL {
  if (shard !== 'sales') return sql`${shard}::smallint`
  return sql.raw(`(${salesShards.first} + pg_backend_pid() % ${salesShards.count})::smallint`)
}

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
    select zone, (now() at time zone zone)::date, kind, key, is_test, ${shardSql(shard)}, ${figureSums}
      from analytics_zones cross join figures
      group by zone, kind, key, is_test order by zone, kind, key, is_test
    on conflict (zone, day, kind, key, is_test, shard) do update set ${addToKnown}`
}
