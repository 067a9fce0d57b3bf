import { refusalOf, refusalText } from '#web/api.ts'

import { checkoutIdOf, type PaymentStore } from './payment-state.ts'
import type { FreshCheckout, SaleWorld } from './sale-world.ts'

/** Renewed this long before it expires; the server hands out nothing that lasts shorter. In ms. */
const marginMs = 4 * 60_000
const shortestPauseMs = 30_000
/** A widget that was given a new checkout reads it first, and takes no card before, in ms. */
const readingMs = 1_500

/** Keeps the checkout behind the card form payable for as long as the page is open. */
export function createRenewal(world: SaleWorld, { happen, payment }: PaymentStore) {
  let dueAtMs = Infinity
  let running: Promise<void> | undefined

  /** A new checkout behind the same card form; what is typed there stays. */
  async function renew(): Promise<void> {
    try {
      const fresh = await world.calls.openCheckout()
      const { checkoutId } = fresh.checkout
      const isOther = checkoutId !== checkoutIdOf(payment())
      const isRenewed = happen({ type: 'renewed', checkout: fresh.checkout })
      keepFresh(fresh)
      if (!isRenewed || !isOther) return
      world.card.renew(checkoutId)
      await world.pause(readingMs)
    } catch (error) {
      if (isOtherProduct(error)) {
        happen({ type: 'unlocked' })
        world.reload(refusalText(error))
      }
      throw error
    }
  }

  function keepFresh({ lastsMs }: FreshCheckout): void {
    const pauseMs = Math.max(lastsMs - marginMs, shortestPauseMs)
    dueAtMs = world.nowMs() + pauseMs
    void world.pause(pauseMs).then(renewIfDue)
  }

  /** By its timer, or when a laptop wakes that slept through it. */
  function renewIfDue(): void {
    if (payment().is !== 'ready' || running || world.nowMs() < dueAtMs) return
    // A renewal that failed is made up for when Pay now meets an expired checkout.
    running = renew()
      .catch(() => undefined)
      .finally(() => (running = undefined))
  }

  return { keepFresh, renew, renewIfDue, finished: () => running }
}

/** Gone, or priced differently from what the page shows. */
export function isOtherProduct(error: unknown): boolean {
  const { code } = refusalOf(error)
  return code === 'product-missing' || code === 'price-changed' || code === 'price-without-cents'
}
