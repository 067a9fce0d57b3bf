import type { Days } from '#contract/days.ts'
import { Refusal } from '#contract/refusals.ts'
import type { Db } from './database.ts'
import { sql, type SQL } from './drizzle.ts'

/** Cached, since PostgreSQL reads a file for each of some six hundred zones to list them. */
const zoneNames = new Map<string, string>()

/** The one name of a time zone that PostgreSQL and browsers understand alike, however it was written. */
export async function getZoneName(db: Db, requested: string): Promise<string> {
  const known = zoneNames.get(requested.toLowerCase())
  if (known) return known
  const { rows } = await db.execute<{ name: string }>(
    sql`select name from pg_timezone_names where lower(name) = lower(${requested}) limit 1`,
  )
  const [listed] = rows
  // Browsers know zones that PostgreSQL does not.
  if (!listed) throw new Refusal('bad-request', { text: 'There is no such time zone.' })
  // PostgreSQL reads CET as an abbreviation without summer time; for browsers it is Europe/Brussels.
  const zone = listed.name.includes('/')
    ? listed.name
    : new Intl.DateTimeFormat('en', { timeZone: listed.name }).resolvedOptions().timeZone
  zoneNames.set(requested.toLowerCase(), zone)
  return zone
}

/**
 * When a day begins in a time zone, as SQL. Where clocks go back at midnight, midnight comes twice: PostgreSQL means the second,
 * but the day begins with the first.
 */
export function startOfDay(day: SQL, zone: SQL): SQL {
  const midnight = sql`(${day}::timestamp at time zone ${zone})`
  const hourBefore = sql`(${midnight} - interval '1 hour')`
  return sql`(case when ${hourBefore} at time zone ${zone} = ${day}::timestamp then ${hourBefore} else ${midnight} end)`
}

/**
 * Selects `(day, starts, ends)` of a range of days. What happened on each is found by its index between both: calculating the
 * day of every row takes several times as long.
 */
export function selectDays({ from, to }: Days, zone: string): SQL {
  const inZone = sql`${zone}::text`
  return sql`select day::date as day, ${startOfDay(sql`day`, inZone)} as starts,
      ${startOfDay(sql`(day + interval '1 day')`, inZone)} as ends
    from generate_series(${from}::timestamp, ${to}::timestamp, interval '1 day') as day`
}
