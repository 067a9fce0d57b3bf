import type { OpenCheckout } from '#contract/orders.ts'
import { refusalText } from '#web/api.ts'

import { isTooManyCards, statusOf } from './answers.ts'
import { checkoutIdOf } from './payment-state.ts'
import type { FreshCheckout, Till, WidgetListener } from './sale-world.ts'
import { widgetError } from './toast-texts.ts'

/** Renewed this long before it expires; the server hands out nothing that lasts shorter. In ms. */
const marginMs = 4 * 60_000
const shortestPauseMs = 30_000
/** A widget that was given a new checkout reads it first, and takes no card before, in ms. */
const readingMs = 1_500

export type Opening = ReturnType<typeof openingOf>

/** The card form: put on the page, and kept payable for as long as the page is open. */
export function openingOf({ world, happen, payment }: Till, listener: WidgetListener) {
  let renewAtMs = Infinity
  let renewal: Promise<void> | undefined

  async function load(): Promise<void> {
    try {
      const [fresh] = await Promise.all([world.calls.openCheckout(), world.card.load()])
      await world.card.mount(fresh.checkout, listener)
      if (happen({ type: 'opened', checkout: fresh.checkout })) keepFresh(fresh)
    } catch (error) {
      const why = error instanceof Error ? refusalText(error) : undefined
      if (isOtherProduct(error) && world.reload(why)) return
      world.card.unmount()
      if (isTooManyCards(error)) happen({ type: 'too-many-cards' })
      else if (happen({ type: 'broke', why })) world.say(widgetError)
    }
  }

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
      if (isOtherProduct(error) && error instanceof Error) {
        happen({ type: 'unlocked' })
        world.reload(refusalText(error))
      }
      throw error
    }
  }

  function keepFresh({ checkout, lastsMs }: FreshCheckout): void {
    const pauseMs = Math.max(lastsMs - marginMs, shortestPauseMs)
    renewAtMs = world.nowMs() + pauseMs
    void world.pause(pauseMs).then(() => renewIfDue(checkout))
  }

  /** A laptop that slept through its timer is asked again when it wakes. */
  function renewIfDue(checkout?: OpenCheckout): void {
    const current = payment()
    if (current.is !== 'ready' || renewal || world.nowMs() < renewAtMs) return
    if (checkout && current.checkout !== checkout) return
    // A renewal that failed is made up for when Pay now meets an expired checkout.
    renewal = renew()
      .catch(() => undefined)
      .finally(() => (renewal = undefined))
  }

  return { load, renew, renewIfDue: () => renewIfDue(), renewed: () => renewal }
}

/** Gone, or priced differently from what the page shows. */
function isOtherProduct(error: unknown): boolean {
  const status = statusOf(error)
  return status === 404 || status === 409
}
