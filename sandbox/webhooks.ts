import { webhookFaults } from './faults/fault-rules.ts'
import type { Faults } from './faults/faults.ts'
import { newId } from './ledger/ids.ts'
import type { Ledger } from './ledger/ledger.ts'
import type { Checkout, Delivery } from './ledger/records.ts'
import { isLoopbackUrl } from './loopback.ts'

/** SumUp tries again after 1 min, 5 min, 20 min and 2 h, then gives up. */
export const documentedDelaysMs = [60_000, 300_000, 1_200_000, 7_200_000]

/** A receiver that takes longer has not received. */
const receiverTimeoutMs = 10_000

export type PlannedDelivery = { delivery: Delivery; early: boolean }

export type Webhooks = {
  /** The notifications that an outcome causes; faults lose, double, delay or add some. */
  plan(checkout: Checkout): PlannedDelivery[]
  /** Sends what was planned and kept. Waits only for those that must be there before the answer. */
  dispatch(planned: PlannedDelivery[]): Promise<void>
  /** Takes up what a former life of the stand-in left undelivered. */
  resume(): void
  close(): void
}

export function openWebhooks(
  ledger: Ledger,
  faults: Faults,
  delaysMs: number[],
  log: (event: string, fields?: Record<string, unknown>) => void,
): Webhooks {
  const timers = new Set<NodeJS.Timeout>()
  const closing = new AbortController()

  function arm(delivery: Delivery): void {
    const timer = setTimeout(
      () => {
        timers.delete(timer)
        void attempt(delivery)
      },
      Math.max(0, delivery.dueAt - Date.now()),
    )
    timers.add(timer)
  }

  async function attempt(delivery: Delivery): Promise<void> {
    const { id, url, checkoutId } = delivery
    if (!isLoopbackUrl(url)) {
      log('webhook refused: a stand-in calls this machine only', { checkoutId, url })
      return ledger.dropDelivery(id)
    }
    const received = await post(delivery)
    // Cut off by the end of this life: the next one tries again.
    if (closing.signal.aborted) return
    log('webhook', { checkoutId, received, tries: delivery.tries + 1 })
    const delayMs = delaysMs[delivery.tries]
    if (received || delayMs === undefined) return ledger.dropDelivery(id)
    const next = { ...delivery, tries: delivery.tries + 1, dueAt: Date.now() + delayMs }
    ledger.saveDelivery(next)
    arm(next)
  }

  async function post({ url, checkoutId }: Delivery): Promise<boolean> {
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ event_type: 'CHECKOUT_STATUS_CHANGED', id: checkoutId }),
        redirect: 'manual',
        signal: AbortSignal.any([closing.signal, AbortSignal.timeout(receiverTimeoutMs)]),
      })
      await response.body?.cancel()
      return response.ok
    } catch {
      return false
    }
  }

  return {
    plan(checkout) {
      const { returnUrl: url } = checkout
      if (url === undefined) return []
      const fault = faults.take('webhook', webhookFaults, [checkout.id, checkout.reference])
      const deliver = (checkoutId: string, waitMs = 0): PlannedDelivery => ({
        delivery: { id: newId(), checkoutId, url, tries: 0, dueAt: Date.now() + waitMs },
        early: fault?.kind === 'webhook-early',
      })
      const own = deliver(checkout.id, fault?.kind === 'webhook-late' ? fault.ms : 0)
      if (fault?.kind === 'webhook-lost') return []
      if (fault?.kind === 'webhook-doubled') return [own, deliver(checkout.id)]
      if (fault?.kind === 'webhook-unknown') return [deliver(newId()), own]
      return [own]
    },
    async dispatch(planned) {
      for (const { delivery, early } of planned) if (!early) arm(delivery)
      const early = planned.filter((one) => one.early)
      await Promise.all(early.map(({ delivery }) => attempt(delivery)))
    },
    resume: () => ledger.deliveries().forEach(arm),
    close() {
      closing.abort()
      for (const timer of timers) clearTimeout(timer)
    },
  }
}
