import type { ReviewReason } from '#contract/checkouts.ts'
import type { RefusalBody, refusals } from '#contract/refusals.ts'
import type { IconName } from '#web/storefront/shell/icon.tsx'
import type { ToastContent } from '#web/ui/use-toast.ts'

import type { PanelState, Payment } from './payment.ts'

export const widgetError = errorToast(
  'Payment widget error',
  'Failed to load payment form. Please refresh the page.',
)
export const notReady = errorToast('Payment not ready', 'Please wait for the payment form to load.')
export const incomplete = errorToast(
  'Please complete all required fields',
  'Fill in all required information before paying.',
)
export const submissionFailed = errorToast(
  'Payment submission failed',
  'Please try again or refresh the page.',
)
export const orderFailed = errorToast('Order failed', 'Failed to create order. Please try again.')

/** Only for a card that SumUp declined or never received. */
export function paymentFailed(providerMessage?: string): ToastContent {
  return errorToast(
    'Payment failed',
    providerMessage ?? 'Please check your card details and try again.',
  )
}

/** What became of a card that the page sent on another checkout may be unknown: then nothing is said of charges. */
type Knowledge = { hasUnknownCard: boolean }

/** Only where nothing was charged on the checkout and no card is at the bank. */
export function paymentExpired({ hasUnknownCard }: Knowledge): ToastContent {
  const charged = hasUnknownCard ? '' : ' and nothing was charged'
  return paymentFailed(`The payment form had expired${charged}. Please try again.`)
}

/** With the server's own text about the field that it rejects. */
export function detailsNotSaved({ code, message }: Partial<RefusalBody>): ToastContent {
  if (code !== 'bad-request') return submissionFailed
  return message ? { ...incomplete, description: message } : incomplete
}

function errorToast(title: string, description: string): ToastContent {
  return { title, description, variant: 'destructive' }
}

/** Replaces the form. It claims no more than is known: money may have moved, or not. */
export type Panel = {
  /** A spinner if there is none. */
  icon?: IconName
  title: string
  paragraphs: readonly string[]
  button?: string
}

/** The server's text, checked by its type: the whole table of refusals would be too heavy for a buyer's page. */
const tooManyCardsText: (typeof refusals)['too-many-cards']['text'] =
  'Too many cards were declined. Please wait a while or contact the shop.'

const atBank: Panel = {
  icon: 'clock',
  title: 'Your bank is checking the payment',
  paragraphs: [
    'Please confirm it there, for example in your banking app. There is no need to pay again: as soon as your bank says yes, your order is placed by itself.',
    'This page goes on when your bank has answered.',
  ],
  button: 'I did not finish at my bank',
}

/** Why the card at the bank could not be cancelled. */
export const bankNotes = {
  stillAtBank:
    'Your bank still has this payment, so we cannot open a new form yet. Please finish there or wait a little: this page goes on by itself.',
  unavailable: 'This did not work just now. Please try again in a moment.',
}

const panels: Record<Exclude<PanelState['state'], 'review' | 'not-sold'>, Panel> = {
  confirming: {
    title: 'Processing...',
    paragraphs: ['We are confirming your payment. Please keep this page open for a moment.'],
  },
  delayed: {
    icon: 'clock',
    title: 'Your payment is being confirmed',
    paragraphs: [
      'This takes longer than usual. Please do not pay again: if your card was charged, your order is placed by itself and we send you an email.',
      'You can close this page, or leave it open and it goes on by itself.',
    ],
  },
  'at-bank': atBank,
  'starting-over': atBank,
  'order-refused': {
    icon: 'alert',
    title: 'Your order could not be created',
    paragraphs: [
      'Your card has been sent and will not be charged a second time. Please try again to create the order.',
    ],
    button: 'Try again',
  },
  'not-found': {
    icon: 'alert',
    title: 'We cannot follow this payment from here',
    paragraphs: [
      'Cookies were cleared, the payment was begun in another browser, or the shop has no record of it.',
      'Before you pay again, please check whether your card was charged. If it was and no confirmation reaches you by email, write to the shop.',
      'If you are sure that you have not paid, you can start over.',
    ],
    button: 'Start over',
  },
  'too-many-cards': {
    icon: 'clock',
    title: 'Card payment is paused',
    paragraphs: [
      tooManyCardsText,
      'A declined card is not charged. What you typed here is kept: load this page again later, and the card form comes back.',
    ],
  },
}

function createNotSold({ hasUnknownCard }: Knowledge): Panel {
  return {
    icon: 'alert',
    title: 'This product is no longer sold',
    paragraphs: hasUnknownCard
      ? [
          'Your card was not sent this time. If the one before was charged, you will hear from us by email.',
        ]
      : ['Your card was not sent, and nothing was charged.'],
  }
}

/** A card can be charged before contact and delivery were saved, and then there is no address to write to. */
const whoWrites =
  'You will hear from us at the email address that you gave. If you gave none yet, please write to the shop.'

/** The shop reviews the payment. What is known about the money depends on the reason. */
const reviewPaid: Panel = {
  icon: 'clock',
  title: 'We have your payment',
  paragraphs: [
    'Your payment has arrived and the shop takes a look at it before the order goes on. There is no need to pay again.',
    whoWrites,
  ],
}
const reviewPaidWithoutDetails: Panel = {
  icon: 'clock',
  title: 'We have your payment',
  paragraphs: [
    'Your payment has arrived, but not where to send your order. Please write to the shop, so that it can go on. There is no need to pay again.',
  ],
}
const reviewUncertain: Panel = {
  icon: 'clock',
  title: 'Your payment is being looked at',
  paragraphs: [
    'It is not certain yet whether your card was charged, so the shop looks into it. Please do not pay again until then.',
    whoWrites,
  ],
}
const reviewReturned: Panel = {
  icon: 'clock',
  title: 'Your payment was given back',
  paragraphs: [
    'It was returned before an order was made of it, so nothing is sent. If you did not expect this, please write to the shop.',
  ],
}

const reviewDismissed: Panel = {
  icon: 'clock',
  title: 'No order was made of this payment',
  paragraphs: [
    'The shop has looked at this payment and did not make an order of it. If you have a question, please write to the shop.',
  ],
}

const reviewPanels: Record<ReviewReason | 'dismissed', Panel> = {
  dismissed: reviewDismissed,
  'no-details': reviewPaidWithoutDetails,
  'paid-twice': reviewPaid,
  mismatch: reviewPaid,
  'paid-late': reviewPaid,
  'no-sale': reviewPaid,
  refunded: reviewReturned,
  stuck: reviewUncertain,
  contradiction: reviewUncertain,
  unreadable: reviewUncertain,
  'lost-at-sumup': reviewUncertain,
  'account-changed': reviewUncertain,
  'payment-reused': reviewUncertain,
  'not-at-sumup': reviewUncertain,
}

/** The panel that replaces the form, if any. */
export function findPanel(payment: Payment): Panel | undefined {
  if (payment.state === 'not-sold') return createNotSold(payment)
  if (payment.state !== 'review') return findOwn(panels, payment.state)
  // The server may be newer than this page and send a reason that it does not know.
  return findOwn(reviewPanels, payment.reason) ?? reviewUncertain
}

function findOwn(table: Record<string, Panel>, key: string | undefined): Panel | undefined {
  return key !== undefined && Object.hasOwn(table, key) ? table[key] : undefined
}
