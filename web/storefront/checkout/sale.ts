import type { CheckoutStatus } from '#contract/checkouts.ts'
import { ApiError, refusalOf, refusalText } from '#web/api.ts'
import type { ToastContent } from '#web/ui/use-toast.ts'

import { findText } from './card-widget.ts'
import type { FreshCheckout } from './checkout-api.ts'
import { createCheckoutRenewal, isPageOutdated } from './checkout-renewal.ts'
import { decideFollow, type FollowOptions, noCardAfterErrorMs, steadyMs } from './follow-card.ts'
import * as messages from './messages.ts'
import { createPaymentStore, findCheckoutId, type PanelState } from './payment.ts'
import type { SaleDeps } from './sale-deps.ts'
import { createStatusPolling, hasNoCard, type PollResult } from './status-polling.ts'

/** How often the server is asked beside a working widget, because it may know the outcome first. */
const besideWidgetMs = 10_000
/** A widget that is silent for this long, while the server answers, does not recover. */
const widgetSilenceMs = 30_000
const minAnswersInSilence = 2
/** After a success the bank is often only a moment behind. */
const bankAfterSuccessMs = 5_000

export type Sale = ReturnType<typeof createSale>

/**
 * One sale on one page, from the first request to the order. Whatever the widget reports, the server's answer decides.
 * 'Payment failed' is only shown for a card that SumUp declined or never received.
 */
export function createSale(deps: SaleDeps) {
  const { api, widget, submittedCheckout } = deps
  const store = createPaymentStore()
  const { dispatch, getPayment } = store
  const polling = createStatusPolling(deps)
  const renewal = createCheckoutRenewal(deps, store)
  let opening: Promise<void> | undefined
  let lastWidgetEventMs = 0
  /** The card form itself refused the last card, so it was not sent. */
  let isCardUnsent = false
  /** Checkouts with a card whose outcome this page never learned. */
  const unknownCards = new Set<string>()

  /** After a reload with a submitted card, its outcome comes first. */
  function open(): Promise<void> {
    const checkoutId = submittedCheckout.find()
    return checkoutId ? followCard(checkoutId) : openForm()
  }

  /** A panel stays until the form has a checkout; the toast is shown with the form. */
  function openForm(toast?: ToastContent): Promise<void> {
    polling.stop()
    opening ??= mountForm(toast).finally(() => (opening = undefined))
    return opening
  }

  async function mountForm(toast: ToastContent | undefined): Promise<void> {
    let fresh: FreshCheckout | undefined
    try {
      ;[fresh] = await Promise.all([api.openCheckout(), widget.load()])
      if (fresh.visitorCountry) deps.suggestCountry(fresh.visitorCountry)
      dispatch({ type: 'reopened' })
      // A panel that says something else stays, without a form or a toast beside it.
      if (getPayment().state !== 'loading') return
      if (toast) deps.showToast(toast)
      await widget.mount(fresh.checkout, onWidgetEvent)
      if (dispatch({ type: 'opened', checkout: fresh.checkout })) renewal.schedule(fresh)
    } catch (error) {
      const reason = refusalText(error)
      if (applyRefusal(error) || (isPageOutdated(error) && deps.reloadPage(reason))) return
      widget.unmount()
      // A widget that rejects a checkout may know more about it than the server did.
      if (fresh && (await applyCurrentStatus(fresh.checkout.checkoutId))) return
      dispatch({ type: 'reopened' })
      if (dispatch({ type: 'load-failed', reason })) deps.showToast(messages.widgetError)
    }
  }

  /** Returns whether the checkout accepts no card any more, for a reason that the page now shows. */
  async function applyCurrentStatus(checkoutId: string): Promise<boolean> {
    const status = await polling.findStatus(checkoutId)
    if (!status || status.state === 'closed' || status.state === 'declined') return false
    if (status.state !== 'at-bank') return applyIfFinal(checkoutId, status)
    followAtBank(checkoutId)
    return true
  }

  /** The card is submitted only after the server has saved contact and delivery. */
  async function pay(): Promise<void> {
    if (!dispatch({ type: 'pay-pressed' })) return
    await renewal.waitUntilDone()
    const checkoutId = getPayment().state === 'saving' ? await saveDetails() : undefined
    if (!checkoutId) return
    submittedCheckout.save(checkoutId)
    dispatch({ type: 'submitted' })
    lastWidgetEventMs = deps.nowMs()
    // Before the card is submitted: a widget may report its outcome at once, which ends this polling.
    void pollBesideWidget(checkoutId)
    try {
      widget.submit()
    } catch {
      unlock(messages.submissionFailed)
    }
  }

  /** Returns the checkout that has the details now; an expired one is renewed once. */
  async function saveDetails(isExpired = false): Promise<string | undefined> {
    let checkoutId: string | undefined
    try {
      if (isExpired) await renewal.renew()
      checkoutId = findCheckoutId(getPayment())
      if (checkoutId) await api.saveDetails(checkoutId, deps.getDetails(), { isCardUnsent })
      isCardUnsent = false
      return checkoutId
    } catch (error) {
      const { code } = refusalOf(error)
      const isGone = code === 'checkout-expired' || code === 'payment-missing'
      if (isGone && !isExpired) return saveDetails(true)
      if (code === 'product-missing')
        replaceForm({ state: 'not-sold', hasUnknownCard: unknownCards.size > 0 })
      // Unlocked first, or the browser asks whether to leave a payment.
      else if (isPageOutdated(error) && unlock(undefined) && deps.reloadPage(refusalText(error)))
        return undefined
      else if (!applyRefusal(error, checkoutId)) unlock(messages.detailsNotSaved(refusalOf(error)))
      return undefined
    }
  }

  /** Returns false where no card form is on the page. */
  function unlock(toast: ToastContent | undefined): boolean {
    polling.stop()
    submittedCheckout.delete()
    dispatch({ type: 'unlocked' })
    const hasForm = getPayment().state === 'ready'
    if (hasForm && toast) deps.showToast(toast)
    return hasForm
  }

  function onWidgetEvent(type: string, body: unknown): void {
    lastWidgetEventMs = deps.nowMs()
    switch (type) {
      case 'sent':
        return onWidgetProgress('sent')
      case 'auth-screen':
        onWidgetProgress('challenge')
        return widget.scrollIntoView()
      case 'invalid':
        return onCardRefused()
      case 'success':
        return void placeOrder(body)
      case 'error':
      case 'fail':
        void onWidgetError(findText(body, 'message') ?? findText(body, 'detail'))
    }
  }

  /** The card form shows what is wrong with the card, which it did not send. */
  function onCardRefused(): void {
    const payment = getPayment()
    isCardUnsent ||= payment.state === 'submitted' && payment.progress === 'none'
    submittedCheckout.delete()
    if (dispatch({ type: 'unlocked' })) widget.scrollIntoView()
  }

  function onWidgetProgress(progress: 'sent' | 'challenge'): void {
    const before = getPayment()
    if (!dispatch({ type: 'widget-progressed', progress }) || before.state !== 'ready') return
    // The card was submitted inside the widget, past Pay now: the details are saved late rather than never.
    const { checkoutId } = before.checkout
    submittedCheckout.save(checkoutId)
    api.saveDetails(checkoutId, deps.getDetails(), { isCardUnsent }).catch(() => undefined)
    isCardUnsent = false
    void pollBesideWidget(checkoutId)
  }

  async function onWidgetError(providerMessage: string | undefined): Promise<void> {
    const payment = getPayment()
    const checkoutId = findCheckoutId(payment)
    if (!checkoutId || (payment.state !== 'submitted' && payment.state !== 'ready')) return
    // A form that was not submitted stays usable meanwhile.
    if (payment.state === 'submitted') dispatch({ type: 'check-started' })
    await follow(checkoutId, { noCardMs: noCardAfterErrorMs, providerMessage })
  }

  /** The widget's 'success' only means that SumUp answered: paid, declined, or not known yet. */
  async function placeOrder(body?: unknown): Promise<void> {
    const isRetry = getPayment().state === 'order-refused'
    const checkoutId = findCheckoutId(getPayment())
    const providerMessage = findText(body, 'message')
    if (!checkoutId) return
    if (isRetry) replaceForm({ state: 'confirming', checkoutId })
    else if (!dispatch({ type: 'check-started' })) return
    polling.stop()
    try {
      const transactionId = findText(body, 'transaction_id')
      const orderId = await api.placeOrder(checkoutId, deps.getDetails(), transactionId)
      if (orderId) return finish(orderId)
    } catch (error) {
      if (applyRefusal(error, checkoutId)) return
      const { code } = refusalOf(error)
      const status = error instanceof ApiError ? error.status : 0
      if (status === 402)
        return void applyIfFinal(checkoutId, { state: 'declined' }, providerMessage)
      if (code === 'checkout-expired') return void openNewForm(messages.orderFailed)
      // Another browser's, or one whose cookies were deleted: asking again changes nothing.
      if (code === 'payment-missing') return replaceForm({ state: 'not-found' })
      // 408 and 429 are temporary and say nothing about the payment; any other 4xx is final.
      if (status >= 400 && status < 500 && status !== 408 && status !== 429) {
        deps.showToast(messages.orderFailed)
        return replaceForm({ state: 'order-refused', checkoutId })
      }
      // The server creates the order by itself, so the page only waits for it.
    }
    const noCardMs = findText(body, 'status') === 'FAILED' ? noCardAfterErrorMs : Infinity
    await follow(checkoutId, { noCardMs, bankMs: bankAfterSuccessMs, providerMessage })
  }

  /** The widget may fall silent, or never return from the bank's page. */
  function pollBesideWidget(checkoutId: string): Promise<void> {
    return polling.start(checkoutId, (result) => onPollBesideWidget(checkoutId, result), {
      intervalMs: besideWidgetMs,
    })
  }

  function onPollBesideWidget(checkoutId: string, { status, answers }: PollResult): boolean {
    const payment = getPayment()
    if (payment.state !== 'submitted') return true
    if (!status) return false
    // The widget reports a decline itself.
    if (status.state !== 'declined' && applyIfFinal(checkoutId, status)) return true
    const isSilent =
      deps.nowMs() - lastWidgetEventMs >= widgetSilenceMs && payment.progress !== 'challenge'
    if (!isSilent || answers < minAnswersInSilence) return false
    if (payment.progress === 'none' && hasNoCard(status)) {
      unknownCards.add(checkoutId)
      unlock(messages.submissionFailed)
    } else void followCard(checkoutId, { noCardMs: steadyMs })
    return true
  }

  /** Polls until the outcome is known. */
  function follow(checkoutId: string, options: FollowOptions = {}): Promise<void> {
    return polling.start(checkoutId, (result) => onPoll(checkoutId, result, options))
  }

  function onPoll(checkoutId: string, result: PollResult, options: FollowOptions): boolean {
    const { isOtherPage, providerMessage } = options
    const step = decideFollow(getPayment(), result, options)
    switch (step) {
      case 'wait':
        return false
      case 'apply':
        return (
          result.status !== undefined && applyIfFinal(checkoutId, result.status, providerMessage)
        )
      case 'not-found':
        replaceForm({ state: 'not-found' })
        unknownCards.add(checkoutId)
        return true
      case 'no-card':
        if (!isOtherPage) unknownCards.add(checkoutId)
        returnToForm(isOtherPage ? undefined : messages.paymentFailed(providerMessage))
        return true
      case 'at-bank':
      case 'delayed':
        replaceForm({ state: step, checkoutId })
        return false
      case 'review-ended':
        dispatch({ type: 'review-ended', checkoutId })
        void follow(checkoutId)
        return true
    }
  }

  /** Returns false while the outcome is open. */
  function applyIfFinal(checkoutId: string, status: CheckoutStatus, message?: string): boolean {
    switch (status.state) {
      case 'paid':
        finish(status.orderId)
        break
      case 'review':
        showReview(status.reason, checkoutId)
        break
      case 'too-many-cards':
        stopCards()
        break
      case 'declined':
        unknownCards.delete(checkoutId)
        returnToForm(messages.paymentFailed(message))
        break
      case 'closed':
        unknownCards.delete(checkoutId)
        dispatch({ type: 'check-started' })
        void openNewForm(messages.paymentExpired({ hasUnknownCard: unknownCards.size > 0 }))
        break
      case 'open':
      case 'waiting':
      case 'at-bank':
        return false
    }
    return true
  }

  /** Handles refusals that describe the state of the sale, whichever call they answer. Returns false for any other error. */
  function applyRefusal(error: unknown, ownCheckoutId?: string): boolean {
    const { code, orderId, reason, checkoutId = ownCheckoutId } = refusalOf(error)
    const isUnderWay = code === 'card-under-way' || code === 'already-paid'
    if (code === 'already-paid' && orderId) finish(orderId)
    else if (code === 'payment-in-review') showReview(reason, checkoutId)
    else if (code === 'too-many-cards') stopCards()
    else if (code === 'card-at-bank' && checkoutId) followAtBank(checkoutId)
    else if (isUnderWay && checkoutId) void followCard(checkoutId, { isOtherPage: true })
    else return false
    return true
  }

  function finish(orderId: string): void {
    polling.stop()
    if (dispatch({ type: 'paid', orderId })) deps.goToThankYou(orderId)
  }

  /** Unlocks the card form, or opens a new one where a panel has replaced it. */
  function returnToForm(toast: ToastContent | undefined): void {
    if (!unlock(toast)) void openForm(toast)
  }

  function openNewForm(toast?: ToastContent): Promise<void> {
    submittedCheckout.delete()
    return openForm(toast)
  }

  /** For a card that no widget on this page can report about. */
  function followCard(checkoutId: string, options: FollowOptions = {}): Promise<void> {
    replaceForm({ state: 'confirming', checkoutId })
    return follow(checkoutId, options)
  }

  function followAtBank(checkoutId: string, note?: string): void {
    replaceForm({ state: 'at-bank', checkoutId, note })
    void follow(checkoutId)
  }

  function showReview(reason: string | undefined, checkoutId: string | undefined): void {
    polling.stop()
    // After a reload the server is asked for a form, and refuses it while the review lasts.
    submittedCheckout.delete()
    replaceForm({ state: 'review', reason })
    if (!checkoutId) return
    // The card was faster than its details, which this page may still have.
    if (reason === 'no-details')
      api.saveDetails(checkoutId, deps.getDetails(), { isCardUnsent: false }).catch(() => undefined)
    void follow(checkoutId, { noCardMs: Infinity })
  }

  /** A later load of the page starts a new sale. */
  function stopCards(): void {
    polling.stop()
    submittedCheckout.delete()
    replaceForm({ state: 'too-many-cards' })
  }

  function replaceForm(by: PanelState): void {
    if (dispatch({ type: 'form-replaced', by })) widget.unmount()
  }

  /** The button of a panel, or of a card form that did not load. */
  async function tryAgain(): Promise<void> {
    const payment = getPayment()
    if (payment.state === 'order-refused') return placeOrder()
    if (payment.state === 'at-bank') return startOver(payment.checkoutId)
    if (payment.state === 'load-failed') dispatch({ type: 'reopened' })
    else if (payment.state !== 'not-found') return
    await openNewForm()
  }

  /** Only the server, after asking SumUp, knows whether the card at the bank is cancelled. */
  async function startOver(checkoutId: string): Promise<void> {
    replaceForm({ state: 'starting-over' })
    polling.stop()
    try {
      await api.startOver(checkoutId)
    } catch (error) {
      const { code } = refusalOf(error)
      if (code === 'card-at-bank') followAtBank(checkoutId, messages.bankNotes.stillAtBank)
      else if (code === 'payment-missing') replaceForm({ state: 'not-found' })
      else if (!applyRefusal(error, checkoutId))
        followAtBank(checkoutId, messages.bankNotes.unavailable)
      return
    }
    await openNewForm()
  }

  /** The page is visible again, perhaps after the device slept. */
  function refresh(): void {
    renewal.renewIfDue()
    polling.pollNow()
  }

  return { getPayment, subscribe: store.subscribe, open, pay, tryAgain, refresh }
}
