import { ProviderAway } from '#server/payments/circuit-breaker.ts'
import type { CheckoutRow } from '#server/payments/ledger.ts'
import type { Outcome } from './outcome.ts'
import { settle, type Settling } from './settle.ts'

/**
 * Settling for browsers. Two tabs, a double click and a waiting page often ask at once: they share one look
 * at SumUp. When SumUp cannot be asked the payment is not lost, it waits: the sweep asks again.
 */
export function settleOnce(shop: Settling): (row: CheckoutRow) => Promise<Outcome> {
  const underWay = new Map<string, Promise<Outcome>>()
  return (row) => {
    const known = underWay.get(row.id)
    if (known) return known
    const settling = settle(shop, row)
      .catch(waitWhenAway)
      .finally(() => underWay.delete(row.id))
    underWay.set(row.id, settling)
    return settling
  }
}

function waitWhenAway(error: unknown): Outcome {
  if (error instanceof ProviderAway) return { is: 'waiting' }
  throw error
}
