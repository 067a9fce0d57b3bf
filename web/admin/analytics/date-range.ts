import { countDays, type Day, type Days, isDay, maxDays } from '#contract/days.ts'
import { pages } from '#contract/paths.ts'

/** Days are counted back from today, including today. */
export const presets = [
  { name: 'today', title: 'Today', days: 1 },
  { name: '7d', title: '7 days', days: 7 },
  { name: '30d', title: '30 days', days: 30 },
  { name: '90d', title: '90 days', days: 90 },
  { name: 'all', title: 'All time', days: undefined },
] as const

/** One of the presets, or a custom range. */
export type DateRange = { preset: (typeof presets)[number]['name'] } | Days

/** The range in a page's query string. A missing or invalid one means all time. */
export function parseRange(query: string): DateRange {
  const parameters = new URLSearchParams(query)
  const days = { from: parameters.get('from') ?? '', to: parameters.get('to') ?? '' }
  if (isDay(days.from) && isDay(days.to) && days.from <= days.to && !isTooLong(days)) return days
  const preset = presets.find(({ name }) => name === parameters.get('range'))
  return { preset: preset?.name ?? 'all' }
}

export function rangeHref(range: DateRange): string {
  if (!('preset' in range)) return `${pages.analytics}?from=${range.from}&to=${range.to}`
  return range.preset === 'all' ? pages.analytics : `${pages.analytics}?range=${range.preset}`
}

/** The query string with which the server is asked for a summary. Only the server knows which day it is in the shop. */
export function summaryQuery(range: DateRange): string {
  if (!('preset' in range)) return String(new URLSearchParams(range))
  const days = presets.find(({ name }) => name === range.preset)?.days
  return days ? `last=${days}` : ''
}

/** The earliest that isDay accepts. */
export const firstDay: Day = '2000-01-01'

/**
 * What is wrong with a custom range, and with which of its fields. Future days are refused only here, once the server has
 * said which day it is in the shop.
 */
export function findRangeProblem(
  { from, to }: Days,
  today: Day | undefined,
): { field: keyof Days; message: string } | undefined {
  if (from === '') return { field: 'from', message: 'Choose a first and a last day.' }
  if (to === '') return { field: 'to', message: 'Choose a first and a last day.' }
  if (from < firstDay) return { field: 'from', message: 'The first day is too long ago.' }
  if (today && to > today) return { field: 'to', message: 'The last day is in the future.' }
  if (from > to) return { field: 'from', message: 'The first day comes after the last.' }
  if (isTooLong({ from, to })) return { field: 'from', message: 'Choose ten years at most.' }
  return undefined
}

function isTooLong(days: Days): boolean {
  return countDays(days) > maxDays
}
