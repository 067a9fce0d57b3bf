import type { OpenCheckout } from '#contract/orders.ts'

/** Where the payment stands. Only 'ready' shows a card form that can be paid on. */
export type Payment =
  | { is: 'loading' }
  | { is: 'broken'; why: string | undefined }
  | { is: 'ready'; checkout: OpenCheckout }
  /** Contact and delivery are on their way to the server; no card has left yet. */
  | { is: 'saving'; checkout: OpenCheckout }
  /** The card is with SumUp: from here on money may move. */
  | { is: 'submitted'; checkout: OpenCheckout; isHeard: boolean }
  /** SumUp is done or silent, and the server is asked. Without a checkout there is no widget on the page. */
  | { is: 'waiting'; checkoutId: string; checkout: OpenCheckout | undefined }
  /** It takes longer than anyone should watch a spinner. */
  | { is: 'away'; checkoutId: string }
  /** The server refused the order although SumUp reported success. */
  | { is: 'refused'; checkoutId: string }
  /** The server does not know this browser as the one that paid: it can say nothing more of the payment. */
  | { is: 'lost-sight'; checkoutId: string }
  /** Somebody here tries one card after the other; no more are taken for a while. */
  | { is: 'too-many-cards' }
  | { is: 'review' }
  | { is: 'paid'; orderId: string }

export type PaymentEvent =
  | { type: 'opened'; checkout: OpenCheckout }
  | { type: 'renewed'; checkout: OpenCheckout }
  | { type: 'broke'; why?: string | undefined }
  | { type: 'retried' }
  | { type: 'resumed'; checkoutId: string }
  | { type: 'pay' }
  | { type: 'submit' }
  | { type: 'sent' }
  | { type: 'asked' }
  | { type: 'unlocked' }
  | { type: 'late' }
  | { type: 'reopened' }
  | { type: 'refused' }
  | { type: 'lost-sight' }
  | { type: 'too-many-cards' }
  | { type: 'review' }
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
    case 'retried':
      return payment.is === 'broken' ? { is: 'loading' } : payment
    case 'resumed':
      return payment.is === 'loading'
        ? { is: 'waiting', checkoutId: event.checkoutId, checkout: undefined }
        : payment
    case 'pay':
      return payment.is === 'ready' ? { is: 'saving', checkout: payment.checkout } : payment
    case 'submit':
      return payment.is === 'saving' ? submitted(payment.checkout, false) : payment
    case 'sent':
      return payment.is === 'ready' || (payment.is === 'submitted' && !payment.isHeard)
        ? submitted(payment.checkout, true)
        : payment
    case 'asked':
      return ask(payment)
    case 'unlocked':
      return unlock(payment)
    case 'late':
      return payment.is === 'waiting' ? { is: 'away', checkoutId: payment.checkoutId } : payment
    case 'reopened':
      return isAsking(payment) || payment.is === 'lost-sight' ? { is: 'loading' } : payment
    case 'refused':
      return payment.is === 'waiting' ? { is: 'refused', checkoutId: payment.checkoutId } : payment
    case 'lost-sight':
      return isAsking(payment) ? { is: 'lost-sight', checkoutId: payment.checkoutId } : payment
    case 'too-many-cards':
    case 'review':
      return { is: event.type }
    case 'paid':
      return { is: 'paid', orderId: event.orderId }
  }
}

/** The buyer has paid or may have: leaving the page now deserves a question. */
export function isPaying(payment: Payment): boolean {
  return payment.is === 'saving' || payment.is === 'submitted' || payment.is === 'waiting'
}

/** Only the server can tell how the payment stands, and it is asked. */
export function isAsking(
  payment: Payment,
): payment is Extract<Payment, { is: 'waiting' | 'away' }> {
  return payment.is === 'waiting' || payment.is === 'away'
}

const lasting = ['away', 'refused', 'lost-sight', 'too-many-cards', 'review'] as const
export type PanelKind = 'confirming' | (typeof lasting)[number]

/** What stands in place of the form while no card may follow. */
export function panelOf(payment: Payment): PanelKind | undefined {
  if (payment.is === 'waiting') return payment.checkout ? undefined : 'confirming'
  return lasting.find((kind) => kind === payment.is)
}

/** The checkout that the payment is on, where there is one. */
export function checkoutIdOf(payment: Payment): string | undefined {
  if ('checkout' in payment && payment.checkout) return payment.checkout.checkoutId
  return 'checkoutId' in payment ? payment.checkoutId : undefined
}

function submitted(checkout: OpenCheckout, isHeard: boolean): Payment {
  return { is: 'submitted', checkout, isHeard }
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

/** The same card form again, where it is still on the page. */
function unlock(payment: Payment): Payment {
  const isLocked = isPaying(payment)
  return isLocked && 'checkout' in payment && payment.checkout
    ? { is: 'ready', checkout: payment.checkout }
    : payment
}
