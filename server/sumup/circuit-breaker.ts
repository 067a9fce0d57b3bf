/** Failures in a row after which a provider is left alone, and for how long. */
const failuresToOpen = 5
const openMs = 10_000
/** More calls at once than this wait for nobody: a hanging provider must not hold up the shop. */
const maxConcurrentCalls = 64
/** However long the provider asks for a pause, it is asked again after this. */
const longestPauseMs = 60_000

/** The provider gave no answer that says anything: what was asked of it may have happened or not. */
export class ProviderUnavailable extends Error {
  override readonly name = 'ProviderUnavailable'
  /** The provider is well and asks for a pause of so many seconds. */
  readonly retryAfterSeconds: number | undefined
  /** The provider answers, and refuses our key: 401 or 403. */
  readonly isKeyRefused: boolean

  constructor(
    message: string,
    options: { cause?: unknown; retryAfterSeconds?: number; isKeyRefused?: boolean } = {},
  ) {
    super(message, { cause: options.cause })
    this.retryAfterSeconds = options.retryAfterSeconds
    this.isKeyRefused = options.isKeyRefused ?? false
  }
}

export type CircuitBreaker = ReturnType<typeof circuitBreaker>

/** Lets calls through until they keep failing, then answers at once for a while, then tries one again. */
export function circuitBreaker(now: () => number = () => performance.now()) {
  let failures = 0
  let openUntil = 0
  let underWay = 0

  /** Nobody needs to ask while this is true. */
  const isOpen = () => now() < openUntil
  /** The next call is a trial: one is enough. */
  const isOnTrial = () => failures >= failuresToOpen

  async function call<Result>(work: () => Promise<Result>): Promise<Result> {
    if (isOpen()) throw new ProviderUnavailable('SumUp does not answer; not asked again yet')
    if (underWay >= maxConcurrentCalls)
      throw new ProviderUnavailable('SumUp is slow; too many calls are under way')
    // The first call after the pause is the trial; until it is back, others find the circuit open.
    if (failures >= failuresToOpen) openUntil = now() + openMs
    underWay += 1
    try {
      const result = await work()
      failures = 0
      openUntil = 0
      return result
    } catch (error) {
      noteFailure(error)
      throw error
    } finally {
      underWay -= 1
    }
  }

  function noteFailure(error: unknown): void {
    const isSilent = error instanceof ProviderUnavailable && !error.isKeyRefused
    if (isSilent && error.retryAfterSeconds !== undefined) {
      failures = 0
      openUntil = now() + Math.min(error.retryAfterSeconds * 1000, longestPauseMs)
      return
    }
    failures = isSilent ? failures + 1 : 0
    openUntil = failures >= failuresToOpen ? now() + openMs : 0
  }

  return { call, isOpen, isOnTrial }
}
