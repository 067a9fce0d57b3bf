import type { Day, Days } from '#contract/days.ts'

import { monthOf } from './calendar.ts'

/** Days have no time and no zone: they are shown by the clock they are read with. */
const wordsOf = (options: Intl.DateTimeFormatOptions) => {
  const format = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', ...options })
  return (day: Day) => format.format(new Date(day))
}

/** Nov 15, 2026 */
export const showDay = wordsOf({ year: 'numeric', month: 'short', day: 'numeric' })
/** Sun, Nov 15, 2026 */
export const showWeekday = wordsOf({
  weekday: 'short',
  year: 'numeric',
  month: 'short',
  day: 'numeric',
})
/** Nov 15 */
export const showShortDay = wordsOf({ month: 'short', day: 'numeric' })
/** Nov */
export const showMonth = wordsOf({ month: 'short' })
/** November 2026 */
const showWholeMonth = wordsOf({ year: 'numeric', month: 'long' })

/** 'Nov 15, 2026', 'Nov 1 – 15, 2026', 'Oct 30 – Nov 2, 2026' or 'Dec 30, 2025 – Jan 2, 2026'. */
export function showDays({ from, to }: Days): string {
  if (from === to) return showDay(to)
  if (monthOf(from) === monthOf(to)) {
    return `${showShortDay(from)} – ${Number(to.slice(8))}, ${to.slice(0, 4)}`
  }
  const isOneYear = from.slice(0, 4) === to.slice(0, 4)
  return `${isOneYear ? showShortDay(from) : showDay(from)} – ${showDay(to)}`
}

/** A month that is whole has a name. */
export function nameMonth(days: Days): string {
  const isWhole = days.from.endsWith('-01') && days.to === lastOf(days.from)
  return isWhole ? showWholeMonth(days.from) : showDays(days)
}

function lastOf(day: Day): Day {
  const [year = 0, month = 0] = day.split('-').map(Number)
  return new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10)
}
