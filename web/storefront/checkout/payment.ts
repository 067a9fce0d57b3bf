import type { OpenCheckout } from '#contract/checkouts.ts'

/** How far SumUp's widget got with a submitted card. A challenge is the bank's own page inside the widget. */
export type WidgetProgress = 'none' | 'sent' | 'challenge'

/** Only 'ready' shows a card form that can be paid with. */
export type Payment =
  | { state: 'loading' }
  | { state: 'load-failed'; reason: string | undefined }
  /** The price depends on a country that is not chosen yet. */
  | { state: 'no-price' }
  | { state: 'ready'; checkout: OpenCheckout }
  /** Contact and delivery are being saved on the server; the card has not been submitted. */
  | { state: 'saving'; checkout: OpenCheckout; isOther?: true }
  /** Other ways to pay are in the place of the card form, with buttons of their own. */
  | { state: 'choosing'; checkout: OpenCheckout }
  /** SumUp has the card: from here on money may move. */
  | { state: 'submitted'; checkout: OpenCheckout; progress: WidgetProgress; isOther?: true }
  /** The widget is done; the server is asked for the outcome. */
  | { state: 'checking'; checkout: OpenCheckout; isOther?: true }
  | PanelState
  | { state: 'paid'; orderId: string }

/*
 * `isOther`: not by card, but in one of the other ways. They end as cards do, but what is on the page then is no card form.
 */

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
  /** `hasUnknownCard`: of a card that was sent before, nothing is known. */
  | { state: 'not-sold'; why: NotSold; hasUnknownCard: boolean }

/** Why there is no form for the product, by the codes of refusals. */
export const notSoldCodes = ['product-missing', 'product-paused', 'sold-out'] as const
export type NotSold = (typeof notSoldCodes)[number]

/** A second click does nothing, and leaving the page asks first. */
export function isPaying(payment: Payment): boolean {
  return isCharging(payment) || payment.state === 'confirming'
}

/** What was typed is what is paid for, or is about to be. */
export function isLocked(payment: Payment): boolean {
  return isPaying(payment) || payment.state === 'choosing' || payment.state === 'paid'
}

export function findCheckoutId(payment: Payment): string | undefined {
  if ('checkout' in payment) return payment.checkout.checkoutId
  return 'checkoutId' in payment ? payment.checkoutId : undefined
}

/** Nothing of a card form is on the page, and none is being loaded. */
export function isWithoutForm(payment: Payment): boolean {
  return !('checkout' in payment) && payment.state !== 'loading' && payment.state !== 'paid'
}

/*
 * What may become of a payment. Each returns the very same object where it does not apply, such as a second click.
 */

/** A new card form is being loaded. */
export function reopen(payment: Payment): Payment {
  return reopenableStates.includes(payment.state) ? { state: 'loading' } : payment
}

/** No widget on the page is processing a card. */
const reopenableStates: readonly Payment['state'][] = [
  'load-failed',
  'no-price',
  'checking',
  'confirming',
  'delayed',
  'at-bank',
  'starting-over',
  'not-found',
]

/** The same card form has another checkout. */
export function renew(payment: Payment, checkout: OpenCheckout): Payment {
  return payment.state === 'ready' || payment.state === 'saving'
    ? { ...payment, checkout }
    : payment
}

/** A challenge lasts until the widget is done, whatever else it reports. */
export function progressTo(payment: Payment, progress: WidgetProgress): Payment {
  if (payment.state === 'choosing')
    return { state: 'submitted', checkout: payment.checkout, progress, isOther: true }
  if (payment.state === 'ready') return { state: 'submitted', checkout: payment.checkout, progress }
  if (payment.state !== 'submitted' || payment.progress === 'challenge') return payment
  return payment.progress === progress ? payment : { ...payment, progress }
}

export function startCheck(payment: Payment): Payment {
  if (!isAnswerable(payment)) return payment
  const isOther = showsOthers(payment)
  return { state: 'checking', checkout: payment.checkout, ...(isOther && { isOther }) }
}

/** The same card form can be used again, if it is there. */
export function unlock(payment: Payment): Payment {
  if (!isCharging(payment) || showsOthers(payment)) return payment
  return { state: 'ready', checkout: payment.checkout }
}

/** Other ways to pay are in the place of the card form. While details are saved they are not there yet. */
export function showsOthers(payment: Payment): boolean {
  if (payment.state === 'choosing') return true
  return (payment.state === 'submitted' || payment.state === 'checking') && payment.isOther === true
}

/** A widget that pays is on the page. */
export function isAnswerable(
  payment: Payment,
): payment is Extract<Payment, { state: 'ready' | 'choosing' | 'submitted' }> {
  return ['ready', 'choosing', 'submitted'].includes(payment.state)
}

/** Money may be moving, with the card form still on the page. */
function isCharging(
  payment: Payment,
): payment is Extract<Payment, { state: 'saving' | 'submitted' | 'checking' }> {
  return ['saving', 'submitted', 'checking'].includes(payment.state)
}

export function replaceForm(payment: Payment, by: PanelState): Payment {
  return isFinal(payment.state) && !isFinal(by.state) ? payment : by
}

/** This page accepts no more cards, whatever happens to another one. */
function isFinal(state: Payment['state']): boolean {
  return state === 'too-many-cards' || state === 'review' || state === 'not-sold'
}
