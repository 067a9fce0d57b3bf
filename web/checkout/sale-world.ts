import type { CheckoutDetails, OpenCheckout, PaymentStanding } from '#contract/orders.ts'
import type { ToastContent } from '#web/ui/toast-state.ts'

import { type Payment, type PaymentEvent, step } from './payment-state.ts'

/** What SumUp's widget reports, by its own words. */
export type WidgetListener = (type: string, body: unknown) => void

export type FreshCheckout = {
  checkout: OpenCheckout
  /** How much longer it is good by the server's clock, in ms. */
  lastsMs: number
}

/** Everything a sale needs of the world around it, so that it can be sold in a test without a browser. */
export type SaleWorld = {
  calls: {
    openCheckout: () => Promise<FreshCheckout>
    keepDetails: (checkoutId: string, details: CheckoutDetails) => Promise<void>
    lookAt: (checkoutId: string) => Promise<PaymentStanding>
    /** Nothing where the payment is not confirmed yet. */
    placeOrder: (
      checkoutId: string,
      details: CheckoutDetails,
      transactionId: string | undefined,
    ) => Promise<{ id: string } | undefined>
  }
  /** SumUp's card widget. */
  card: {
    load: () => Promise<void>
    mount: (checkout: OpenCheckout, listener: WidgetListener) => Promise<void>
    renew: (checkoutId: string) => void
    /** Brings it into sight, when it asks something of the buyer. */
    reveal: () => void
    submit: () => void
    unmount: () => void
  }
  /** The checkout whose card was submitted: it outlives a reload. */
  memory: {
    remembered: () => string | undefined
    remember: (checkoutId: string) => void
    forget: () => void
  }
  details: () => CheckoutDetails
  say: (toast: ToastContent) => void
  thank: (orderId: string) => void
  /** Loads the page anew, because the product is not what it shows. Answers false if that did not help before. */
  reload: (why: string | undefined) => boolean
  pause: (ms: number) => Promise<void>
  nowMs: () => number
}

export type Till = { world: SaleWorld } & ReturnType<typeof holdPayment>

/** The payment of this page, changed only by `step`. */
export function holdPayment() {
  let payment: Payment = { is: 'loading' }
  const listeners = new Set<() => void>()
  return {
    payment: () => payment,
    /** Answers whether the event changed anything: of two clicks only one does. */
    happen: (event: PaymentEvent): boolean => {
      const next = step(payment, event)
      if (next === payment) return false
      payment = next
      for (const listener of listeners) listener()
      return true
    },
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
