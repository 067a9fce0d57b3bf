import type { ReviewReason } from '#contract/checkouts.ts'
import type { RefusalBody } from '#contract/refusals.ts'
import { findMethodTexts, language, texts } from '#web/storefront/shell/language.ts'
import type { IconName } from '#web/storefront/shell/icon.tsx'
import type { ToastContent } from '#web/ui/use-toast.ts'

import type { NotSold, PanelState, Payment } from './payment.ts'

export function widgetError(): ToastContent {
  const { widgetError: title, widgetErrorText } = texts().toasts
  return errorToast(title, widgetErrorText)
}

export function notReady(): ToastContent {
  const { notReady: title, notReadyText } = texts().toasts
  return errorToast(title, notReadyText)
}

export function incomplete(): ToastContent {
  const { incomplete: title, incompleteText } = texts().toasts
  return errorToast(title, incompleteText)
}

export function submissionFailed(): ToastContent {
  const { submissionFailed: title, submissionFailedText } = texts().toasts
  return errorToast(title, submissionFailedText)
}

export function orderFailed(): ToastContent {
  const { orderFailed: title, orderFailedText } = texts().toasts
  return errorToast(title, orderFailedText)
}

/** Only for a card that SumUp declined or never received. */
export function paymentFailed(providerMessage?: string): ToastContent {
  const { paymentFailed: title, paymentFailedText } = texts().toasts
  return errorToast(title, providerMessage ?? paymentFailedText)
}

/** SumUp has no payment. Where there are other ways than the card, perhaps nothing was tried: then nothing has failed. */
export function noPayment(providerMessage: string | undefined): ToastContent {
  const others = findMethodTexts()
  return others && providerMessage === undefined
    ? errorToast(texts().toasts.lookAgain, others.noPayment)
    : paymentFailed(providerMessage)
}

/** SumUp has no payment with the card. The widget's own text would be that of a failed request, in no language. */
export function connectionLost(): ToastContent {
  return paymentFailed(texts().connection.noPayment)
}

/** What became of a card that the page sent on another checkout may be unknown: then nothing is said of charges. */
type Knowledge = { hasUnknownCard: boolean }

/** Only where nothing was charged on the checkout and no card is at the bank. */
export function paymentExpired({ hasUnknownCard }: Knowledge): ToastContent {
  const { expiredText, expiredUnknownText } = texts().toasts
  return paymentFailed(hasUnknownCard ? expiredUnknownText : expiredText)
}

/** With the server's own text about the field that it rejects, which is in English. */
export function detailsNotSaved({ code, message }: Partial<RefusalBody>): ToastContent {
  if (code !== 'bad-request') return submissionFailed()
  const isReadable = message && language() === 'en'
  return isReadable ? { ...incomplete(), description: message } : incomplete()
}

/** The page has changed, and shows why. */
export function lookAgain(why: string | undefined): ToastContent {
  return errorToast(texts().toasts.lookAgain, why ?? '')
}

/** For as long as the shop does not answer. Undefined where the page waits for nothing. */
export function describeLostConnection(payment: Payment): string | undefined {
  const { lost, typed, unsent, sent } = texts().connection
  switch (payment.state) {
    case 'load-failed':
      // What the shop refused does not go on by itself.
      return payment.reason ? undefined : `${lost} ${typed}`
    case 'loading':
    case 'no-price':
    case 'ready':
    case 'choosing':
      return `${lost} ${typed}`
    case 'saving':
      return `${lost} ${unsent}`
    case 'submitted':
    case 'checking':
    case 'confirming':
    case 'delayed':
    case 'at-bank':
    case 'starting-over':
    case 'review':
      return `${lost} ${sent}`
    case 'order-refused':
    case 'not-found':
    case 'too-many-cards':
    case 'not-sold':
    case 'paid':
      return undefined
  }
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

function describeAtBank(): Panel {
  const { title, confirm, goesOn, button } = texts().panels.atBank
  return { icon: 'clock', title, paragraphs: [confirm, goesOn], button }
}

/** Why the card at the bank could not be cancelled. */
export function bankNotes() {
  const { stillThere, unavailable } = texts().panels.atBank
  return { stillAtBank: stillThere, unavailable }
}

const panels: Record<Exclude<PanelState['state'], 'review' | 'not-sold'>, () => Panel> = {
  confirming() {
    const { title, text } = texts().panels.confirming
    return { title, paragraphs: [text] }
  },
  delayed() {
    const { title, text, close } = texts().panels.delayed
    return { icon: 'clock', title, paragraphs: [text, close] }
  },
  'at-bank': describeAtBank,
  'starting-over': describeAtBank,
  'order-refused'() {
    const { title, text } = texts().panels.orderRefused
    return { icon: 'alert', title, paragraphs: [text], button: texts().payment.tryAgain }
  },
  'not-found'() {
    const { title, why, before, sure, button } = texts().panels.notFound
    return { icon: 'alert', title, paragraphs: [why, before, sure], button }
  },
  'too-many-cards'() {
    const { title, text } = texts().panels.tooManyCards
    return { icon: 'clock', title, paragraphs: [texts().refusals['too-many-cards'], text] }
  },
}

function describeNotSold({ hasUnknownCard, why }: Knowledge & { why: NotSold }): Panel {
  const { title, paused, soldOut, text, unknownText } = texts().panels.notSold
  const ofCard = hasUnknownCard ? unknownText : text
  if (why === 'product-missing') return { icon: 'alert', title, paragraphs: [ofCard] }
  const ofProduct = why === 'sold-out' ? soldOut : paused
  return { icon: 'alert', title: ofProduct, paragraphs: [texts().refusals[why], ofCard] }
}

/** The shop reviews the payment. What is known about the money depends on the reason. */
function describePaid(): Panel {
  // A card can be charged before contact and delivery were saved, and then there is no address to write to.
  const { paid, paidText, whoWrites } = texts().panels.review
  return { icon: 'clock', title: paid, paragraphs: [paidText, whoWrites] }
}

function describePaidWithoutDetails(): Panel {
  const { paid, paidWithoutDetails } = texts().panels.review
  return { icon: 'clock', title: paid, paragraphs: [paidWithoutDetails] }
}

function describeUncertain(): Panel {
  const { uncertain, uncertainText, whoWrites } = texts().panels.review
  return { icon: 'clock', title: uncertain, paragraphs: [uncertainText, whoWrites] }
}

function describeReturned(): Panel {
  const { returned, returnedText } = texts().panels.review
  return { icon: 'clock', title: returned, paragraphs: [returnedText] }
}

function describeDismissed(): Panel {
  const { dismissed, dismissedText } = texts().panels.review
  return { icon: 'clock', title: dismissed, paragraphs: [dismissedText] }
}

const reviewPanels: Record<ReviewReason | 'dismissed', () => Panel> = {
  dismissed: describeDismissed,
  'no-details': describePaidWithoutDetails,
  'paid-twice': describePaid,
  mismatch: describePaid,
  'paid-late': describePaid,
  'no-sale': describePaid,
  refunded: describeReturned,
  stuck: describeUncertain,
  contradiction: describeUncertain,
  unreadable: describeUncertain,
  'lost-at-sumup': describeUncertain,
  'account-changed': describeUncertain,
  'payment-reused': describeUncertain,
  'not-at-sumup': describeUncertain,
}

/** The panel that replaces the form, if any. */
export function findPanel(payment: Payment): Panel | undefined {
  if (payment.state === 'not-sold') return describeNotSold(payment)
  if (payment.state !== 'review') return findOwn(panels, payment.state)?.()
  // The server may be newer than this page and send a reason that it does not know.
  return (findOwn(reviewPanels, payment.reason) ?? describeUncertain)()
}

function findOwn(
  table: Record<string, () => Panel>,
  key: string | undefined,
): (() => Panel) | undefined {
  return key !== undefined && Object.hasOwn(table, key) ? table[key] : undefined
}
