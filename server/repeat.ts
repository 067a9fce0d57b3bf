import type { Log } from '#server/http/log.ts'

export type Repeating = {
  /** Not at the next turn but now, or right after the turn that is under way. */
  soon: () => void
  /** No further turn; resolves when the one under way has ended. */
  stop: () => Promise<void>
}

/** Does the work again and again, one turn at a time. A turn that fails is logged, and the next one comes. */
export function repeat(
  work: () => Promise<unknown>,
  everyMs: number,
  log: Log,
  name: string,
  firstAfterMs = everyMs,
): Repeating {
  let timer: NodeJS.Timeout | undefined
  let turn: Promise<void> | undefined
  let again = false
  let stopped = false

  async function run(): Promise<void> {
    do {
      again = false
      try {
        await work()
      } catch (error) {
        log.warn({ err: error }, `${name} failed this time`)
      }
    } while (mustGoOn())
    turn = undefined
    if (!stopped) timer = setTimeout(begin, everyMs)
  }

  function mustGoOn(): boolean {
    return again && !stopped
  }

  function begin(): void {
    clearTimeout(timer)
    turn = run()
  }

  timer = setTimeout(begin, firstAfterMs)
  return {
    soon() {
      if (turn) again = true
      else if (!stopped) begin()
    },
    async stop() {
      stopped = true
      clearTimeout(timer)
      await turn
    },
  }
}
