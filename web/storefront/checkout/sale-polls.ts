import { decideFollow, steadyMs } from './follow-card.ts'
import * as messages from './messages.ts'
import { onPolledWhileChoosing } from './sale-others.ts'
import type { SaleEvent, SaleState } from './sale-state.ts'
import {
  applyIfFinal,
  follow,
  followCard,
  returnToForm,
  showPanel,
  unlockForm,
  withUnknown,
} from './sale-steps.ts'
import { hasNoCard } from './status-polling.ts'

/* What the server's answers about a card mean for the page. */

type Polled = Extract<SaleEvent, { type: 'polled' }>

/** A widget that is silent for this long, while the server answers, does not recover. */
const widgetSilenceMs = 30_000
const minAnswersInSilence = 2

/** The server has answered, or has not. */
export function onPolled(before: SaleState, event: Polled): SaleState {
  const { isUnanswered } = event.result
  // Nothing is under way while the buyer chooses: a connection that is back has cost nothing.
  if (before.payment.state === 'choosing')
    return onPolledWhileChoosing({ ...before, wasConnectionLost: isUnanswered }, event)
  const sale = isUnanswered ? { ...before, wasConnectionLost: true } : before
  return sale.polling?.follow ? onPolledAlone(sale, event) : onPolledBesideWidget(sale, event)
}

function onPolledBesideWidget(sale: SaleState, { result, atMs }: Polled): SaleState {
  const { payment, polling, lastWidgetEventMs } = sale
  const { status, answers } = result
  if (!polling || payment.state !== 'submitted') return { ...sale, polling: undefined }
  if (!status) return sale
  const { checkoutId } = polling
  // The widget reports a decline itself.
  const isDeclined = status.state === 'declined'
  const applied = isDeclined ? undefined : applyIfFinal(sale, checkoutId, status)
  if (applied) return applied
  const isSilent = atMs - lastWidgetEventMs >= widgetSilenceMs && payment.progress !== 'challenge'
  if (!isSilent || answers < minAnswersInSilence) return sale
  return payment.progress === 'none' && hasNoCard(status)
    ? unlockForm(withUnknown(sale, checkoutId), messages.submissionFailed())
    : followCard(sale, checkoutId, { noCardMs: steadyMs })
}

function onPolledAlone(sale: SaleState, { result }: Polled): SaleState {
  const { checkoutId, follow: options } = sale.polling ?? {}
  if (!checkoutId || !options) return sale
  const { isOtherPage, providerMessage } = options
  const decision = decideFollow(sale.payment, result, options)
  switch (decision) {
    case 'wait':
      return sale
    case 'apply': {
      const { status } = result
      return (status && applyIfFinal(sale, checkoutId, status, providerMessage)) ?? sale
    }
    case 'not-found': {
      const ended = { ...withUnknown(sale, checkoutId), polling: undefined }
      return showPanel(ended, { state: 'not-found' })
    }
    case 'no-card':
      return isOtherPage
        ? returnToForm(sale, undefined)
        : returnToForm(
            withUnknown(sale, checkoutId),
            sale.wasConnectionLost
              ? messages.connectionLost()
              : messages.noPayment(providerMessage),
          )
    case 'at-bank':
    case 'delayed':
      return showPanel(sale, { state: decision, checkoutId })
    case 'review-ended':
      return follow({ ...sale, payment: { state: 'confirming', checkoutId } }, checkoutId, {})
  }
}
