import { Refusal } from '#contract/refusals.ts'

/** As many parts as S3 takes. */
export const mostParts = 10_000

export function partNumberOf(text: string): number {
  const number = /^\d{1,5}$/.test(text) ? Number(text) : 0
  if (number < 1 || number > mostParts) throw new Refusal('part-unnamed')
  return number
}
