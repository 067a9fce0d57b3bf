import type { SumupCheckout } from '#server/sumup/answers.ts'
import { ProviderUnavailable } from '#server/sumup/http.ts'
import { openSumup, type Sumup } from '#server/sumup/client.ts'

export type MoodySumup = ReturnType<typeof makeMoody>

/**
 * What the stand-in cannot do by itself, on the shop's own line to it: another account, an answer that waits while the
 * world goes on, a line that breaks without opening the circuit, and time that passes in an instant. Chosen, not drawn by
 * time, so that a failing story can be told again and shortened.
 */
export function makeMoody(sumup: Sumup) {
  let line = sumup
  const forgotten = new Map<string, number>()
  let aheadMs = 0
  let stumbles = 0
  let losesNextCreate = false
  let refusesCreates = false
  let isHolding = false
  let gate = Promise.withResolvers<void>()
  let held = Promise.withResolvers<void>()

  async function look(ask: () => Promise<SumupCheckout | undefined>, id?: string) {
    if (stumbles > 0) {
      stumbles -= 1
      throw new ProviderUnavailable('the model wants it so')
    }
    const seen = isForgotten(id) ? undefined : await ask()
    // What was true when SumUp was asked is what arrives, however late.
    if (isHolding) {
      held.resolve()
      await gate.promise
    }
    return seen && { ...seen, paid: seen.paid.map(aged) }
  }

  function isForgotten(id = ''): boolean {
    const left = forgotten.get(id) ?? 0
    forgotten.set(id, left - 1)
    return left > 0
  }

  const aged = (one: SumupCheckout['paid'][number]) => ({
    ...one,
    madeAt: one.madeAt && new Date(one.madeAt.getTime() - aheadMs),
  })

  function release(): void {
    gate.resolve()
    gate = Promise.withResolvers()
  }

  return {
    /** From now on the shop has this account. */
    use(account: Parameters<typeof openSumup>[0]) {
      line = openSumup(account)
      Object.assign(sumup, line, {
        findCheckout: (id: string) => look(() => line.findCheckout(id), id),
        findCheckoutByReference: (reference: string) =>
          look(() => line.findCheckoutByReference(reference)),
        async createCheckout(wanted: Parameters<Sumup['createCheckout']>[0]) {
          const unavailable = new ProviderUnavailable('the model wants it so')
          if (refusesCreates) throw unavailable
          const made = await line.createCheckout(wanted)
          if (!losesNextCreate) return made
          losesNextCreate = false
          throw unavailable
        },
        listHistory: (query: string) => line.listHistory(untilTomorrow(query)),
      })
    },
    /** The next looks do not find it. */
    forget: (id: string, looks: number) => void forgotten.set(id, looks),
    /** What was paid before is so much older now. */
    pass: (ms: number) => void (aheadMs += ms),
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
    calm() {
      isHolding = false
      release()
      forgotten.clear()
      stumbles = 0
      losesNextCreate = false
      refusesCreates = false
    },
  }
}

/** The comparison leaves out the last minutes; in a proof they are long over. */
export function untilTomorrow(query: string): string {
  const filters = new URLSearchParams(query)
  filters.set('newest_time', new Date(Date.now() + 86_400_000).toISOString())
  return String(filters)
}
