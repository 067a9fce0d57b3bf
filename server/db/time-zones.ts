import { Refusal } from '#contract/refusals.ts'
import type { Db } from './database.ts'
import { sql } from './drizzle.ts'

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
