/** A day on the owner's calendar, YYYY-MM-DD: it sorts and compares as it is, and no clock change touches it. */
export type Day = string

export type Days = { from: Day; to: Day }

const dayMs = 86_400_000

/** Where the owner's browser believes to be; UTC where it does not know. */
export function ownTimeZone(): string {
  const known = new Intl.DateTimeFormat().resolvedOptions().timeZone as string | undefined
  return known && known !== 'Etc/Unknown' ? known : 'UTC'
}

/** Which day it is there. */
export function todayIn(timeZone: string, now = new Date()): Day {
  const parts = new Intl.DateTimeFormat('en', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).formatToParts(now)
  const part = (name: string) => parts.find(({ type }) => type === name)?.value
  return `${part('year')}-${part('month')}-${part('day')}`
}

export function addDays(day: Day, count: number): Day {
  return new Date(Date.parse(day) + count * dayMs).toISOString().slice(0, 10)
}

/** Both counted in. */
export function countDays({ from, to }: Days): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / dayMs) + 1
}

/** There is no 30th of February, and no shop before the year 2000. */
export function isDay(text: string): boolean {
  if (!/^20\d\d-\d\d-\d\d$/.test(text)) return false
  const read = Date.parse(text)
  return !Number.isNaN(read) && new Date(read).toISOString().startsWith(text)
}

export function monthOf(day: Day): string {
  return day.slice(0, 7)
}

/** The Monday of its week. */
export function mondayOf(day: Day): Day {
  const sinceMonday = (new Date(day).getUTCDay() + 6) % 7
  return addDays(day, -sinceMonday)
}
