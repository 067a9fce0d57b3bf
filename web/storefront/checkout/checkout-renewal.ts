import type { RefusalCode } from '#contract/refusals.ts'
import { refusalCode } from '#web/api.ts'
import { describeRefusal } from '#web/storefront/shell/describe-refusal.ts'

import type { FreshCheckout } from './checkout-api.ts'
import { findCheckoutId, type Payment } from './payment.ts'
import type { SaleDeps } from './sale-deps.ts'
import type { SaleEvent } from './sale-state.ts'

/** Renewed this long before it expires; the server opens no checkout that lasts shorter. */
const marginMs = 4 * 60_000
const minDelayMs = 30_000
/** The widget loads a new checkout first, and accepts no card meanwhile. */
const widgetUpdateMs = 1_500

/** Keeps the checkout behind the card form valid for as long as the page is open, and at the price that the page shows. */
export function createCheckoutRenewal(
  deps: SaleDeps,
  { getPayment, dispatch }: { getPayment: () => Payment; dispatch: (event: SaleEvent) => unknown },
) {
  let dueAtMs = Infinity
  let openedFor: string | undefined
  let running: Promise<void> | undefined

  /** Gives the same card form a new checkout; what is typed there stays. */
  async function renew(): Promise<void> {
    try {
      const fresh = await deps.api.openCheckout()
      const idBefore = findCheckoutId(getPayment())
      dispatch({ type: 'renewed', checkout: fresh.checkout })
      follow(fresh)
      if (findCheckoutId(getPayment()) === idBefore) return
      deps.widget.updateCheckout(fresh.checkout.checkoutId)
      await deps.delay(widgetUpdateMs)
    } catch (error) {
      if (isPageOutdated(error)) {
        dispatch({ type: 'renewal-refused' })
        deps.reloadPage(describeRefusal(error))
      }
      throw error
    }
  }

  /** Whether the page shows another price than the checkout has. */
  const isOutdated = () => openedFor !== undefined && openedFor !== deps.getPrice().key

  /** Follows a checkout that the form has now. */
  function follow(fresh: FreshCheckout): void {
    openedFor = fresh.priceKey
    schedule(fresh.validForMs)
  }

  function schedule(validForMs: number): void {
    const delayMs = Math.max(validForMs - marginMs, minDelayMs)
    dueAtMs = deps.nowMs() + delayMs
    void deps.delay(delayMs).then(renewIfDue)
  }

  /** Called by the timer, and when a device wakes up that slept through it. */
  function renewIfDue(): void {
    if (deps.nowMs() >= dueAtMs) run()
  }

  function run(): void {
    if (getPayment().state !== 'ready' || running || !deps.getPrice().isKnown) return
    running = renew()
      // Tried again later; meanwhile Pay now meets an expired checkout and renews it.
      .catch(() => schedule(0))
      .finally(() => {
        running = undefined
      })
  }

  /** Replaces a checkout whose price is not the one that the page shows. */
  async function keepCurrent(): Promise<void> {
    await running
    if (!isOutdated()) return
    run()
    await running
  }

  return { follow, renew, renewIfDue, keepCurrent, isOutdated, waitUntilDone: () => running }
}

const pageChanges: (RefusalCode | undefined)[] = [
  'product-missing',
  'product-paused',
  'price-changed',
  'price-without-cents',
  'page-outdated',
  'sold-out',
  'choice-missing',
  'choice-gone',
  'code-unknown',
  'code-used-up',
  'country-needed',
  'note-needed',
  'not-delivered',
  'mode-changed',
]

/** The product is gone, paused or sold out, or its price, delivery or choice is not that of the page, or whether it is a test. */
export function isPageOutdated(error: unknown): boolean {
  return pageChanges.includes(refusalCode(error))
}
