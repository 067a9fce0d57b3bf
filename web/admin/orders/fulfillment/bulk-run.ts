import { ApiError, isUnauthorized } from '#web/api.ts'

/** As many as browsers open to one server anyway. */
const mostAtOnce = 6

/** When a server asks for a pause without saying how long. */
const usualPauseSeconds = 2

/** How a run over many orders stands. */
export type Progress = {
  total: number
  settled: number
  /** The server asked for a pause; the run goes on by itself. */
  isWaiting: boolean
}

export type Outcome<Item> = {
  done: Item[]
  failed: Item[]
  /** Never begun, because the run was cancelled. */
  left: Item[]
}

type BulkRun<Item> = {
  items: readonly Item[]
  /** Answers with the change as it was made. */
  change: (item: Item) => Promise<Item>
  /** Cancels: what has begun is finished, nothing more begins. */
  signal: AbortSignal
  onDone: (item: Item) => void
  onProgress: (progress: Progress) => void
}

/**
 * Changes many orders, a few at once. One that fails does not stop the others; a server that is asked
 * too much is given the pause it wants. Being signed out ends it all, and is thrown.
 */
export async function runBulk<Item>(run: BulkRun<Item>): Promise<Outcome<Item>> {
  const { items, signal } = run
  const outcome: Outcome<Item> = { done: [], failed: [], left: [] }
  let begun = 0
  let signedOut: unknown
  let pause: Promise<void> | undefined

  async function work(): Promise<void> {
    while (begun < items.length && !signal.aborted && !signedOut) {
      const item = items[begun++] as Item
      await settle(item)
      report()
    }
  }

  async function settle(item: Item): Promise<void> {
    for (;;) {
      if (pause) await pause
      if (signedOut) return
      if (signal.aborted) return void outcome.left.push(item)
      try {
        const made = await run.change(item)
        outcome.done.push(made)
        return run.onDone(made)
      } catch (error) {
        if (error instanceof ApiError && error.status === 429) {
          pause ??= wait(error.retryAfter ?? usualPauseSeconds)
          continue
        }
        if (error instanceof Error && isUnauthorized(error)) signedOut = error
        else outcome.failed.push(item)
        return
      }
    }
  }

  async function wait(seconds: number): Promise<void> {
    report(true)
    await sleep(seconds * 1000, signal)
    pause = undefined
    report()
  }

  function report(isWaiting = pause !== undefined) {
    const settled = outcome.done.length + outcome.failed.length
    run.onProgress({ total: items.length, settled, isWaiting })
  }

  report()
  await Promise.all(Array.from({ length: Math.min(mostAtOnce, items.length) }, work))
  if (signedOut) throw signedOut
  outcome.left.push(...items.slice(begun))
  return outcome
}

/** Cancelling ends a pause at once. */
function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
