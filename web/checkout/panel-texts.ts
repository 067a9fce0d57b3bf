import { tooManyCardsText } from './answers.ts'
import type { IconName } from './icon.tsx'
import type { PanelKind } from './payment-state.ts'

type PanelText = {
  /** Without one the page is still at work. */
  icon?: IconName
  title: string
  paragraphs: string[]
  /** The words of the way on, where there is one. */
  button?: string
}

/** What the checkout says in place of its form. Never that a payment failed: money may have moved. */
export const panelTexts: Record<PanelKind, PanelText> = {
  confirming: {
    title: 'Processing...',
    paragraphs: ['We are confirming your payment. Please keep this page open for a moment.'],
  },
  away: {
    icon: 'clock',
    title: 'Your payment is being confirmed',
    paragraphs: [
      'This takes longer than usual. There is no need to pay again: as soon as the payment is confirmed, your order is placed and we send you an e-mail. You can close this page, or leave it open and it will go on by itself.',
      'If you stopped before your bank had confirmed the payment, nothing was charged, and the card form opens again once that is certain.',
    ],
  },
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
      'Cookies were cleared, or the payment was begun in another browser, so this page cannot see what became of it.',
      'If your card was charged, there is no need to pay again: your order is placed by itself and we send you an e-mail.',
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
  review: {
    icon: 'clock',
    title: 'We have your payment',
    paragraphs: [
      'Your payment has arrived and the shop takes a look at it before the order goes on. You will hear from us by e-mail. There is no need to pay again.',
    ],
  },
}
