import type { Day, Days } from '#contract/days.ts'
import { formatCents as formatDecimal, formatMoney } from '#contract/money.ts'

/** A sum in whole cents. Sums always have two decimals, and may exceed the largest price that `toCents` accepts. */
export function sumToCents(sum: string): number {
  return Number(sum.replace('.', ''))
}

export function formatCents(cents: number, currency: string): string {
  return formatMoney(formatDecimal(cents), currency)
}

/** 12.5%, always with one decimal, so that columns align. A dash where there is nothing to take a share of. */
export function formatPercent(percent: number | undefined): string {
  return percent === undefined ? '–' : `${percent.toFixed(1)}%`
}

/** From 0 to 100; 0 if the whole is 0. */
export function toPercent(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.min(100, (part * 100) / whole)
}

/** '1 order', '2 orders', '1,234 views' */
export function formatCount(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`
}

export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** 'google.com' for 'https://www.google.com'; what is not an address ('Direct') stays as it is. */
export function formatReferrer(referrer: string): string {
  return URL.parse(referrer)?.host.replace(/^www\./, '') || referrer
}

/** A day has no time zone: it is parsed and formatted in UTC. Created at its first use, since that takes milliseconds. */
function dayFormat(options: Intl.DateTimeFormatOptions): () => Intl.DateTimeFormat {
  let format: Intl.DateTimeFormat | undefined
  return () => (format ??= new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', ...options }))
}

const fullDay = { year: 'numeric', month: 'short', day: 'numeric' } as const
const fullDayFormat = dayFormat(fullDay)
const weekdayFormat = dayFormat({ weekday: 'short', ...fullDay })
const monthFormat = dayFormat({ year: 'numeric', month: 'long' })
const shortDayFormat = dayFormat({ month: 'short', day: 'numeric' })
const shortMonthFormat = dayFormat({ month: 'short' })

/** Nov 15, 2026 */
export const formatDay = (day: Day) => fullDayFormat().format(new Date(day))
/** Nov 15 */
export const formatShortDay = (day: Day) => shortDayFormat().format(new Date(day))
/** Nov */
export const formatShortMonth = (day: Day) => shortMonthFormat().format(new Date(day))

/** 'Nov 15, 2026', 'Nov 1 – 15, 2026', 'Oct 30 – Nov 2, 2026' or 'Dec 30, 2025 – Jan 2, 2026'. */
export function formatDays({ from, to }: Days): string {
  // Browsers differ in the kind of space around the dash.
  return fullDayFormat().formatRange(new Date(from), new Date(to)).replaceAll('\u2009', ' ')
}

/** Like formatDays, but 'November 2026' for a whole month. */
export function formatPeriod(days: Days): string {
  const [year = 0, month = 0] = days.from.split('-').map(Number)
  const lastOfMonth = new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10)
  const isWholeMonth = days.from.endsWith('-01') && days.to === lastOfMonth
  return isWholeMonth ? monthFormat().format(new Date(days.from)) : formatDays(days)
}

/** Like formatPeriod, but 'Sun, Nov 15, 2026' for a single day. */
export function formatPeriodWithWeekday(days: Days): string {
  return days.from === days.to ? weekdayFormat().format(new Date(days.from)) : formatPeriod(days)
}
