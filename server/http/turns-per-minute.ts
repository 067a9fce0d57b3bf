import { Refusal } from '#contract/refusals.ts'

const windowMs = 60_000
/** More than this at once is an attack that counting would only help. */
const mostCounted = 50_000

/** So many calls a minute for each who asks, counted in this process. */
export function turnsPerMinute(most: number) {
  const windows = new Map<string, { turns: number; endsAt: number }>()

  function take(whose: string): void {
    const now = performance.now()
    let window = windows.get(whose)
    if (!window || window.endsAt <= now) {
      if (windows.size >= mostCounted) windows.clear()
      window = { turns: 0, endsAt: now + windowMs }
      windows.set(whose, window)
    }
    window.turns += 1
    if (window.turns > most) {
      throw new Refusal('too-many-requests', { retryAfter: (window.endsAt - now) / 1000 })
    }
  }

  /** A turn that is counted elsewhere. */
  function giveBack(whose: string): void {
    const window = windows.get(whose)
    if (window) window.turns -= 1
  }

  return { take, giveBack }
}
