import { ApiError, isUnauthorized } from '#web/api.ts'
import { sleep } from '#web/sleep.ts'

/** As many as browsers open to one server anyway. */
const maxConcurrent = 6

/** For a 429 without a Retry-After header. */
const defaultPauseSeconds = 2

export type Progress = {
  total: number
  settled: number
  /** The server asked for a pause. */
  isPaused: boolean
}

export type Outcome<Item> = {
  done: Item[]
  failed: Item[]
  /** Not started, because the run was cancelled. */
  skipped: Item[]
}

type BulkRun<Item> = {
  items: readonly Item[]
  /** Returns the item as it was updated. */
  update: (item: Item) => Promise<Item>
  /** Aborting it finishes running updates and starts no more. */
  signal: AbortSignal
  onDone: (item: Item) => void
  onProgress: (progress: Progress) => void
}

/**
 * Updates many items, a few at a time. A failed one does not stop the others. On a 429 all pause for as long as the
 * server asks. Throws, without an outcome, when the session has ended.
 */
export async function runBulk<Item>(run: BulkRun<Item>): Promise<Outcome<Item>> {
  const { items, signal } = run
  const outcome: Outcome<Item> = { done: [], failed: [], skipped: [] }
  let started = 0
  let unauthorized: Error | undefined
  let pause: Promise<void> | undefined

  async function work(): Promise<void> {
    while (started < items.length && !signal.aborted && !unauthorized) {
      await process(items[started++] as Item)
      report()
    }
  }

  async function process(item: Item): Promise<void> {
    for (;;) {
      if (pause) await pause
      if (unauthorized) return
      if (signal.aborted) return void outcome.skipped.push(item)
      try {
        const updated = await run.update(item)
        outcome.done.push(updated)
        return run.onDone(updated)
      } catch (error) {
        if (error instanceof ApiError && error.status === 429) {
          pause ??= waitFor(error.retryAfter ?? defaultPauseSeconds)
          continue
        }
        if (error instanceof Error && isUnauthorized(error)) unauthorized = error
        else outcome.failed.push(item)
        return
      }
    }
  }

  async function waitFor(seconds: number): Promise<void> {
    report(true)
    // Cancelling ends the pause; what is left is then skipped.
    await sleep(seconds * 1000, signal).catch(() => undefined)
    pause = undefined
    report()
  }

  function report(isPaused = pause !== undefined): void {
    const settled = outcome.done.length + outcome.failed.length
    run.onProgress({ total: items.length, settled, isPaused })
  }

  report()
  await Promise.all(Array.from({ length: Math.min(maxConcurrent, items.length) }, work))
  if (unauthorized) throw unauthorized
  outcome.skipped.push(...items.slice(started))
  return outcome
}
