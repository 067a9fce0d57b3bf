import type { CheckoutStatus } from '#contract/checkouts.ts'
import { refusalOf } from '#web/api.ts'
import type { ToastContent } from '#web/ui/use-toast.ts'

import type { FollowOptions } from './follow-card.ts'
import * as messages from './messages.ts'
import { type PanelState, replaceForm, startCheck, unlock } from './payment.ts'
import { withEffects, type SaleState } from './sale-state.ts'

/* Steps that several events lead to. */

/** A panel stays until the form has a checkout; the toast is shown with the form. */
export function openForm(sale: SaleState, toast?: ToastContent): SaleState {
  const opening = { ...sale, polling: undefined, isOpening: true }
  if (sale.isOpening) return opening
  const isRepeated = sale.failedOpenings > 0
  return withEffects(opening, { type: 'open-form', toast, isRepeated })
}

export function openNewForm(sale: SaleState, toast?: ToastContent): SaleState {
  return openForm({ ...sale, submittedId: undefined }, toast)
}

/** The toast is shown only where there is a card form. */
export function unlockForm(sale: SaleState, toast: ToastContent | undefined): SaleState {
  const payment = unlock(sale.payment)
  const unlocked: SaleState = {
    ...sale,
    payment,
    polling: undefined,
    submittedId: undefined,
    wasConnectionLost: false,
  }
  return payment.state === 'ready' ? showToast(unlocked, toast) : unlocked
}

/** Unlocks the card form, or opens a new one where a panel has replaced it. */
export function returnToForm(sale: SaleState, toast: ToastContent | undefined): SaleState {
  const unlocked = unlockForm(sale, toast)
  return unlocked.payment.state === 'ready' ? unlocked : openForm(unlocked, toast)
}

/** One that was never heard from has failed when it does not do what it should. */
export function doubtForm(sale: SaleState): SaleState {
  return sale.form === 'assumed' ? { ...sale, form: 'failed' } : sale
}

export function showToast(sale: SaleState, toast: ToastContent | undefined): SaleState {
  return toast ? withEffects(sale, { type: 'toast', toast }) : sale
}

export function showPanel(sale: SaleState, panel: PanelState): SaleState {
  return { ...sale, payment: replaceForm(sale.payment, panel) }
}

/** Polls until the outcome is known. */
export function follow(sale: SaleState, checkoutId: string, options: FollowOptions): SaleState {
  return { ...sale, polling: { checkoutId, follow: options } }
}

/** For a card that no widget on this page can report about. */
export function followCard(
  sale: SaleState,
  checkoutId: string,
  options: FollowOptions = {},
): SaleState {
  return follow(showPanel(sale, { state: 'confirming', checkoutId }), checkoutId, options)
}

export function followAtBank(sale: SaleState, checkoutId: string, note?: string): SaleState {
  return follow(showPanel(sale, { state: 'at-bank', checkoutId, note }), checkoutId, {})
}

/** What an answer says about the outcome. Undefined while that is open. */
export function applyIfFinal(
  sale: SaleState,
  checkoutId: string,
  status: CheckoutStatus,
  providerMessage?: string,
): SaleState | undefined {
  switch (status.state) {
    case 'paid':
      return finish(sale, status.orderId)
    case 'review':
      return showReview(sale, status.reason, checkoutId)
    case 'too-many-cards':
      return stopCards(sale)
    case 'declined':
      return applyDecline(sale, checkoutId, providerMessage)
    case 'closed':
      return applyClosed(sale, checkoutId)
    case 'open':
    case 'waiting':
    case 'at-bank':
      return undefined
  }
}

/** What a refusal says about the sale, whichever call it answers. Undefined for any other error. */
export function applyRefusal(
  sale: SaleState,
  error: unknown,
  ownCheckoutId?: string,
): SaleState | undefined {
  const { code, orderId, reason, checkoutId = ownCheckoutId } = refusalOf(error)
  const isUnderWay = code === 'card-under-way' || code === 'already-paid'
  if (code === 'already-paid' && orderId) return finish(sale, orderId)
  if (code === 'payment-in-review') return showReview(sale, reason, checkoutId)
  if (code === 'too-many-cards') return stopCards(sale)
  if (code === 'card-at-bank' && checkoutId) return followAtBank(sale, checkoutId)
  if (isUnderWay && checkoutId) return followCard(sale, checkoutId, { isOtherPage: true })
  return undefined
}

export function finish(sale: SaleState, orderId: string): SaleState {
  const paid = { ...sale, polling: undefined, payment: { state: 'paid', orderId } as const }
  return withEffects(paid, { type: 'go-to-thank-you', orderId })
}

export function applyDecline(
  sale: SaleState,
  checkoutId: string,
  providerMessage: string | undefined,
): SaleState {
  return returnToForm(withoutUnknown(sale, checkoutId), messages.paymentFailed(providerMessage))
}

function applyClosed(sale: SaleState, checkoutId: string): SaleState {
  const checked = { ...withoutUnknown(sale, checkoutId), payment: startCheck(sale.payment) }
  const hasUnknownCard = checked.unknownCards.length > 0
  return openNewForm(checked, messages.paymentExpired({ hasUnknownCard }))
}

function showReview(
  sale: SaleState,
  reason: string | undefined,
  checkoutId: string | undefined,
): SaleState {
  // After a reload the server is asked for a form, and refuses it while the review lasts.
  const ended = { ...sale, polling: undefined, submittedId: undefined }
  const shown = showPanel(ended, { state: 'review', reason })
  if (!checkoutId) return shown
  const followed = follow(shown, checkoutId, { noCardMs: Infinity })
  // The card was faster than its details, which this page may still have.
  return reason === 'no-details'
    ? withEffects(followed, { type: 'save-details-late', checkoutId, isCardUnsent: false })
    : followed
}

/** A later load of the page starts a new sale. */
function stopCards(sale: SaleState): SaleState {
  const ended = { ...sale, polling: undefined, submittedId: undefined }
  return showPanel(ended, { state: 'too-many-cards' })
}

export function withUnknown(sale: SaleState, checkoutId: string): SaleState {
  const { unknownCards } = sale
  if (unknownCards.includes(checkoutId)) return sale
  return { ...sale, unknownCards: [...unknownCards, checkoutId] }
}

function withoutUnknown(sale: SaleState, checkoutId: string): SaleState {
  return { ...sale, unknownCards: sale.unknownCards.filter((id) => id !== checkoutId) }
}
