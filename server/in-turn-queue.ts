import type { Refusal } from '#contract/refusals.ts'

/** Whose task it is, where strangers compete for the turns. */
export type Turn = {
  /** Tasks with the same key share `maxPerKey`. */
  key?: string
  /** Goes before all others and has its own allowance. */
  isKnown?: boolean
  /** How many times as many may wait. */
  widening?: number
}

/**
 * Runs a few tasks at once, lets some wait, and refuses the rest: a flood of expensive work must not take the machine.
 * With turns, one key cannot take all places, and known ones wait for nobody else.
 */
export function createInTurnQueue(options: {
  maxRunning: number
  maxWaiting: number
  maxPerKey?: number
  refuse: () => Refusal
}): <Result>(task: () => Promise<Result>, turn?: Turn) => Promise<Result> {
  const { maxRunning, maxWaiting, maxPerKey = Infinity, refuse } = options
  let running = 0
  const known: (() => void)[] = []
  const others: (() => void)[] = []
  const countByKey = new Map<string, number>()

  return async (task, turn) => {
    const waiting = turn?.isKnown ? known : others
    const key = turn?.key
    const ofKey = key === undefined ? 0 : (countByKey.get(key) ?? 0)
    const widening = turn?.widening ?? 1
    const isFull = running >= maxRunning && waiting.length >= maxWaiting * widening
    if (ofKey >= maxPerKey * widening || isFull) throw refuse()
    if (key !== undefined) countByKey.set(key, ofKey + 1)
    if (running >= maxRunning) await new Promise<void>((resolve) => waiting.push(resolve))
    else running += 1
    try {
      return await task()
    } finally {
      if (key !== undefined) releaseKey(key)
      const next = known.shift() ?? others.shift()
      if (next) next()
      else running -= 1
    }
  }

  function releaseKey(key: string): void {
    const left = (countByKey.get(key) ?? 0) - 1
    if (left > 0) countByKey.set(key, left)
    else countByKey.delete(key)
  }
}
