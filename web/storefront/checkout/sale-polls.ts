import { decideFollow, steadyMs } from './follow-card.ts'
import * as messages from './messages.ts'
import { startCheck } from './payment.ts'
import { onPolledWhileChoosing, waitInWidget } from './sale-others.ts'
import type { SaleEvent, SaleState } from './sale-state.ts'
import {
  applyIfFinal,
  doubtForm,
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
  const { payment, polling } = before
  // Beside a widget that works, a connection that is back has cost nothing.
  const wasLost = before.wasConnectionLost && polling?.follow !== undefined
  const sale = { ...before, wasConnectionLost: event.result.isUnanswered || wasLost }
  if (payment.state === 'choosing') return onPolledWhileChoosing(sale, event)
  return polling?.follow ? onPolledAlone(sale, event) : onPolledBesideWidget(sale, event)
}

function onPolledBesideWidget(sale: SaleState, { result, atMs }: Polled): SaleState {
  const { payment, polling, lastWidgetEventMs } = sale
  const { status, answers } = result
  if (!polling || payment.state !== 'submitted') return { ...sale, polling: undefined }
  if (!status) return sale
  const { checkoutId } = polling
  // The widget reports the decline of a card itself.
  const isLeftToWidget = status.state === 'declined' && !payment.isOther
  const checked = payment.isOther ? { ...sale, payment: startCheck(payment) } : sale
  const applied = isLeftToWidget ? undefined : applyIfFinal(checked, checkoutId, status)
  if (applied) return applied
  if (payment.isOther && status.state === 'at-bank')
    return { ...sale, payment: waitInWidget(payment) }
  const isSilent = atMs - lastWidgetEventMs >= widgetSilenceMs && payment.progress !== 'challenge'
  if (!isSilent || answers < minAnswersInSilence) return sale
  return payment.progress === 'none' && hasNoCard(status)
    ? unlockForm(doubtForm(withUnknown(sale, checkoutId)), messages.submissionFailed())
    : followCard(sale, checkoutId, { noCardMs: steadyMs })
}

function onPolledAlone(sale: SaleState, { result }: Polled): SaleState {
  const { checkoutId, follow: options } = sale.polling ?? {}
  if (!checkoutId || !options) return sale
  const { isOtherPage, providerMessage } = options
  const { wasConnectionLost } = sale
  const decision = decideFollow(sale.payment, result, { ...options, wasConnectionLost })
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
