import { Refusal } from '#contract/refusals.ts'

const windowMs = 60_000
const mostCounted = 50_000

/** So many calls a minute for each who asks, counted in this process. For calls that cost somebody else something. */
export function turnsPerMinute(most: number): (whose: string) => void {
  const windows = new Map<string, { turns: number; endsAt: number }>()
  return (whose) => {
    const now = performance.now()
    const known = windows.get(whose)
    const window = known && known.endsAt > now ? known : { turns: 0, endsAt: now + windowMs }
    if (windows.size >= mostCounted) windows.clear()
    windows.set(whose, window)
    window.turns += 1
    if (window.turns > most) {
      throw new Refusal('too-many-requests', { retryAfter: (window.endsAt - now) / 1000 })
    }
  }
}
