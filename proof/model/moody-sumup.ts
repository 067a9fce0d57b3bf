import { ProviderAway } from '#server/payments/circuit-breaker.ts'
import type { Sumup } from '#server/payments/sumup.ts'
import type { SumupCheckout } from '#server/payments/sumup-answers.ts'

export type MoodySumup = ReturnType<typeof makeMoody>

/**
 * SumUp with moods that a model can choose: it lags, lies, stumbles, loses an answer, or lets one wait while
 * the world goes on. Chosen, not drawn by time, so that a failing story can be told again and shortened.
 */
export function makeMoody(sumup: Sumup) {
  const honest = { ...sumup }
  const lagging = new Map<string, number>()
  const lying = new Set<string>()
  /** Of which payments it told another amount, and of which the true one. */
  const liedAbout = new Set<string>()
  const toldTruly = new Set<string>()
  const expiring = new Set<string>()
  let stumbles = 0
  let losesNextCreate = false
  let refusesCreates = false
  let isHolding = false
  let gate = Promise.withResolvers<void>()
  let held = Promise.withResolvers<void>()

  async function look(ask: () => Promise<SumupCheckout | undefined>) {
    if (stumbles > 0) {
      stumbles -= 1
      throw new ProviderAway('the model wants it so')
    }
    const seen = await ask()
    const told = seen && tell(seen)
    // What was true when SumUp was asked is what arrives, however late.
    if (isHolding) {
      held.resolve()
      await gate.promise
    }
    return told
  }

  function tell(seen: SumupCheckout): SumupCheckout {
    if (seen.status !== 'PAID' && expiring.delete(seen.id)) return { ...seen, status: 'EXPIRED' }
    const left = lagging.get(seen.id) ?? 0
    if (left > 0 && seen.status === 'PAID') {
      lagging.set(seen.id, left - 1)
      return asBefore(seen)
    }
    if (seen.status === 'PAID') (lying.has(seen.id) ? liedAbout : toldTruly).add(seen.id)
    if (!lying.has(seen.id) || seen.status !== 'PAID') return seen
    const transactions = seen.transactions.map((one) => ({ ...one, amount: '1.00' }))
    return { ...seen, amount: '1.00', transactions }
  }

  sumup.maybeCheckout = (id) => look(() => honest.maybeCheckout(id))
  sumup.maybeCheckoutByReference = (reference) =>
    look(() => honest.maybeCheckoutByReference(reference))
  sumup.createCheckout = async (wanted) => {
    const away = new ProviderAway('the model wants it so')
    if (refusesCreates) throw away
    const made = await honest.createCheckout(wanted)
    if (!losesNextCreate) return made
    losesNextCreate = false
    throw away
  }

  function release(): void {
    gate.resolve()
    gate = Promise.withResolvers()
  }

  return {
    hasLiedAbout: (id: string) => liedAbout.has(id),
    hasOnlyLiedAbout: (id: string) => liedAbout.has(id) && !toldTruly.has(id),
    lagOn: (id: string, looks: number) => void lagging.set(id, looks),
    catchUp: () => lagging.clear(),
    /** How many looks until it tells the truth without trouble. */
    looksToCalm: () => Math.max(0, ...lagging.values()) + stumbles,
    /** From now on it tells of one euro. */
    lieOn: (id: string) => void lying.add(id),
    /** The next look says EXPIRED, though the bank may still say yes: SumUp then makes it PAID after all. */
    expireNext: (id: string) => void expiring.add(id),
    stumble: () => void (stumbles += 1),
    loseNextCreate: () => void (losesNextCreate = true),
    refuseCreates: (isRefusing: boolean) => void (refusesCreates = isRefusing),
    /** Looks begun from now on get their answer late. Resolves when the first of them waits for it. */
    hold(): Promise<void> {
      isHolding = true
      held = Promise.withResolvers()
      return held.promise
    },
    /** Later looks are answered at once; those that wait go on waiting. */
    stopHolding: () => void (isHolding = false),
    release,
    /** A new story begins with a good mood. */
    calm() {
      isHolding = false
      release()
      lagging.clear()
      lying.clear()
      expiring.clear()
      liedAbout.clear()
      toldTruly.clear()
      stumbles = 0
      losesNextCreate = false
      refusesCreates = false
    },
  }
}

function asBefore(seen: SumupCheckout): SumupCheckout {
  const transactions = seen.transactions.map((one) =>
    one.status === 'SUCCESSFUL' ? { ...one, status: 'PENDING' } : one,
  )
  return { ...seen, status: 'PENDING', transactions }
}
