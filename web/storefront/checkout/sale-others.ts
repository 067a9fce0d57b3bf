import type { OpenCheckout } from '#contract/checkouts.ts'
import type { ToastContent } from '#web/ui/use-toast.ts'

import { findMethodTexts } from '#web/storefront/shell/language.ts'

import * as messages from './messages.ts'
import { type Payment, progressTo, startCheck } from './payment.ts'
import { type SaleEvent, withEffects, type SaleState } from './sale-state.ts'
import { applyIfFinal, followCard, openNewForm, showPanel, withUnknown } from './sale-steps.ts'

/* Other ways to pay than the card: a wallet in the widget, or a page elsewhere that leads back here. */

/** Only now that the server has contact and delivery. The page may be left without a word, so it is remembered first. */
export function chooseOther(sale: SaleState, checkout: OpenCheckout): SaleState {
  const { checkoutId } = checkout
  const choosing: SaleState = {
    ...sale,
    payment: { state: 'choosing', checkout },
    polling: { checkoutId },
    submittedId: checkoutId,
  }
  return withEffects(choosing, { type: 'mount-others' })
}

/** Back to the card form, while nothing was sent. The server asks SumUp whether that is so before it gives one. */
export function closeOthers(sale: SaleState, toast?: ToastContent): SaleState {
  const { payment } = sale
  if (payment.state !== 'choosing') return sale
  // A wallet may have been opened without a word of the widget.
  const known = withUnknown(sale, payment.checkout.checkoutId)
  const loading: SaleState = { ...known, payment: { state: 'loading' } }
  return openNewForm(withEffects(loading, { type: 'remove-form' }), toast)
}

/** The server may know the outcome first, or that something is under way of which the widget said nothing. */
export function onPolledWhileChoosing(
  sale: SaleState,
  { result: { status, isReplaced, isNotFound } }: Extract<SaleEvent, { type: 'polled' }>,
): SaleState {
  const { payment } = sale
  // What is shown here is no longer what would be delivered.
  if (isReplaced) return closeOthers(sale, messages.lookAgain(findMethodTexts()?.replaced))
  if (payment.state !== 'choosing') return sale
  const { checkoutId } = payment.checkout
  // Nothing may be paid that this browser could not follow, and something may have been: the widget need not say so.
  if (isNotFound) {
    const ended = { ...withUnknown(sale, checkoutId), polling: undefined }
    return showPanel(ended, { state: 'not-found' })
  }
  if (!status) return sale
  const checked = { ...sale, payment: startCheck(payment) }
  const applied = applyIfFinal(checked, checkoutId, status)
  if (applied) return applied
  if (status.state === 'at-bank') return { ...sale, payment: waitInWidget(payment) }
  const isUnclear = status.state === 'waiting' && status.reason === 'unclear'
  return isUnclear ? followCard(sale, checkoutId) : sale
}

/**
 * The payment is under way in this widget, which may not have said so: what it shows may be what the buyer pays with, such
 * as a QR code, and stays.
 */
export function waitInWidget(payment: Payment): Payment {
  return progressTo(payment, 'challenge')
}

/** The widget led elsewhere, and the buyer went back: what is on the page says nothing of what happened there. */
export function onRestored(sale: SaleState): SaleState {
  const { payment } = sale
  const hasWidget = payment.state === 'choosing' || payment.state === 'submitted'
  if (!hasWidget || !payment.checkout.mayLeavePage) return sale
  // What was asked when the page was left has no answer, whatever the network.
  const restored = { ...sale, wasConnectionLost: false }
  return followCard(restored, payment.checkout.checkoutId)
}
