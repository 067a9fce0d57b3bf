import type { OpenCheckout } from '#contract/checkouts.ts'
import type { ToastContent } from '#web/ui/use-toast.ts'

import { findMethodTexts } from '#web/storefront/shell/language.ts'

import * as messages from './messages.ts'
import { startCheck } from './payment.ts'
import { type SaleEvent, withEffects, type SaleState } from './sale-state.ts'
import { applyIfFinal, followAtBank, followCard, openNewForm, withUnknown } from './sale-steps.ts'

/* Other ways to pay than the card: a wallet in the widget, or a page elsewhere that leads back here. */

/** Only now that the server has contact and delivery. The page may be left without a word, so it is remembered first. */
export function chooseOther(sale: SaleState, checkout: OpenCheckout): SaleState {
  const { checkoutId } = checkout
  const choosing: SaleState = {
    ...sale,
    payment: { state: 'choosing', checkout },
    polling: { checkoutId, isOwn: true },
    submittedId: checkoutId,
  }
  return withEffects(choosing, { type: 'mount-others' }, { type: 'scroll-to-form' })
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
  { result: { status, isReplaced } }: Extract<SaleEvent, { type: 'polled' }>,
): SaleState {
  const { payment } = sale
  // What is shown here is no longer what would be delivered.
  if (isReplaced) return closeOthers(sale, messages.lookAgain(findMethodTexts()?.replaced))
  if (payment.state !== 'choosing' || !status) return sale
  const { checkoutId } = payment.checkout
  const checked = { ...sale, payment: startCheck(payment) }
  const applied = applyIfFinal(checked, checkoutId, status)
  if (applied) return applied
  // Begun in another tab, or here without a word of the widget: nothing else may be paid then.
  if (status.state === 'at-bank') return followAtBank(sale, checkoutId)
  const isUnclear = status.state === 'waiting' && status.reason === 'unclear'
  return isUnclear ? followCard(sale, checkoutId) : sale
}

/** The widget led elsewhere, and the buyer went back: what is on the page says nothing of what happened there. */
export function onRestored(sale: SaleState): SaleState {
  const { payment } = sale
  const mayHavePaid = payment.state === 'choosing' || payment.state === 'submitted'
  // What was asked when the page was left has no answer, whatever the network.
  const restored = { ...sale, wasConnectionLost: false }
  return mayHavePaid ? followCard(restored, payment.checkout.checkoutId) : sale
}
