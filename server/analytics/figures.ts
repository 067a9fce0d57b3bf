import { unknownCountry, unknownDevice, withoutReferrer } from '#contract/analytics.ts'
import { sql, type SQL } from '#server/db/drizzle.ts'

/** What the figures of a day are grouped by. */
export type Kind = 'total' | 'device' | 'country' | 'referrer' | 'currency' | 'product'

/** The counting columns of analytics_days. */
export const figureNames = [
  'views',
  'visitors',
  'started',
  'completed',
  'thanked',
  'orders',
  'revenue',
  'returned',
] as const
type Figure = (typeof figureNames)[number]

/** Sums of money; the others are counts. */
export const moneyFigures: ReadonlySet<Figure> = new Set(['revenue', 'returned'])

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

const listOf = (format: (name: Figure) => string, names: readonly Figure[] = figureNames) =>
  sql.raw(names.map(format).join(', '))

export const figureColumns = listOf((name) => name)
export const figureSums = listOf((name) => `sum(${name}) as ${name}`)
const addition = (name: Figure) => `${name} = known.${name} + excluded.${name}`
/** For `on conflict do update` of rows of analytics_days that are called `known`. */
export const addToKnown = listOf(addition)

/** Figures that are not given are 0. */
type FigureRow = { kind: Kind; key?: SQL } & Partial<Record<Figure, SQL>>

/** Selects `(day, is_test, kind, key, …figures)` from a table with the first two. */
export function selectFigures({ kind, key, ...figures }: FigureRow, from: SQL): SQL {
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

/** What views are grouped by: a column of the event, and the key of events without it. */
const viewGroups = [
  { kind: 'device', column: 'device_type', without: unknownDevice },
  { kind: 'country', column: 'country', without: unknownCountry },
  { kind: 'referrer', column: 'referrer', without: withoutReferrer },
] as const

/** The figures of a table of events: `(day, is_test, event_type, device_type, country, referrer, times, visitors)`. */
export function selectEventFigures(events: SQL): SQL {
  const viewsBy = ({ kind, column, without }: (typeof viewGroups)[number]) => {
    const key = sql`coalesce(${sql.raw(column)}, ${without})`
    return sql`
      ${selectFigures({ kind, key, views: sql`sum(times)` }, events)}
      where event_type = 'checkout_view' group by day, is_test, key`
  }
  const total = selectFigures(
    {
      kind: 'total',
      views: sql`coalesce(sum(times) filter (where event_type = 'checkout_view'), 0)`,
      visitors: sql`coalesce(sum(visitors) filter (where event_type = 'checkout_view'), 0)`,
      completed: sql`coalesce(sum(times) filter (where event_type = 'checkout_complete'), 0)`,
      thanked: sql`coalesce(sum(times) filter (where event_type = 'thank_you_view'), 0)`,
    },
    events,
  )
  return unionAll([sql`${total} group by day, is_test`, ...viewGroups.map(viewsBy)])
}

/**
 * Adds figures to today in the shop's time zone, after the `steps` (CTEs) of the same statement. This is the last thing a
 * transaction does, since others wait for its rows.
 */
export function addFigures(steps: SQL[], figures: SQL, shard: Shard): SQL {
  return sql`with ${sql.join([...steps, sql`figures as (${figures})`], sql`, `)} ${insertFigures(shard)}`
}

function insertFigures(shard: Shard): SQL {
  // In the order of the key, so that concurrent inserts cannot deadlock.
  return sql`
    ${intoDays}
    select zone, ${todayInZone}, kind, key, is_test, ${shardSql(shard)}, ${figureSums}
      from analytics_zones cross join figures
      group by zone, kind, key, is_test order by zone, kind, key, is_test
    ${onKnownDay} ${addToKnown}`
}

const intoDays = sql`insert into analytics_days as known (zone, day, kind, key, is_test, shard, ${figureColumns})`
const todayInZone = sql`(now() at time zone zone)::date`
const onKnownDay = sql`on conflict (zone, day, kind, key, is_test, shard) do update set`

/** Adds what went back of an order (a placeholder) to the day on which it was placed. */
export function addReturned(order: SQL, returned: SQL, condition: SQL): SQL {
  return sql`
    ${intoDays}
    select zone, (placed.created_at at time zone zone)::date, kind, key, placed.is_test, ${shardSql('sales')},
        ${listOf((name) => (name === 'returned' ? 'change.returned' : '0'))}
      from analytics_zones cross join (select ${returned} as returned) as change
      join orders as placed on placed.id = ${order}
      cross join lateral (values ('currency', placed.currency::text),
        ('product', placed.product_id || ':' || placed.currency)) as figures (kind, key)
      where ${condition} order by zone, kind
    ${onKnownDay} ${listOf(addition, ['returned'])}`
}

/**
 * The same for the rows of one sale, which are known beforehand and each of another kind: nothing has to be grouped or
 * summed. Adds those for which `condition` holds, which may depend on `kind`.
 */
export function addSaleFigures(rows: FigureRow[], isTest: SQL, condition: SQL): SQL {
  const used = figureNames.filter((name) => rows.some((row) => row[name]))
  const values = rows.map(({ kind, key, ...figures }) => {
    const given = used.map((name) => figures[name] ?? sql`0`)
    return sql`(${sql.join([sql.raw(`'${kind}'`), key ?? sql`''`, ...given], sql`, `)})`
  })
  // No two rows have the same kind, so this is the order of the key.
  return sql`
    ${intoDays}
    select zone, ${todayInZone}, kind, key, ${isTest}, ${shardSql('sales')},
        ${listOf((name) => (used.includes(name) ? name : '0'))}
      from analytics_zones cross join (values ${sql.join(values, sql`, `)})
        as figures (kind, key, ${listOf((name) => name, used)})
      where ${condition} order by zone, kind
    ${onKnownDay} ${listOf(addition, used)}`
}
