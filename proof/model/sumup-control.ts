import type { SumupCheckout, SumupTransaction } from '#server/sumup/answers.ts'
import { ProviderUnavailable } from '#server/sumup/http.ts'
import { openSumup, type Sumup } from '#server/sumup/client.ts'
import { patienceMs } from '#server/testing/wait-for.ts'

/**
 * What the sandbox cannot do, done in the shop's SumUp client: another account, answers that are held back, calls that
 * fail without opening the circuit breaker, and time that passes at once. All of it is chosen, not timed, so that a
 * failing scenario can be repeated and shrunk.
 */
export function createSumupControl(sumup: Sumup) {
  let client = sumup
  const hidden = new Map<string, number>()
  const unreadable = new Set<string>()
  let aheadMs = 0
  let failingReads = 0
  let losesNextCreate = false
  let refusesCreates = false
  let isHolding = false
  let gate = Promise.withResolvers<void>()
  let held = Promise.withResolvers<void>()

  async function read<Answer>(call: () => Promise<Answer>, id?: string) {
    if (failingReads > 0 || unreadable.has(id ?? '')) {
      if (!unreadable.has(id ?? '')) failingReads -= 1
      throw new ProviderUnavailable('chosen by the model')
    }
    const seen = isHidden(id) ? undefined : await call()
    // The answer is the one of the time of the request, however late it arrives.
    if (isHolding) {
      held.resolve()
      await gate.promise
    }
    return seen
  }

  async function readCheckout(call: () => Promise<SumupCheckout | undefined>, id?: string) {
    const seen = await read(call, id)
    return seen && { ...seen, payments: seen.payments.map(aged) }
  }

  async function readTransaction(id: string): Promise<SumupTransaction | undefined> {
    const seen = await read(() => client.findTransaction(id), id)
    return seen && aged(seen)
  }

  function isHidden(id = ''): boolean {
    const left = hidden.get(id) ?? 0
    hidden.set(id, left - 1)
    return left > 0
  }

  const aged = <Payment extends { madeAt: Date | undefined }>(one: Payment): Payment => ({
    ...one,
    madeAt: one.madeAt && new Date(one.madeAt.getTime() - aheadMs),
  })

  function release(): void {
    gate.resolve()
    gate = Promise.withResolvers()
  }

  return {
    /** The shop uses this account from now on. */
    useAccount(account: Parameters<typeof openSumup>[0]) {
      client = openSumup({ findMode: () => 'test', timeoutMs: patienceMs, ...account })
      Object.assign(sumup, client, {
        findCheckout: (id: string) => readCheckout(() => client.findCheckout(id), id),
        findCheckoutByReference: (reference: string) =>
          readCheckout(() => client.findCheckoutByReference(reference)),
        findTransaction: readTransaction,
        async createCheckout(wanted: Parameters<Sumup['createCheckout']>[0]) {
          const unavailable = new ProviderUnavailable('chosen by the model')
          if (refusesCreates) throw unavailable
          const made = await client.createCheckout(wanted)
          if (!losesNextCreate) return made
          losesNextCreate = false
          throw unavailable
        },
        listHistory: (query: string) => client.listHistory(includeLatest(query)),
      })
    },
    /** The next reads do not find it. */
    hide: (id: string, reads: number) => void hidden.set(id, reads),
    /** This transaction cannot be read from now on. */
    makeUnreadable: (transactionId: string) => void unreadable.add(transactionId),
    /** Makes existing payments older. */
    advanceTime: (ms: number) => void (aheadMs += ms),
    failNextRead: () => void (failingReads += 1),
    loseNextCreate: () => void (losesNextCreate = true),
    refuseCreates: (isRefusing: boolean) => void (refusesCreates = isRefusing),
    /** Holds back the answers of reads from now on. Resolves when the first one is held. */
    hold(): Promise<void> {
      isHolding = true
      held = Promise.withResolvers()
      return held.promise
    },
    /** Later reads are answered at once; held answers stay held. */
    stopHolding: () => void (isHolding = false),
    release,
    reset() {
      isHolding = false
      release()
      hidden.clear()
      unreadable.clear()
      failingReads = 0
      losesNextCreate = false
      refusesCreates = false
    },
  }
}

/** Includes the last minutes, which a comparison normally leaves out. */
export function includeLatest(query: string): string {
  const filters = new URLSearchParams(query)
  filters.set('newest_time', new Date(Date.now() + 86_400_000).toISOString())
  return String(filters)
}
