import type { OpenCheckout } from '#contract/checkouts.ts'

/** What was last heard of SumUp's widget after it was told to submit. */
export type WidgetWord = 'nothing' | 'sent' | 'challenge'

/** Where the payment stands. Only 'ready' shows a card form that can be paid on. */
export type Payment =
  | { is: 'loading' }
  | { is: 'broken'; why: string | undefined }
  | { is: 'ready'; checkout: OpenCheckout }
  /** Contact and delivery are on their way to the server; no card has left yet. */
  | { is: 'saving'; checkout: OpenCheckout }
  /** The card is with SumUp: from here on money may move. */
  | { is: 'submitted'; checkout: OpenCheckout; heard: WidgetWord }
  /** The widget has said its last word, and the server is asked what became of the card. */
  | { is: 'asking'; checkout: OpenCheckout }
  | WithoutForm
  | { is: 'paid'; orderId: string }

/** No card may follow for now: a panel takes the place of the form. */
export type WithoutForm =
  /** The server is asked about a card that no widget on this page can tell of. */
  | { is: 'confirming'; checkoutId: string }
  /** It takes longer than anyone should watch a spinner. */
  | { is: 'delayed' }
  /** The bank has the card, and its page is not on the screen. `note` says why starting over was not possible. */
  | { is: 'at-bank'; checkoutId: string; note?: string | undefined }
  /** The buyer gives up the card at the bank, and the server is asked to end it. */
  | { is: 'starting-over' }
  /** The server refused the order although SumUp reported success. */
  | { is: 'refused'; checkoutId: string }
  /** The server does not know the payment, or not this browser as the one that paid. */
  | { is: 'lost-sight' }
  /** Somebody here tries one card after the other; no more are taken for a while. */
  | { is: 'too-many-cards' }
  | { is: 'review'; reason: string | undefined }

export type PaymentEvent =
  | { type: 'opened'; checkout: OpenCheckout }
  | { type: 'renewed'; checkout: OpenCheckout }
  | { type: 'broke'; why: string | undefined }
  /** A new card form is coming. */
  | { type: 'reopened' }
  | { type: 'pay' }
  | { type: 'submit' }
  | { type: 'heard'; word: WidgetWord }
  | { type: 'asked' }
  /** The same card form takes another card. */
  | { type: 'unlocked' }
  | { type: 'form-closed'; as: WithoutForm }
  | { type: 'paid'; orderId: string }

/** The next state; the very same one where the event does not belong, so that a second click changes nothing. */
export function step(payment: Payment, event: PaymentEvent): Payment {
  const { is } = payment
  if (is === 'paid') return payment
  switch (event.type) {
    case 'opened':
      return is === 'loading' ? { is: 'ready', checkout: event.checkout } : payment
    case 'renewed':
      return is === 'ready' || is === 'saving' ? { ...payment, checkout: event.checkout } : payment
    case 'broke':
      return is === 'loading' ? { is: 'broken', why: event.why } : payment
    case 'reopened':
      return mayReopen.includes(is) ? { is: 'loading' } : payment
    case 'pay':
      return is === 'ready' ? { is: 'saving', checkout: payment.checkout } : payment
    case 'submit':
      return is === 'saving'
        ? { is: 'submitted', checkout: payment.checkout, heard: 'nothing' }
        : payment
    case 'heard':
      return hear(payment, event.word)
    case 'asked':
      return is === 'ready' || is === 'submitted'
        ? { is: 'asking', checkout: payment.checkout }
        : payment
    case 'unlocked':
      return isCharging(payment) ? { is: 'ready', checkout: payment.checkout } : payment
    case 'form-closed':
      return isClosed(is) && !isClosed(event.as.is) ? payment : event.as
    case 'paid':
      return { is: 'paid', orderId: event.orderId }
  }
}

/** From where a new card form may come: not while the widget on the page is at work on a card. */
const mayReopen: readonly Payment['is'][] = [
  'broken',
  'asking',
  'confirming',
  'delayed',
  'at-bank',
  'starting-over',
  'lost-sight',
]

/** The buyer has paid or may have, with the card form still on the page. */
function isCharging(
  payment: Payment,
): payment is Extract<Payment, { is: 'saving' | 'submitted' | 'asking' }> {
  return payment.is === 'saving' || payment.is === 'submitted' || payment.is === 'asking'
}

/** Leaving the page now deserves a question, and a second click nothing. */
export function isPaying(payment: Payment): boolean {
  return isCharging(payment) || payment.is === 'confirming'
}

/** The checkout that the payment is on, where that is of use. */
export function checkoutIdOf(payment: Payment): string | undefined {
  if ('checkout' in payment) return payment.checkout.checkoutId
  return 'checkoutId' in payment ? payment.checkoutId : undefined
}

/** No card may follow on this page, whatever is heard of another one. */
function isClosed(is: Payment['is']): boolean {
  return is === 'too-many-cards' || is === 'review'
}

/** A challenge stays one until the widget is done, whatever else it says. */
function hear(payment: Payment, heard: WidgetWord): Payment {
  if (payment.is === 'ready') return { is: 'submitted', checkout: payment.checkout, heard }
  const isNews = payment.is === 'submitted' && payment.heard !== heard
  return isNews && payment.heard !== 'challenge' ? { ...payment, heard } : payment
}

export type PaymentStore = ReturnType<typeof createPayment>

/** The payment of one page, changed only by `step`. */
export function createPayment() {
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
