import type { CheckoutStatus, OpenCheckout } from '#contract/checkouts.ts'
import type { CheckoutDetails } from '#contract/orders.ts'
import type { ToastContent } from '#web/ui/toast-state.ts'

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
    getStatus: (checkoutId: string) => Promise<CheckoutStatus>
    /** Ends an earlier sale whose card may be at the bank. */
    startOver: (checkoutId: string) => Promise<void>
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
  showToast: (toast: ToastContent) => void
  thank: (orderId: string) => void
  /** Loads the page anew, because the product is not what it shows. Answers false if that did not help before. */
  reload: (why: string | undefined) => boolean
  pause: (ms: number) => Promise<void>
  nowMs: () => number
}
