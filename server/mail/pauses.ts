const minute = 60
const hour = 60 * minute

/** Seconds after the first failure, the second and so on; then hourly. */
const first = [10, 30, minute, 5 * minute, 15 * minute, 30 * minute]

/** Counted in tries and not by the clock: days in which the shop itself was off are no tries. */
const hourlyTries = 3 * 24

/** Seconds until the next try after so many; nothing when it is time to give up, after three days. */
export function maybePause(attempts: number): number | undefined {
  if (attempts > first.length + hourlyTries) return undefined
  return first[attempts - 1] ?? hour
}
