import { z } from 'zod'
import { isZone } from './zones.ts'

/** Days are written YYYY-MM-DD, which sorts and compares as it is. */
const dayPattern = /^20\d\d-\d\d-\d\d$/
const dayMs = 24 * 60 * 60 * 1000
/** Ten years; a summary carries every day of its range. */
const mostDays = 3_660

const day = z
  .string()
  .refine((text) => dayPattern.test(text) && isDay(text), 'Please give days as YYYY-MM-DD.')

/** What a summary is asked for. */
export const summaryQuerySchema = z
  .object({
    from: day.optional(),
    to: day.optional(),
    tz: z.string().refine(isZone, 'There is no such time zone.').default('UTC'),
  })
  .refine(({ from, to }) => !from || !to || from <= to, 'The first day comes after the last.')
  .refine(
    ({ from, to }) => !from || !to || daysFrom(from, to) <= mostDays,
    'Please ask for ten years at most.',
  )
export type SummaryQuery = z.output<typeof summaryQuerySchema>

export type Range = { from: string; to: string }

/** As many days as this range has, right before it. */
export function periodBefore({ from, to }: Range): Range {
  return { from: addDays(from, -daysFrom(from, to)), to: addDays(from, -1) }
}

/** Every day of a range, oldest first. */
export function daysOf({ from, to }: Range): string[] {
  return Array.from({ length: Math.max(0, daysFrom(from, to)) }, (_none, step) =>
    addDays(from, step),
  )
}

/** Both counted in. */
function daysFrom(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / dayMs) + 1
}

function addDays(from: string, days: number): string {
  return new Date(Date.parse(from) + days * dayMs).toISOString().slice(0, 10)
}

/** There is no 30th of February. */
function isDay(text: string): boolean {
  const read = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(read) && new Date(read).toISOString().startsWith(text)
}
