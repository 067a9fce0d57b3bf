/** Failures in a row after which a provider is left alone, and for how long. */
const failuresToOpen = 5
const openMs = 10_000
/** More calls at once than this wait for nobody: a hanging provider must not hold up the shop. */
const mostAtOnce = 32

/** The provider gave no answer that says anything: what was asked of it may have happened or not. */
export class ProviderAway extends Error {
  override readonly name = 'ProviderAway'
  /** The provider is well and asks for a pause. */
  readonly isBusy: boolean

  constructor(message: string, options: { cause?: unknown; isBusy?: boolean } = {}) {
    super(message, { cause: options.cause })
    this.isBusy = options.isBusy ?? false
  }
}

/** Lets calls through until they keep failing, then answers at once for a while, then tries one again. */
export function circuitBreaker(now: () => number = () => performance.now()) {
  let failures = 0
  let closedAgainAt = 0
  let underWay = 0

  return async function call<Result>(work: () => Promise<Result>): Promise<Result> {
    if (failures >= failuresToOpen && now() < closedAgainAt)
      throw new ProviderAway('SumUp does not answer; not asked again yet')
    if (underWay >= mostAtOnce)
      throw new ProviderAway('SumUp is slow; too many calls are under way')
    // The first call after the pause is the trial; until it is back, others find the circuit open.
    if (failures >= failuresToOpen) closedAgainAt = now() + openMs
    underWay += 1
    try {
      const result = await work()
      failures = 0
      return result
    } catch (error) {
      if (error instanceof ProviderAway && !error.isBusy) {
        failures += 1
        closedAgainAt = now() + openMs
      } else {
        failures = 0
      }
      throw error
    } finally {
      underWay -= 1
    }
  }
}
