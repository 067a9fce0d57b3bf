import { Refusal } from '#contract/refusals.ts'
import type { Db } from '#server/db/database.ts'
import { sql } from '#server/db/drizzle.ts'

/** Whether it is the name of a place or of UTC. Offsets are not: the database reads their signs the other way round. */
export function isZone(name: string): boolean {
  if (!/^[A-Za-z][\w+/-]{1,63}$/.test(name)) return false
  try {
    return Boolean(nameInBrowsers(name))
  } catch {
    return false
  }
}

/** The database reads a file for each of its zones to list them. There are some six hundred. */
const found = new Map<string, string>()

/** The one name under which the figures of a zone are kept, however it was written. */
export async function findZone(db: Db, asked: string): Promise<string> {
  const known = found.get(asked.toLowerCase())
  if (known) return known
  const { rows } = await db.execute<{ name: string }>(
    sql`select name from pg_timezone_names where lower(name) = lower(${asked}) limit 1`,
  )
  const [listed] = rows
  // Browsers and the database have lists of their own.
  if (!listed) throw new Refusal('bad-request', { text: 'There is no such time zone.' })
  // The database takes CET for an abbreviation, without summer time. Browsers know whose clock it is: Europe/Brussels.
  const zone = listed.name.includes('/') ? listed.name : nameInBrowsers(listed.name)
  found.set(asked.toLowerCase(), zone)
  return zone
}

function nameInBrowsers(zone: string): string {
  return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone
}
