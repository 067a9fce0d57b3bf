import type { OpenCheckout } from '#contract/checkouts.ts'

/** How far SumUp's widget got with a submitted card. A challenge is the bank's own page inside the widget. */
export type WidgetProgress = 'none' | 'sent' | 'challenge'

/** Only 'ready' shows a card form that can be paid with. */
export type Payment =
  | { state: 'loading' }
  | { state: 'load-failed'; reason: string | undefined }
  | { state: 'ready'; checkout: OpenCheckout }
  /** Contact and delivery are being saved on the server; the card has not been submitted. */
  | { state: 'saving'; checkout: OpenCheckout }
  /** SumUp has the card: from here on money may move. */
  | { state: 'submitted'; checkout: OpenCheckout; progress: WidgetProgress }
  /** The widget is done; the server is asked for the outcome. */
  | { state: 'checking'; checkout: OpenCheckout }
  | PanelState
  | { state: 'paid'; orderId: string }

/** No card may be submitted now: a panel replaces the form. */
export type PanelState =
  /** The server is asked about a card that was not submitted by a widget on this page. */
  | { state: 'confirming'; checkoutId: string }
  /** The outcome takes too long for a spinner. */
  | { state: 'delayed'; checkoutId: string }
  /** The bank has the card, and its page is not open here. `note` says why starting over was not possible. */
  | { state: 'at-bank'; checkoutId: string; note?: string | undefined }
  /** The server is asked to cancel the card at the bank. */
  | { state: 'starting-over' }
  /** The server refused the order although SumUp reported success. */
  | { state: 'order-refused'; checkoutId: string }
  /** The server does not know the payment, or does not accept this browser as its buyer. */
  | { state: 'not-found' }
  /** Too many cards were declined; card payment is paused. */
  | { state: 'too-many-cards' }
  | { state: 'review'; reason: string | undefined }
  /** The product was deleted. `hasUnknownCard`: of a card that this page sent before, nothing is known. */
  | { state: 'not-sold'; hasUnknownCard: boolean }

export type PaymentEvent =
  | { type: 'opened'; checkout: OpenCheckout }
  | { type: 'renewed'; checkout: OpenCheckout }
  | { type: 'load-failed'; reason: string | undefined }
  /** A new card form is being loaded. */
  | { type: 'reopened' }
  | { type: 'pay-pressed' }
  | { type: 'submitted' }
  | { type: 'widget-progressed'; progress: WidgetProgress }
  | { type: 'check-started' }
  /** The same card form can be used again. */
  | { type: 'unlocked' }
  | { type: 'form-replaced'; by: PanelState }
  /** The shop reviews the payment no longer; the server is asked for the outcome. */
  | { type: 'review-ended'; checkoutId: string }
  | { type: 'paid'; orderId: string }

/** Returns the very same object where the event does not apply, such as a second click. */
export function reducePayment(payment: Payment, event: PaymentEvent): Payment {
  const { state } = payment
  if (state === 'paid') return payment
  switch (event.type) {
    case 'opened':
      return state === 'loading' ? { state: 'ready', checkout: event.checkout } : payment
    case 'renewed':
      return state === 'ready' || state === 'saving'
        ? { ...payment, checkout: event.checkout }
        : payment
    case 'load-failed':
      return state === 'loading' ? { state: 'load-failed', reason: event.reason } : payment
    case 'reopened':
      return reopenableStates.includes(state) ? { state: 'loading' } : payment
    case 'pay-pressed':
      return state === 'ready' ? { state: 'saving', checkout: payment.checkout } : payment
    case 'submitted':
      return state === 'saving'
        ? { state: 'submitted', checkout: payment.checkout, progress: 'none' }
        : payment
    case 'widget-progressed':
      return applyProgress(payment, event.progress)
    case 'check-started':
      return state === 'ready' || state === 'submitted'
        ? { state: 'checking', checkout: payment.checkout }
        : payment
    case 'unlocked':
      return isCharging(payment) ? { state: 'ready', checkout: payment.checkout } : payment
    case 'form-replaced':
      return isFinal(state) && !isFinal(event.by.state) ? payment : event.by
    case 'review-ended':
      return state === 'review' ? { state: 'confirming', checkoutId: event.checkoutId } : payment
    case 'paid':
      return { state: 'paid', orderId: event.orderId }
  }
}

/** A new card form may be opened, because no widget on the page is processing a card. */
const reopenableStates: readonly Payment['state'][] = [
  'load-failed',
  'checking',
  'confirming',
  'delayed',
  'at-bank',
  'starting-over',
  'not-found',
]

/** Money may be moving, with the card form still on the page. */
function isCharging(
  payment: Payment,
): payment is Extract<Payment, { state: 'saving' | 'submitted' | 'checking' }> {
  return ['saving', 'submitted', 'checking'].includes(payment.state)
}

/** A second click does nothing, and leaving the page asks first. */
export function isPaying(payment: Payment): boolean {
  return isCharging(payment) || payment.state === 'confirming'
}

export function findCheckoutId(payment: Payment): string | undefined {
  if ('checkout' in payment) return payment.checkout.checkoutId
  return 'checkoutId' in payment ? payment.checkoutId : undefined
}

/** This page accepts no more cards, whatever happens to another one. */
function isFinal(state: Payment['state']): boolean {
  return state === 'too-many-cards' || state === 'review' || state === 'not-sold'
}

/** A challenge lasts until the widget is done, whatever else it reports. */
function applyProgress(payment: Payment, progress: WidgetProgress): Payment {
  if (payment.state === 'ready') return { state: 'submitted', checkout: payment.checkout, progress }
  if (payment.state !== 'submitted' || payment.progress === 'challenge') return payment
  return payment.progress === progress ? payment : { ...payment, progress }
}

export type PaymentStore = ReturnType<typeof createPaymentStore>

/** The payment of one page, changed only by `reducePayment`. */
export function createPaymentStore() {
  let payment: Payment = { state: 'loading' }
  const listeners = new Set<() => void>()
  return {
    getPayment: () => payment,
    /** Returns whether the event changed anything: of two clicks only one does. */
    dispatch: (event: PaymentEvent): boolean => {
      const next = reducePayment(payment, event)
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
