import { Refusal } from '#contract/refusals.ts'

/** Decoding takes a core and up to 160 MB, so a flood of pictures must not take the machine. */
const atOnce = 2
const longestQueue = 20
const tryAgainSeconds = 5

let running = 0
const waiting: (() => void)[] = []

/** Does the work when it is its turn; with too many before it, refuses at once. */
export async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  if (running >= atOnce) {
    if (waiting.length >= longestQueue)
      throw new Refusal('pictures-busy', { retryAfter: tryAgainSeconds })
    await new Promise<void>((resolve) => waiting.push(resolve))
  } else {
    running += 1
  }
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else running -= 1
  }
}
