import { ApiError, refusalOf } from '#web/api.ts'
import { describeRefusal } from '#web/storefront/shell/describe-refusal.ts'

import { findText } from './card-widget.ts'
import { isPageOutdated } from './checkout-renewal.ts'
import { isFinalRefusal } from './connection.ts'
import { noCardAfterErrorMs, steadyMs } from './follow-card.ts'
import * as messages from './messages.ts'
import { chooseOther, closeOthers, onRestored } from './sale-others.ts'
import {
  isAnswerable,
  notSoldCodes,
  progressTo,
  renew,
  reopen,
  showsOthers,
  startCheck,
  unlock,
  type WidgetProgress,
} from './payment.ts'
import { onPolled } from './sale-polls.ts'
import { type OrderAttempt, withEffects, type SaleEvent, type SaleState } from './sale-state.ts'
import {
  applyDecline,
  applyIfFinal,
  applyRefusal,
  doubtForm,
  finish,
  follow,
  followAtBank,
  followCard,
  openForm,
  openNewForm,
  showPanel,
  showToast,
  unlockForm,
} from './sale-steps.ts'

/** After a success the bank is often only a moment behind. */
const bankAfterSuccessMs = 5_000

/**
 * One sale on one page, from the first request to the order. Whatever the widget reports, the server's answer decides.
 * 'Payment failed' is only shown for a card that SumUp declined or never received.
 */
export function reduceSale(before: SaleState, event: SaleEvent): SaleState {
  const sale = { ...before, effects: [] }
  return sale.payment.state === 'paid' ? sale : replaceFailedForm(applyEvent(sale, event))
}

function applyEvent(sale: SaleState, event: SaleEvent): SaleState {
  const { payment } = sale
  switch (event.type) {
    case 'page-opened':
      return onPageOpened(sale, event)
    case 'checkout-opened':
      return mountForm(sale, event)
    case 'form-mounted':
      return onFormMounted({ ...sale, isOpening: false }, event)
    case 'methods-loaded':
      return { ...sale, otherMethods: event.methods }
    case 'form-failed':
      return onFormFailed({ ...sale, isOpening: false }, event)
    case 'reopening-due':
      return payment.state === 'load-failed' ? openForm(sale) : sale
    case 'price-changed':
      return onPriceChanged(sale)
    case 'renewed':
      return { ...sale, payment: renew(payment, event.checkout) }
    case 'renewal-refused':
      return { ...sale, payment: unlock(payment) }
    case 'pay-pressed':
      return pay(sale, event)
    case 'details-saved':
      return onDetailsSaved({ ...sale, isCardUnsent: false, wasConnectionLost: false }, event)
    case 'details-refused':
      return onDetailsRefused(sale, event)
    case 'submission-failed':
      return unlockForm(doubtForm(sale), messages.submissionFailed())
    case 'widget-reported':
      return onWidgetReport({ ...sale, lastWidgetEventMs: event.atMs }, event)
    case 'back-pressed':
      return closeOthers(sale)
    case 'others-failed':
      return closeOthers(sale, messages.submissionFailed())
    case 'page-restored':
      return onRestored(sale)
    case 'order-answered':
      return event.orderId ? finish(sale, event.orderId) : waitForOrder(sale, event.attempt)
    case 'order-refused':
      return onOrderRefused(sale, event)
    case 'polled':
      return onPolled(sale, event)
    case 'try-again-pressed':
      return tryAgain(sale)
    case 'bank-page-lost':
      return payment.state === 'submitted' ? followAtBank(sale, payment.checkout.checkoutId) : sale
    case 'started-over':
      return openNewForm(sale)
    case 'start-over-refused':
      return onStartOverRefused(sale, event)
  }
}

type EventOf<Type extends SaleEvent['type']> = Extract<SaleEvent, { type: Type }>

/* The card form */

/** After a reload with a submitted card, its outcome comes first. Who was led back is done elsewhere, in this tab or not. */
function onPageOpened(
  sale: SaleState,
  { submittedId: ownId, returnedId }: EventOf<'page-opened'>,
): SaleState {
  const submittedId = ownId ?? returnedId
  if (!submittedId) return openForm(sale)
  const options = submittedId === returnedId ? { noCardMs: steadyMs } : {}
  return followCard({ ...sale, submittedId }, submittedId, options)
}

/** A panel that says something else stays, without a form or a toast beside it. */
function mountForm(sale: SaleState, { fresh, toast }: EventOf<'checkout-opened'>): SaleState {
  const payment = reopen(sale.payment)
  if (payment.state !== 'loading') return { ...sale, isOpening: false }
  return withEffects(showToast({ ...sale, payment }, toast), { type: 'mount-form', fresh })
}

function onFormMounted(sale: SaleState, { checkout, form }: EventOf<'form-mounted'>): SaleState {
  if (sale.payment.state !== 'loading') return sale
  const ready = { ...sale, payment: { state: 'ready', checkout }, form } as const
  // One that may still fail ends no row of failures.
  return form === 'loaded' ? trustForm(ready) : ready
}

function trustForm(sale: SaleState): SaleState {
  return { ...sale, form: 'loaded', failedOpenings: 0 }
}

/** As soon as nothing is under way in it. */
function replaceFailedForm(sale: SaleState): SaleState {
  const { payment, form } = sale
  if (payment.state !== 'ready' || form !== 'failed') return sale
  const { checkoutId } = payment.checkout
  const loading: SaleState = {
    ...sale,
    payment: { state: 'loading' },
    polling: undefined,
    isOpening: true,
  }
  return withEffects(loading, { type: 'give-up-form', checkoutId })
}

function onFormFailed(
  sale: SaleState,
  { error, rejected, lacksCountry }: EventOf<'form-failed'>,
): SaleState {
  const known = rejected ? applyRejected(sale, rejected) : applyRefusal(sale, error)
  if (known || reopen(sale.payment).state !== 'loading') return known ?? sale
  if (lacksCountry) return { ...sale, payment: { state: 'no-price' } }
  const why = notSoldCodes.find((code) => code === refusalOf(error).code)
  // The page is shown all the same, also when it is loaded again: for the sake of an earlier payment.
  if (why) return showPanel(sale, { state: 'not-sold', why, hasUnknownCard: true })
  const payment = { state: 'load-failed', reason: describeRefusal(error) } as const
  const failedOpenings = sale.failedOpenings + 1
  const failed = { ...sale, payment, failedOpenings }
  const told = failedOpenings === 1 ? showToast(failed, messages.widgetError()) : failed
  // A refusal stays as it is; a network comes back.
  const isLasting = error instanceof ApiError
  return isLasting ? told : withEffects(told, { type: 'reopen-later', failedOpenings })
}

/** While a card may be charged nothing is replaced, and the fields are locked. */
function onPriceChanged(sale: SaleState): SaleState {
  const { payment } = sale
  if (payment.state === 'ready') return withEffects(sale, { type: 'replace-checkout' })
  const isWithoutForm = payment.state === 'no-price' || payment.state === 'load-failed'
  return isWithoutForm ? openForm({ ...sale, payment: reopen(payment) }) : sale
}

/** Undefined if the checkout is as a form needs it, or over. */
function applyRejected(
  sale: SaleState,
  { checkoutId, status }: NonNullable<EventOf<'form-failed'>['rejected']>,
): SaleState | undefined {
  if (!status || status.state === 'closed' || status.state === 'declined') return undefined
  if (status.state === 'at-bank') return followAtBank(sale, checkoutId)
  return applyIfFinal(sale, checkoutId, status)
}

/* Pay now */

function pay(sale: SaleState, { isOther }: EventOf<'pay-pressed'>): SaleState {
  const { payment } = sale
  if (payment.state !== 'ready') return sale
  const { checkout } = payment
  const saving = { state: 'saving', checkout, ...(isOther && { isOther }) } as const
  // What is still asked about an error before would answer for this card, and a form that fails now is said.
  const pressed = { ...sale, payment: saving, polling: undefined, failedOpenings: 0 }
  return withEffects(pressed, { type: 'save-details', renewsFirst: false })
}

/** Only now that the server has contact and delivery. */
function onDetailsSaved(
  sale: SaleState,
  { checkoutId, atMs }: EventOf<'details-saved'>,
): SaleState {
  const { payment } = sale
  if (payment.state !== 'saving') return sale
  if (payment.isOther) return chooseOther(sale, payment.checkout)
  if (sale.form === 'failed') return { ...sale, payment: unlock(payment), isCardUnsent: true }
  const submitted: SaleState = {
    ...sale,
    payment: { state: 'submitted', checkout: payment.checkout, progress: 'none' },
    polling: { checkoutId },
    submittedId: checkoutId,
    lastWidgetEventMs: atMs,
  }
  return withEffects(submitted, { type: 'submit-card' })
}

/** Another checkout is needed for what the page shows. */
const goneCodes = ['checkout-expired', 'payment-missing', 'terms-changed']

function onDetailsRefused(
  sale: SaleState,
  { error, checkoutId, isRenewed }: EventOf<'details-refused'>,
): SaleState {
  const refusal = refusalOf(error)
  const isGone = goneCodes.includes(refusal.code ?? '')
  if (isGone && !isRenewed) return withEffects(sale, { type: 'save-details', renewsFirst: true })
  const why = notSoldCodes.find((code) => code === refusal.code)
  // The page of a paused product says more.
  if (why && why !== 'product-paused') {
    const hasUnknownCard = sale.unknownCards.length > 0
    return showPanel(sale, { state: 'not-sold', why, hasUnknownCard })
  }
  if (refusal.code === 'value-sold-out') {
    const toast = messages.lookAgain(describeRefusal(error))
    return withEffects(unlockForm(sale, toast), { type: 'mark-sold-out' })
  }
  const otherwise = messages.detailsNotSaved(refusal)
  if (!isPageOutdated(error))
    return applyRefusal(sale, error, checkoutId) ?? unlockForm(sale, otherwise)
  // Unlocked first, or the browser asks whether to leave a payment.
  const unlocked = unlockForm(sale, undefined)
  if (unlocked.payment.state !== 'ready') return unlocked
  return withEffects(unlocked, { type: 'reload-page', reason: describeRefusal(error), otherwise })
}

/* The widget */

function onWidgetReport(before: SaleState, { name, body }: EventOf<'widget-reported'>): SaleState {
  const isError = name === 'error' || name === 'fail'
  const sale = isError ? doubtForm(before) : trustForm(before)
  switch (name) {
    case 'sent':
      return onProgress(sale, 'sent')
    case 'auth-screen':
      return withEffects(onProgress(sale, 'challenge'), { type: 'scroll-to-form' })
    case 'invalid':
      return onCardRefused(sale)
    case 'success':
      return placeOrder(sale, body)
    case 'error':
    case 'fail':
      return onWidgetError(sale, body)
    default:
      return sale
  }
}

function onProgress(sale: SaleState, progress: WidgetProgress): SaleState {
  const { payment, isCardUnsent } = sale
  const progressed = { ...sale, payment: progressTo(payment, progress) }
  if (payment.state !== 'ready') return progressed
  // The card was submitted inside the widget, past Pay now: the details are saved late rather than never.
  const { checkoutId } = payment.checkout
  const submitted = {
    ...progressed,
    polling: { checkoutId },
    submittedId: checkoutId,
    isCardUnsent: false,
  }
  return withEffects(submitted, { type: 'save-details-late', checkoutId, isCardUnsent })
}

/** The card form shows what is wrong with the card, which it did not send. */
function onCardRefused(sale: SaleState): SaleState {
  const { payment, polling } = sale
  if (showsOthers(payment)) return sale
  const isOnlySaved = payment.state === 'submitted' && payment.progress === 'none'
  const unlocked: SaleState = {
    ...sale,
    payment: unlock(payment),
    polling: polling?.follow && polling,
    submittedId: undefined,
    isCardUnsent: sale.isCardUnsent || isOnlySaved,
  }
  return unlocked.payment === payment ? unlocked : withEffects(unlocked, { type: 'scroll-to-form' })
}

/** A form that was not submitted stays usable meanwhile. */
function onWidgetError(before: SaleState, report: unknown): SaleState {
  const { payment } = before
  if (!isAnswerable(payment)) return before
  const said = findText(report, 'message') ?? findText(report, 'detail')
  const isLost = lostRequest.test(said ?? '')
  // A reason of SumUp's is an answer: nothing was lost.
  const wasConnectionLost = isLost || (said === undefined && before.wasConnectionLost)
  const sale = { ...before, wasConnectionLost }
  const checked = payment.state === 'ready' ? sale : { ...sale, payment: startCheck(payment) }
  // What the browser says of its network is no reason of SumUp's.
  const providerMessage = isLost ? undefined : said
  const options = { noCardMs: noCardAfterErrorMs, providerMessage }
  return follow(checked, payment.checkout.checkoutId, options)
}

/** What Chromium, Firefox, WebKit and widely used libraries say of a request without an answer. */
const lostRequest = /^(failed to fetch|networkerror|network error|load failed)/i

/* The order */

/** The widget's 'success' only means that SumUp answered: paid, declined, or not known yet. */
function placeOrder(sale: SaleState, report: unknown): SaleState {
  const { payment } = sale
  if (!isAnswerable(payment)) return sale
  const { checkoutId } = payment.checkout
  const checking = { ...sale, payment: startCheck(payment), polling: undefined }
  const attempt = { checkoutId, report }
  return withEffects(checking, { type: 'place-order', attempt })
}

/** The server creates the order by itself, so the page only waits for it. */
function waitForOrder(sale: SaleState, { checkoutId, report }: OrderAttempt): SaleState {
  return follow(sale, checkoutId, {
    noCardMs: findText(report, 'status') === 'FAILED' ? noCardAfterErrorMs : Infinity,
    bankMs: bankAfterSuccessMs,
    providerMessage: findText(report, 'message'),
  })
}

function onOrderRefused(sale: SaleState, { attempt, error }: EventOf<'order-refused'>): SaleState {
  const { checkoutId, report } = attempt
  const refused = applyRefusal(sale, error, checkoutId)
  if (refused) return refused
  const { code } = refusalOf(error)
  const status = error instanceof ApiError ? error.status : 0
  if (status === 402) return applyDecline(sale, checkoutId, findText(report, 'message'))
  if (code === 'checkout-expired') return openNewForm(sale, messages.orderFailed())
  // Another browser's, or one whose cookies were deleted: asking again changes nothing.
  if (code === 'payment-missing') return showPanel(sale, { state: 'not-found' })
  if (!isFinalRefusal(error)) return waitForOrder(sale, attempt)
  return showPanel(showToast(sale, messages.orderFailed()), { state: 'order-refused', checkoutId })
}

/* Trying again */

function tryAgain(sale: SaleState): SaleState {
  const { payment } = sale
  if (payment.state === 'order-refused') return placeOrderAgain(sale, payment.checkoutId)
  if (payment.state === 'at-bank') return startOver(sale, payment.checkoutId)
  if (payment.state === 'load-failed')
    return openNewForm({ ...sale, payment: reopen(payment), failedOpenings: 0 })
  return payment.state === 'not-found' ? openNewForm(sale) : sale
}

function placeOrderAgain(sale: SaleState, checkoutId: string): SaleState {
  const confirming = showPanel(sale, { state: 'confirming', checkoutId })
  const attempt = { checkoutId, report: undefined }
  return withEffects({ ...confirming, polling: undefined }, { type: 'place-order', attempt })
}

/** Only the server, after asking SumUp, knows whether the card at the bank is cancelled. */
function startOver(sale: SaleState, checkoutId: string): SaleState {
  const waiting = showPanel(sale, { state: 'starting-over' })
  return withEffects({ ...waiting, polling: undefined }, { type: 'start-over', checkoutId })
}

function onStartOverRefused(
  sale: SaleState,
  { checkoutId, error }: EventOf<'start-over-refused'>,
): SaleState {
  const { code } = refusalOf(error)
  const { stillAtBank, unavailable } = messages.bankNotes()
  if (code === 'card-at-bank') return followAtBank(sale, checkoutId, stillAtBank)
  if (code === 'payment-missing') return showPanel(sale, { state: 'not-found' })
  return applyRefusal(sale, error, checkoutId) ?? followAtBank(sale, checkoutId, unavailable)
}
