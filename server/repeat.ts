import type { Log } from './log.ts'

export type RepeatedTask = {
  /** Runs the task now, or again right after the current run. */
  runNow: () => void
  /** Resolves when the current run has ended. No other follows. */
  stop: () => Promise<void>
}

/** Runs a task again and again, one run at a time. A run that fails is logged, and the next one comes. */
export function repeat(
  task: () => Promise<unknown>,
  intervalMs: number,
  log: Log,
  name: string,
  firstDelayMs = intervalMs,
): RepeatedTask {
  let timer: NodeJS.Timeout | undefined
  let current: Promise<void> | undefined
  let isRequested = false
  let isStopped = false

  async function run(): Promise<void> {
    do {
      isRequested = false
      try {
        await task()
      } catch (error) {
        log.warn({ err: error, task: name }, 'A background task failed; it will run again')
      }
    } while (mustRunAgain())
    current = undefined
    if (!isStopped) timer = setTimeout(start, intervalMs)
  }

  function mustRunAgain(): boolean {
    return isRequested && !isStopped
  }

  function start(): void {
    clearTimeout(timer)
    current = run()
  }

  timer = setTimeout(start, firstDelayMs)
  return {
    runNow() {
      if (current) isRequested = true
      else if (!isStopped) start()
    },
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await current
    },
  }
}
