// Creating a format is slow, and a list formats a date in every row.
const localFormat = createDateFormat()
const localTimeZone = localFormat.resolvedOptions().timeZone

/** Without a time zone, the browser's. */
export function createDateFormat(timeZone?: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-US', {
    timeZone,
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    hour12: true,
  })
}

/** 'Nov 15, 2026' and 'at 9:05 AM', separate so that a line can break between them. */
export function formatDate(iso: string, format = localFormat): { day: string; time: string } {
  const parts = format.formatToParts(new Date(iso)).map(({ type, value }) => [type, value])
  const { month, day, year, hour, minute, dayPeriod } = Object.fromEntries(parts)
  return { day: `${month} ${day}, ${year}`, time: `at ${hour}:${minute} ${dayPeriod}` }
}

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const
const relativeFormat = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })

/** '3 hours ago, Europe/Berlin time' */
export function formatAge(iso: string, timeZone = localTimeZone, now = Date.now()): string {
  const differenceMs = new Date(iso).getTime() - now
  const [unit, unitMs] = units.find(([, ms]) => Math.abs(differenceMs) >= ms) ?? []
  const age = unit ? relativeFormat.format(Math.trunc(differenceMs / unitMs), unit) : 'just now'
  return `${age}, ${timeZone} time`
}
