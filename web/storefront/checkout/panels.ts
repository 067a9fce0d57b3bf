import type { ReviewReason } from '#contract/checkouts.ts'
import type { refusals } from '#contract/refusals.ts'

import type { IconName } from '#web/storefront/shell/icon.tsx'
import type { Payment, WithoutForm } from './payment-state.ts'

/** What stands in place of the form. It says no more than is known: money may have moved, or not. */
export type Panel = {
  /** Without one the page is still at work. */
  icon?: IconName
  title: string
  paragraphs: readonly string[]
  /** The words of the way on, where there is one. */
  button?: string
}

/** The server's own sentence. Its type is held to the table of refusals, which is too heavy to load here for one of them. */
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

/** Why the card at the bank could not be given up. */
export const bankNotes = {
  stillThere:
    'Your bank still has this payment, so we cannot open a new form yet. Please finish there or wait a little: this page goes on by itself.',
  notNow: 'This did not work just now. Please try again in a moment.',
}

const panels: Record<Exclude<WithoutForm['is'], 'review'>, Panel> = {
  confirming: {
    title: 'Processing...',
    paragraphs: ['We are confirming your payment. Please keep this page open for a moment.'],
  },
  delayed: {
    icon: 'clock',
    title: 'Your payment is being confirmed',
    paragraphs: [
      'This takes longer than usual. Please do not pay again: if your card was charged, your order is placed by itself and we send you an e-mail.',
      'You can close this page, or leave it open and it goes on by itself.',
    ],
  },
  'at-bank': atBank,
  'starting-over': atBank,
  refused: {
    icon: 'alert',
    title: 'Your order could not be created',
    paragraphs: [
      'Your card has been sent and will not be charged a second time. Please try again to create the order.',
    ],
    button: 'Try again',
  },
  'lost-sight': {
    icon: 'alert',
    title: 'We cannot follow this payment from here',
    paragraphs: [
      'Cookies were cleared, the payment was begun in another browser, or the shop has no record of it.',
      'Before you pay again, please check whether your card was charged. If it was and no confirmation reaches you by e-mail, write to the shop.',
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

/** A person looks at the payment. What is known of the money depends on why. */
const moneyArrived: Panel = {
  icon: 'clock',
  title: 'We have your payment',
  paragraphs: [
    'Your payment has arrived and the shop takes a look at it before the order goes on. You will hear from us by e-mail. There is no need to pay again.',
  ],
}
const moneyWithoutDetails: Panel = {
  icon: 'clock',
  title: 'We have your payment',
  paragraphs: [
    'Your payment has arrived, but not where to send your order. Please write to the shop, so that it can go on. There is no need to pay again.',
  ],
}
const moneyUncertain: Panel = {
  icon: 'clock',
  title: 'Your payment is being looked at',
  paragraphs: [
    'It is not certain yet whether your card was charged, so the shop looks into it. You will hear from us by e-mail. Please do not pay again until then.',
  ],
}
const moneyReturned: Panel = {
  icon: 'clock',
  title: 'Your payment was given back',
  paragraphs: [
    'It was returned before an order was made of it, so nothing is sent. If you did not expect this, please write to the shop.',
  ],
}

const reviewPanels: Record<ReviewReason, Panel> = {
  'no-details': moneyWithoutDetails,
  'paid-twice': moneyArrived,
  mismatch: moneyArrived,
  'payment-reused': moneyArrived,
  'paid-late': moneyArrived,
  'no-sale': moneyArrived,
  refunded: moneyReturned,
  stuck: moneyUncertain,
  contradiction: moneyUncertain,
  unreadable: moneyUncertain,
  'lost-at-sumup': moneyUncertain,
  'account-changed': moneyUncertain,
}

/** The panel of a payment during which no card may follow; otherwise the form is shown. */
export function panelOf(payment: Payment): Panel | undefined {
  if (payment.is !== 'review') return isKey(panels, payment.is) ? panels[payment.is] : undefined
  // A reason that this page does not know yet claims nothing.
  return isKey(reviewPanels, payment.reason) ? reviewPanels[payment.reason] : moneyUncertain
}

function isKey<Key extends string>(
  table: Record<Key, unknown>,
  key: string | undefined,
): key is Key {
  return key !== undefined && Object.hasOwn(table, key)
}
