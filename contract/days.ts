/** A day on a calendar, YYYY-MM-DD: it sorts and compares as it is, and no clock change touches it. */
export type Day = string

/** Both counted in. */
export type Days = { from: Day; to: Day }

/** Ten years: a summary carries every day of its range. */
export const maxDays = 3_660

const dayMs = 24 * 60 * 60 * 1000

export function addDays(day: Day, count: number): Day {
  return new Date(Date.parse(day) + count * dayMs).toISOString().slice(0, 10)
}

export function countDays({ from, to }: Days): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / dayMs) + 1
}

/** Making one takes a hundred times longer than using it. */
const dayFormats = new Map<string, Intl.DateTimeFormat>()

/** The day that it is somewhere. */
export function dayIn(timeZone: string, at = new Date()): Day {
  // Swedish days are written 2026-12-01.
  const format =
    dayFormats.get(timeZone) ?? new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' })
  dayFormats.set(timeZone, format)
  return format.format(at)
}

/** There is no 30th of February, and no shop before the year 2000. */
export function isDay(text: string): boolean {
  if (!/^20\d\d-\d\d-\d\d$/.test(text)) return false
  const read = Date.parse(text)
  return !Number.isNaN(read) && new Date(read).toISOString().startsWith(text)
}
