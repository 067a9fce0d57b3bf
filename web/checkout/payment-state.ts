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
  /** The server is asked what became of the card. Without a checkout there is no widget on the page. */
  | { is: 'waiting'; checkoutId: string; checkout: OpenCheckout | undefined }
  /** It takes longer than anyone should watch a spinner. */
  | { is: 'delayed'; checkoutId: string }
  /** The bank has the card, and its page is not on the screen. `note` says why starting over was not possible. */
  | { is: 'at-bank'; checkoutId: string; note: string | undefined }
  /** The buyer gives up the card at the bank, and the server is asked to end it. */
  | { is: 'starting-over'; checkoutId: string }
  /** The server refused the order although SumUp reported success. */
  | { is: 'refused'; checkoutId: string }
  /** The server does not know the payment, or not this browser as the one that paid. */
  | { is: 'lost-sight'; checkoutId: string }
  /** Somebody here tries one card after the other; no more are taken for a while. */
  | { is: 'too-many-cards' }
  | { is: 'review'; reason: string | undefined; checkoutId: string | undefined }
  | { is: 'paid'; orderId: string }

export type PaymentEvent =
  | { type: 'opened'; checkout: OpenCheckout }
  | { type: 'renewed'; checkout: OpenCheckout }
  | { type: 'broke'; why: string | undefined }
  /** A new card form is coming. */
  | { type: 'reopened' }
  | { type: 'pay' }
  | { type: 'submit' }
  | { type: 'heard'; word: WidgetWord }
  /** The widget on the page has said its last word. */
  | { type: 'asked' }
  /** A card is under way that no widget on this page can tell of. */
  | { type: 'followed'; checkoutId: string }
  | { type: 'unlocked' }
  | { type: 'delayed' }
  | { type: 'at-bank'; checkoutId: string; note?: string }
  | { type: 'starting-over' }
  | { type: 'refused' }
  | { type: 'lost-sight' }
  | { type: 'too-many-cards' }
  | { type: 'review'; reason: string | undefined; checkoutId: string | undefined }
  | { type: 'paid'; orderId: string }

/** The next state; the very same one where the event does not belong, so that a second click changes nothing. */
export function step(payment: Payment, event: PaymentEvent): Payment {
  if (payment.is === 'paid') return payment
  switch (event.type) {
    case 'opened':
      return payment.is === 'loading' ? { is: 'ready', checkout: event.checkout } : payment
    case 'renewed':
      return payment.is === 'ready' || payment.is === 'saving'
        ? { ...payment, checkout: event.checkout }
        : payment
    case 'broke':
      return payment.is === 'loading' ? { is: 'broken', why: event.why } : payment
    case 'reopened':
      return mayReopen.includes(payment.is) ? { is: 'loading' } : payment
    case 'pay':
      return payment.is === 'ready' ? { is: 'saving', checkout: payment.checkout } : payment
    case 'submit':
      return payment.is === 'saving'
        ? { is: 'submitted', checkout: payment.checkout, heard: 'nothing' }
        : payment
    case 'heard':
      return hear(payment, event.word)
    case 'asked':
      return ask(payment)
    case 'followed':
      return isClosed(payment)
        ? payment
        : { is: 'waiting', checkoutId: event.checkoutId, checkout: undefined }
    case 'unlocked':
      return isPaying(payment) && payment.checkout
        ? { is: 'ready', checkout: payment.checkout }
        : payment
    case 'delayed':
      return payment.is === 'waiting' ? { is: 'delayed', checkoutId: payment.checkoutId } : payment
    case 'at-bank':
      return isClosed(payment) || (payment.is === 'at-bank' && payment.note === event.note)
        ? payment
        : { is: 'at-bank', checkoutId: event.checkoutId, note: event.note }
    case 'starting-over':
      return payment.is === 'at-bank'
        ? { is: 'starting-over', checkoutId: payment.checkoutId }
        : payment
    case 'refused':
      return payment.is === 'waiting' ? { is: 'refused', checkoutId: payment.checkoutId } : payment
    case 'lost-sight':
      return !isClosed(payment) && 'checkoutId' in payment && payment.checkoutId
        ? { is: 'lost-sight', checkoutId: payment.checkoutId }
        : payment
    case 'too-many-cards':
      return { is: 'too-many-cards' }
    case 'review':
      return { is: 'review', reason: event.reason, checkoutId: event.checkoutId }
    case 'paid':
      return { is: 'paid', orderId: event.orderId }
  }
}

/** From where a new card form may come; while the widget on the page works on a card it may not. */
const mayReopen: readonly Payment['is'][] = [
  'broken',
  'waiting',
  'delayed',
  'at-bank',
  'starting-over',
  'lost-sight',
]

/** The buyer has paid or may have: leaving the page now deserves a question. */
export function isPaying(
  payment: Payment,
): payment is Extract<Payment, { is: 'saving' | 'submitted' | 'waiting' }> {
  return payment.is === 'saving' || payment.is === 'submitted' || payment.is === 'waiting'
}

/** The checkout that the payment is on, where there is one. */
export function checkoutIdOf(payment: Payment): string | undefined {
  if ('checkout' in payment && payment.checkout) return payment.checkout.checkoutId
  return 'checkoutId' in payment ? payment.checkoutId : undefined
}

/** No card may follow on this page, whatever is heard of another one. */
function isClosed({ is }: Payment): boolean {
  return is === 'too-many-cards' || is === 'review'
}

/** A challenge stays one until the widget is done, whatever else it says. */
function hear(payment: Payment, heard: WidgetWord): Payment {
  if (payment.is === 'ready') return { is: 'submitted', checkout: payment.checkout, heard }
  const isNews = payment.is === 'submitted' && payment.heard !== heard
  return isNews && payment.heard !== 'challenge' ? { ...payment, heard } : payment
}

/** From a card form that is (or may have been) submitted to asking the server what became of it. */
function ask(payment: Payment): Payment {
  if (payment.is === 'ready' || payment.is === 'submitted') {
    const { checkout } = payment
    return { is: 'waiting', checkoutId: checkout.checkoutId, checkout }
  }
  return payment.is === 'refused'
    ? { is: 'waiting', checkoutId: payment.checkoutId, checkout: undefined }
    : payment
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
