import { addDays, type Day } from '#contract/days.ts'

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

/** The first that isDay knows: no shop is older. */
export const firstDay: Day = '2000-01-01'

export function monthOf(day: Day): string {
  return day.slice(0, 7)
}

/** The Monday of its week. */
export function mondayOf(day: Day): Day {
  const sinceMonday = (new Date(day).getUTCDay() + 6) % 7
  return addDays(day, -sinceMonday)
}
