import { setTimeout as pause } from 'node:timers/promises'

/** Far longer than anything takes on a machine that others keep busy: only what never comes fails. */
export const patienceMs = 60_000
const pollMs = 15

/** The first result that is neither an error, nor false, nor undefined. */
export async function waitFor<Result>(
  what: string,
  look: () => Promise<Result> | Result,
  timeoutMs = patienceMs,
): Promise<Exclude<Result, false | undefined>> {
  let cause: unknown
  for (const giveUpAt = performance.now() + timeoutMs; ; await pause(pollMs)) {
    try {
      const result = await look()
      if (result !== false && result !== undefined)
        return result as Exclude<Result, false | undefined>
    } catch (error) {
      cause = error
    }
    if (performance.now() > giveUpAt) throw new Error(`timed out waiting: ${what}`, { cause })
  }
}
