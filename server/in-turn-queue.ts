import type { Refusal } from '#contract/refusals.ts'

/** Runs a few tasks at once, lets some wait, and refuses the rest: a flood of expensive work must not take the machine. */
export function createInTurnQueue(options: {
  maxRunning: number
  maxWaiting: number
  refuse: () => Refusal
}): <Result>(task: () => Promise<Result>) => Promise<Result> {
  const { maxRunning, maxWaiting, refuse } = options
  let running = 0
  const waiting: (() => void)[] = []

  return async (task) => {
    if (running >= maxRunning) {
      if (waiting.length >= maxWaiting) throw refuse()
      await new Promise<void>((resolve) => waiting.push(resolve))
    } else {
      running += 1
    }
    try {
      return await task()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}
