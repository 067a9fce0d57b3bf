import { addDays, countDays, type Day, type Days, isDay, maxDays } from '#contract/days.ts'
import { pages } from '#contract/paths.ts'

import { firstDay } from './calendar.ts'

/** What can be chosen with one click; days are counted back from today, and that one is counted in. */
export const presets = [
  { name: 'today', title: 'Today', days: 1 },
  { name: '7d', title: '7 days', days: 7 },
  { name: '30d', title: '30 days', days: 30 },
  { name: '90d', title: '90 days', days: 90 },
  { name: 'all', title: 'All time', days: undefined },
] as const

export type PresetName = (typeof presets)[number]['name']

/** Which days are looked at: one of the presets, or from and to of one's own. */
export type DateRange = { preset: PresetName } | Days

/** What an address does not say, or says wrongly, is all time. */
export function readRange(query: string): DateRange {
  const words = new URLSearchParams(query)
  const own = { from: words.get('from') ?? '', to: words.get('to') ?? '' }
  if (isDay(own.from) && isDay(own.to) && own.from <= own.to && !isTooLong(own)) return own
  const preset = presets.find(({ name }) => name === words.get('range'))
  return { preset: preset?.name ?? 'all' }
}

export function hrefOf(range: DateRange): string {
  if (!('preset' in range)) return `${pages.analytics}?from=${range.from}&to=${range.to}`
  return range.preset === 'all' ? pages.analytics : `${pages.analytics}?range=${range.preset}`
}

/** Why days cannot be looked at, in words for whoever chose them, and which of the two is to be mended. */
export type RangeProblem = { of: keyof Days; words: string }

/** The server would tell of days to come, and a link from where it is tomorrow may ask it to. Nobody chooses them. */
export function problemOfChoice({ from, to }: Days, today: Day): RangeProblem | undefined {
  if (from === '') return { of: 'from', words: 'Choose a first and a last day.' }
  if (to === '') return { of: 'to', words: 'Choose a first and a last day.' }
  if (from < firstDay) return { of: 'from', words: 'The first day is too long ago.' }
  if (to > today) return { of: 'to', words: 'The last day is in the future.' }
  if (from > to) return { of: 'from', words: 'The first day comes after the last.' }
  if (isTooLong({ from, to })) return { of: 'from', words: 'Choose ten years at most.' }
  return undefined
}

function isTooLong(days: Days): boolean {
  return countDays(days) > maxDays
}

/** The days themselves; all time has none that the browser knows. */
export function daysOf(range: DateRange, today: Day): Days | undefined {
  if (!('preset' in range)) return range
  const days = presets.find(({ name }) => name === range.preset)?.days
  return days && { from: addDays(today, 1 - days), to: today }
}

/** How the server is asked for them. */
export function summaryParameters(range: DateRange, today: Day, tz: string): string {
  return String(new URLSearchParams({ ...daysOf(range, today), tz }))
}
