import { createRandomId, refusalOf } from '#web/api.ts'
import { describeRefusal } from '#web/storefront/shell/describe-refusal.ts'

import { findText } from './card-widget.ts'
import type { FreshCheckout } from './checkout-api.ts'
import { createCheckoutRenewal, isPageOutdated } from './checkout-renewal.ts'
import { isUnanswered } from './connection.ts'
import { isWithoutForm, type Payment } from './payment.ts'
import type { SaleDeps } from './sale-deps.ts'
import { reduceSale } from './sale-reducer.ts'
import {
  type Effect,
  type EffectOf,
  newSale,
  type OrderAttempt,
  type Polling,
  type SaleEvent,
} from './sale-state.ts'
import { createStatusPolling, type PollResult } from './status-polling.ts'

/** So long a choice must stand before the checkout is replaced: arrow keys step through a list of countries. */
const choiceMs = 400

/** How often the server is asked beside a working widget, because it may know the outcome first. */
const besideWidgetMs = 10_000

/** After this nothing is sent by itself, also if the device slept meanwhile: the buyer may have gone away. */
const maxRepeatMs = 2 * 60_000
const repeatDelayMs = 3_000
const maxReopenDelayMs = 60_000

export type Sale = ReturnType<typeof createSale>

/** Runs one sale on one page: `reduceSale` decides what follows from an event, and here it is done. */
export function createSale(deps: SaleDeps) {
  const { api, widget, submittedCheckout } = deps
  let sale = newSale
  const listeners = new Set<() => void>()
  const getPayment = () => sale.payment
  const polling = createStatusPolling(deps)
  const renewal = createCheckoutRenewal(deps, { getPayment, dispatch })
  let choices = 0
  let reopenings = 0
  const waiting = new Set<() => void>()

  /** Resolves when the effects are done, but for polling, which goes on, and what is due later. */
  async function dispatch(event: SaleEvent): Promise<void> {
    const before = sale
    const next = reduceSale(before, event)
    sale = next
    if (next.payment !== before.payment) showPayment(next.payment)
    else if (next.otherMethods !== before.otherMethods) notify()
    if (next.polling !== before.polling) poll(next.polling)
    if (next.submittedId !== before.submittedId) rememberSubmitted(next.submittedId)
    await Promise.all(next.effects.map(run))
  }

  function notify(): void {
    for (const listener of listeners) listener()
  }

  function showPayment(payment: Payment): void {
    notify()
    if (isWithoutForm(payment)) widget.unmount()
  }

  function rememberSubmitted(checkoutId: string | undefined): void {
    if (checkoutId) submittedCheckout.save(checkoutId)
    else submittedCheckout.delete()
  }

  function poll(wanted: Polling | undefined): void {
    if (!wanted) return polling.stop()
    const intervalMs = wanted.follow ? undefined : besideWidgetMs
    const onResult = (result: PollResult) =>
      void dispatch({ type: 'polled', result, atMs: deps.nowMs() })
    // Only what this page saved may be chosen to be paid here. Once it is, it is followed whoever saves what.
    const isOwn = () => sale.payment.state === 'choosing'
    void polling.start(wanted.checkoutId, onResult, { intervalMs, isOwn })
  }

  async function run(effect: Effect): Promise<void> {
    switch (effect.type) {
      case 'open-form':
        return openForm(effect)
      case 'reopen-later':
        void reopenLater(effect.failedOpenings)
        return
      case 'mount-form':
        return mountForm(effect.fresh)
      case 'mount-others':
        return mountOthers()
      case 'remove-form':
        return widget.unmount()
      case 'give-up-form':
        return giveUpForm(effect.checkoutId)
      case 'replace-checkout':
        return renewal.keepCurrent()
      case 'scroll-to-form':
        return widget.scrollIntoView()
      case 'save-details':
        return saveDetails(effect)
      case 'save-details-late': {
        const { checkoutId, isCardUnsent } = effect
        return sendDetails(checkoutId, isCardUnsent).catch(() => {})
      }
      case 'submit-card':
        return submitCard()
      case 'place-order':
        return placeOrder(effect.attempt)
      case 'start-over':
        return startOver(effect.checkoutId)
      case 'mark-sold-out':
        return deps.markSoldOut()
      case 'toast':
        return deps.showToast(effect.toast)
      case 'reload-page':
        if (!deps.reloadPage(effect.reason)) deps.showToast(effect.otherwise)
        return
      case 'go-to-thank-you':
        return deps.goToThankYou(effect.orderId)
    }
  }

  /** Ends early when there is a reason to believe that the network is back. */
  function waitForConnection(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const resume = () => {
        waiting.delete(resume)
        resolve()
      }
      waiting.add(resume)
      void deps.delay(ms).then(resume)
    })
  }

  /** The shop takes the second call for the first, which may have arrived. */
  async function repeatUntilAnswered<Answer>(call: () => Promise<Answer>): Promise<Answer> {
    for (const giveUpMs = deps.nowMs() + maxRepeatMs; ;) {
      try {
        const answer = await call()
        // It may have waited while the device slept.
        if (deps.nowMs() >= giveUpMs) throw new Error('The answer came too late')
        return answer
      } catch (error) {
        if (!isUnanswered(error)) throw error
        if (deps.nowMs() < giveUpMs) await waitForConnection(repeatDelayMs)
        if (deps.nowMs() >= giveUpMs) throw error
      }
    }
  }

  async function reopenLater(failedOpenings: number): Promise<void> {
    reopenings += 1
    const reopening = reopenings
    await waitForConnection(Math.min(1000 * 1.5 ** failedOpenings, maxReopenDelayMs))
    if (reopening === reopenings) await dispatch({ type: 'reopening-due' })
  }

  async function openForm({ toast, isRepeated }: EffectOf<'open-form'>): Promise<void> {
    let fresh: FreshCheckout
    const { isKnown } = deps.getPrice()
    try {
      // A script that is blocked for good costs the shop no calls.
      if (isRepeated) await widget.load()
      ;[fresh] = await Promise.all([api.openCheckout(), widget.load()])
    } catch (error) {
      const { code, visitorCountry } = refusalOf(error)
      const lacksCountry = code === 'country-needed' && !isKnown
      if (!lacksCountry && isPageOutdated(error) && deps.reloadPage(describeRefusal(error))) return
      await dispatch({ type: 'form-failed', error, lacksCountry })
      if (lacksCountry && visitorCountry) deps.suggestCountry(visitorCountry)
      // Chosen while the server was asked.
      if (lacksCountry && deps.getPrice().isKnown) await dispatch({ type: 'price-changed' })
      return
    }
    if (fresh.visitorCountry) deps.suggestCountry(fresh.visitorCountry)
    return dispatch({ type: 'checkout-opened', fresh, toast })
  }

  const onReport = (name: string, body: unknown) =>
    void dispatch({ type: 'widget-reported', name, body, atMs: deps.nowMs() })

  async function mountForm(fresh: FreshCheckout): Promise<void> {
    const { checkout } = fresh
    let isLoaded: boolean
    try {
      isLoaded = await widget.mount(checkout, onReport, {
        onMethods: (methods) => void dispatch({ type: 'methods-loaded', methods }),
      })
    } catch {
      return giveUpForm(checkout.checkoutId)
    }
    await dispatch({ type: 'form-mounted', checkout, form: isLoaded ? 'loaded' : 'assumed' })
    if (sale.payment.state !== 'ready') return
    renewal.follow(fresh)
    await renewal.keepCurrent()
  }

  async function giveUpForm(checkoutId: string): Promise<void> {
    widget.unmount()
    const status = await polling.findStatus(checkoutId)
    return dispatch({ type: 'form-failed', rejected: { checkoutId, status } })
  }

  async function mountOthers(): Promise<void> {
    if (sale.payment.state !== 'choosing') return
    try {
      await widget.mount(sale.payment.checkout, onReport, { isOther: true })
    } catch {
      return dispatch({ type: 'others-failed' })
    }
  }

  /** Saves for the checkout that the form has by then: it may be renewed meanwhile, and an expired one is, once. */
  async function saveDetails({ renewsFirst }: { renewsFirst: boolean }): Promise<void> {
    let checkoutId: string | undefined
    try {
      await renewal.waitUntilDone()
      if (renewsFirst || renewal.isOutdated()) await repeatUntilAnswered(renewal.renew)
      if (sale.payment.state !== 'saving') return
      checkoutId = sale.payment.checkout.checkoutId
      await sendDetails(checkoutId, sale.isCardUnsent)
    } catch (error) {
      return dispatch({ type: 'details-refused', error, checkoutId, isRenewed: renewsFirst })
    }
    return dispatch({ type: 'details-saved', checkoutId, atMs: deps.nowMs() })
  }

  async function sendDetails(checkoutId: string, isCardUnsent: boolean): Promise<void> {
    const press = { pressId: createRandomId(), isCardUnsent }
    await repeatUntilAnswered(() => api.saveDetails(checkoutId, deps.getDetails(), press))
    deps.tellOtherTabs()
  }

  /** A widget may report its outcome at once. */
  async function submitCard(): Promise<void> {
    try {
      widget.submit()
    } catch {
      return dispatch({ type: 'submission-failed' })
    }
  }

  async function placeOrder(attempt: OrderAttempt): Promise<void> {
    const { checkoutId, report } = attempt
    let orderId: string | undefined
    try {
      const transactionId = findText(report, 'transaction_id')
      orderId = await api.placeOrder(checkoutId, deps.getDetails(), transactionId)
    } catch (error) {
      return dispatch({ type: 'order-refused', attempt, error })
    }
    return dispatch({ type: 'order-answered', attempt, orderId })
  }

  async function startOver(checkoutId: string): Promise<void> {
    try {
      await api.startOver(checkoutId)
    } catch (error) {
      return dispatch({ type: 'start-over-refused', checkoutId, error })
    }
    return dispatch({ type: 'started-over' })
  }

  return {
    getPayment,
    getOtherMethods: () => sale.otherMethods,
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    open: () =>
      dispatch({
        type: 'page-opened',
        submittedId: submittedCheckout.find(),
        returnedId: deps.takeReturnedId(),
      }),
    pay: () => dispatch({ type: 'pay-pressed' }),
    payOtherwise: () => dispatch({ type: 'pay-pressed', isOther: true }),
    goBackToCard: () => dispatch({ type: 'back-pressed' }),
    restore: () => dispatch({ type: 'page-restored' }),
    tryAgain: () => dispatch({ type: 'try-again-pressed' }),
    /** The page shows another price. */
    changePrice: async () => {
      choices += 1
      const choice = choices
      await deps.delay(choiceMs)
      if (choice === choices) await dispatch({ type: 'price-changed' })
    },
    bankPageLost: () => dispatch({ type: 'bank-page-lost' }),
    /** The page is visible again, perhaps after the device slept, or the browser has a network again. */
    refresh: () => {
      for (const resume of waiting) resume()
      renewal.renewIfDue()
      polling.pollNow()
    },
  }
}
