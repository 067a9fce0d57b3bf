import { z } from 'zod'
import { addDays, countDays, isDay, maxDays, type Days } from '#contract/days.ts'
import { Refusal } from '#contract/refusals.ts'
import { isZone } from './zone-names.ts'

const day = z.string().refine(isDay, 'Please give days as YYYY-MM-DD.')

/** What a summary is asked for. */
export const summaryQuerySchema = z.object({
  from: day.optional(),
  to: day.optional(),
  tz: z.string().refine(isZone, 'There is no such time zone.').default('UTC'),
})
export type SummaryQuery = z.output<typeof summaryQuerySchema>

/** Between which days there can be something; none without a first. */
export type Bounds = { first: string | null; today: string }

/** The days that are meant: without from since the first, without to until today. */
export function findRange({ from, to }: SummaryQuery, { first, today }: Bounds): Days {
  const last = to ?? today
  const begin = first ?? today
  const range = { from: from ?? (begin < last ? begin : last), to: last }
  if (range.from > range.to) refuse(`The first day comes after the last, ${range.to}.`)
  // All time is as long as it is.
  const isAllTime = !from && !to
  if (!isAllTime && countDays(range) > maxDays) refuse('Please ask for ten years at most.')
  return range
}

/** As many days as this range has, right before it. */
export function periodBefore(range: Days): Days {
  return { from: addDays(range.from, -countDays(range)), to: addDays(range.from, -1) }
}

/** Every day of a range, oldest first. */
export function daysOf(range: Days): string[] {
  return Array.from({ length: countDays(range) }, (_none, step) => addDays(range.from, step))
}

function refuse(text: string): never {
  throw new Refusal('bad-request', { text })
}
