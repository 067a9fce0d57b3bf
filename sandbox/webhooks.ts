import { randomUUID } from 'node:crypto'
import type { Faults } from './faults.ts'
import type { Ledger } from './ledger.ts'
import { listNames, type Checkout, type Delivery, type Log } from './records.ts'

/** Only addresses: a name could point anywhere. */
export function isLoopbackHost(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host)
}

export function isLoopbackUrl(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) && isLoopbackHost(url.hostname)
}

/** SumUp retries after 1 min, 5 min, 20 min and 2 h, then gives up. */
export const defaultDelaysMs = [60_000, 300_000, 1_200_000, 7_200_000]

const receiverTimeoutMs = 10_000

type PlannedDelivery = { delivery: Delivery; isEarly: boolean }

export type Webhooks = ReturnType<typeof openWebhooks>

export function openWebhooks(ledger: Ledger, faults: Faults, delaysMs: number[], log: Log) {
  const timers = new Set<NodeJS.Timeout>()
  const closing = new AbortController()

  function schedule(delivery: Delivery): void {
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
      log('webhook URL is not local', { checkoutId, url })
      return ledger.deleteDelivery(id)
    }
    const isReceived = await post(delivery)
    // Interrupted by close: the next start tries again.
    if (closing.signal.aborted) return
    log('webhook sent', { checkoutId, isReceived, tries: delivery.tries + 1 })
    const delayMs = delaysMs[delivery.tries]
    if (isReceived || delayMs === undefined) return ledger.deleteDelivery(id)
    const next = { ...delivery, tries: delivery.tries + 1, dueAt: Date.now() + delayMs }
    ledger.saveDelivery(next)
    schedule(next)
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
    /** The webhooks of an outcome; faults can drop, double, delay or add some. */
    plan(checkout: Checkout): PlannedDelivery[] {
      const { returnUrl: url } = checkout
      if (url === undefined) return []
      const fault = faults.trigger(
        'webhook',
        ['webhook-lost', 'webhook-doubled', 'webhook-early', 'webhook-late', 'webhook-unknown'],
        listNames(checkout),
      )
      const create = (checkoutId: string, waitMs = 0): PlannedDelivery => ({
        delivery: { id: randomUUID(), checkoutId, url, tries: 0, dueAt: Date.now() + waitMs },
        isEarly: fault?.kind === 'webhook-early',
      })
      const own = create(checkout.id, fault?.kind === 'webhook-late' ? fault.ms : 0)
      if (fault?.kind === 'webhook-lost') return []
      if (fault?.kind === 'webhook-doubled') return [own, create(checkout.id)]
      if (fault?.kind === 'webhook-unknown') return [create(randomUUID()), own]
      return [own]
    },
    /** Sends what was planned and saved. Waits only for early ones, which must arrive before the response. */
    async dispatch(planned: PlannedDelivery[]): Promise<void> {
      for (const { delivery, isEarly } of planned) if (!isEarly) schedule(delivery)
      const early = planned.filter(({ isEarly }) => isEarly)
      await Promise.all(early.map(({ delivery }) => attempt(delivery)))
    },
    /** Continues with what was undelivered before a restart. */
    resume: () => ledger.listDeliveries().forEach(schedule),
    close(): void {
      closing.abort()
      for (const timer of timers) clearTimeout(timer)
    },
  }
}
