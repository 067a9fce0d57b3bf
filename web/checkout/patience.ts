/** How long to pause before the next look, the longer the more often nothing was new, in ms. */
const pausesMs = [1000, 2000, 3000, 5000]

/** After this long a spinner is no answer any more, in ms. */
export const patienceMs = 60_000

/** How often a page that said "this takes longer" still looks, in ms. */
const slowPauseMs = 15_000

export function pauseBefore(look: number, isLate: boolean): number {
  if (isLate) return slowPauseMs
  return pausesMs[Math.min(look, pausesMs.length - 1)] ?? slowPauseMs
}
