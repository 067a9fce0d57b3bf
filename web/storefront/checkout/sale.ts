import type { CheckoutStatus } from '#contract/checkouts.ts'
import { FailedCall, refusalOf, refusalText } from '#web/api.ts'
import type { ToastContent } from '#web/ui/toast-state.ts'

import { textIn } from './card-form.ts'
import { bankNotes } from './panels.ts'
import { checkoutIdOf, createPayment, isPaying, type WithoutForm } from './payment-state.ts'
import { createRenewal, isOtherProduct } from './renewal.ts'
import type { FreshCheckout, SaleWorld } from './sale-world.ts'
import { createLooks, isNoCard, type Look, type Patience, waits } from './status-looks.ts'
import {
  notTaken,
  orderFailed,
  paymentExpired,
  paymentFailed,
  submissionFailed,
  widgetError,
} from './toasts.ts'

export type Sale = ReturnType<typeof createSale>

/**
 * One sale on one page, from the first look to the order. Whatever the widget reports, the server is asked; its word
 * decides. 'Payment failed' is said only of a card that SumUp declined or never had.
 */
export function createSale(world: SaleWorld) {
  const store = createPayment()
  const { happen, payment } = store
  const looks = createLooks(world)
  const renewal = createRenewal(world, store)
  let opening: Promise<void> | undefined
  let widgetSpokeMs = 0

  /** A page that was reloaded after its card had left asks what became of it; any other opens a card form. */
  async function open(): Promise<void> {
    const submitted = world.memory.remembered()
    await (submitted ? followCard(submitted) : openForm())
  }

  /** What stands in place of the form stays until there is one; the toast comes with it. */
  function openForm(toast?: ToastContent): Promise<void> {
    looks.stop()
    opening ??= mountForm(toast).finally(() => (opening = undefined))
    return opening
  }

  async function mountForm(toast: ToastContent | undefined): Promise<void> {
    let fresh: FreshCheckout | undefined
    try {
      ;[fresh] = await Promise.all([world.calls.openCheckout(), world.card.load()])
      happen({ type: 'reopened' })
      if (toast) world.showToast(toast)
      await world.card.mount(fresh.checkout, onWidgetEvent)
      if (happen({ type: 'opened', checkout: fresh.checkout })) renewal.keepFresh(fresh)
    } catch (error) {
      const why = refusalText(error)
      if (applyRefusal(error) || (isOtherProduct(error) && world.reload(why))) return
      world.card.unmount()
      // A widget that takes no card on a checkout may know more of it than the server did.
      if (fresh && (await isOver(fresh.checkout.checkoutId))) return
      happen({ type: 'reopened' })
      if (happen({ type: 'broke', why })) world.showToast(widgetError)
    }
  }

  /** Whether this checkout takes no card any more, for a reason that the page can show. */
  async function isOver(checkoutId: string): Promise<boolean> {
    const status = await looks.once(checkoutId)
    if (!status || status.state === 'closed' || status.state === 'declined') return false
    if (status.state !== 'at-bank') return applyIfFinal(checkoutId, status)
    followAtBank(checkoutId)
    return true
  }

  /** Contact and delivery first; only when the server has them does the card leave. */
  async function pay(): Promise<void> {
    if (!happen({ type: 'pay' })) return
    await renewal.finished()
    const checkoutId = payment().is === 'saving' ? await keepDetails(true) : undefined
    if (!checkoutId) return
    world.memory.remember(checkoutId)
    happen({ type: 'submit' })
    widgetSpokeMs = world.nowMs()
    try {
      world.card.submit()
    } catch {
      return unlock(submissionFailed)
    }
    await watchWidget(checkoutId)
  }

  /** The checkout that now has the details; one that expired meanwhile is renewed once. */
  async function keepDetails(mayRenew: boolean): Promise<string | undefined> {
    const checkoutId = checkoutIdOf(payment())
    if (!checkoutId) return undefined
    try {
      await world.calls.keepDetails(checkoutId, world.details())
      return checkoutId
    } catch (error) {
      const { code } = refusalOf(error)
      const isGone = code === 'checkout-expired' || code === 'payment-missing'
      if (isGone && mayRenew) return keepDetailsAnew()
      if (!applyRefusal(error, checkoutId))
        unlock(code === 'bad-request' ? notTaken(refusalText(error)) : submissionFailed)
      return undefined
    }
  }

  async function keepDetailsAnew(): Promise<string | undefined> {
    try {
      await renewal.renew()
    } catch (error) {
      if (!applyRefusal(error)) unlock(submissionFailed)
      return undefined
    }
    return keepDetails(false)
  }

  function unlock(toast: ToastContent): void {
    looks.stop()
    world.memory.forget()
    if (happen({ type: 'unlocked' })) world.showToast(toast)
  }

  function onWidgetEvent(type: string, body: unknown): void {
    widgetSpokeMs = world.nowMs()
    switch (type) {
      case 'sent':
        return onWidgetSent('sent')
      case 'auth-screen':
        onWidgetSent('challenge')
        return world.card.reveal()
      case 'invalid':
        world.memory.forget()
        if (happen({ type: 'unlocked' })) world.card.reveal()
        return
      case 'success':
        void placeOrder(
          textIn(body, 'transaction_id'),
          textIn(body, 'status') === 'FAILED',
          textIn(body, 'message'),
        )
        return
      case 'error':
      case 'fail':
        void onWidgetError(textIn(body, 'message') ?? textIn(body, 'detail'))
    }
  }

  function onWidgetSent(word: 'sent' | 'challenge'): void {
    const before = payment()
    if (!happen({ type: 'heard', word }) || before.is !== 'ready') return
    // The widget was submitted from within. Details that reach the server late are better than none.
    const { checkoutId } = before.checkout
    world.memory.remember(checkoutId)
    world.calls.keepDetails(checkoutId, world.details()).catch(() => undefined)
    void watchWidget(checkoutId)
  }

  async function onWidgetError(providerMessage: string | undefined): Promise<void> {
    const current = payment()
    const checkoutId = checkoutIdOf(current)
    if (!checkoutId) return
    if (current.is === 'ready') return void (await isOver(checkoutId))
    if (current.is !== 'submitted' || !happen({ type: 'asked' })) return
    await follow(checkoutId, { noCardMs: waits.noCardAfterTroubleMs, providerMessage })
  }

  /** The widget's success only means that SumUp answered: paid, declined or neither yet. */
  async function placeOrder(
    transactionId?: string,
    isFailed = false,
    providerMessage?: string,
  ): Promise<void> {
    const isAgain = payment().is === 'refused'
    const checkoutId = checkoutIdOf(payment())
    if (!checkoutId) return
    if (isAgain) replaceForm({ is: 'confirming', checkoutId })
    else if (!happen({ type: 'asked' })) return
    looks.stop()
    try {
      const order = await world.calls.placeOrder(checkoutId, world.details(), transactionId)
      if (order) return finish(order.id)
    } catch (error) {
      const { code } = refusalOf(error)
      if (applyRefusal(error, checkoutId)) return
      const status = error instanceof FailedCall ? error.status : 0
      if (status === 402) return giveBack(paymentFailed(providerMessage))
      if (code === 'checkout-expired') return giveBack(orderFailed, false)
      // Not known here a second time: trying a third time helps nobody.
      if (code === 'payment-missing' && isAgain) return replaceForm({ is: 'lost-sight' })
      // Any other definite no. One that may be over in a moment says nothing of the payment.
      if (status >= 400 && status < 500 && status !== 408 && status !== 429) {
        world.showToast(orderFailed)
        return replaceForm({ is: 'refused', checkoutId })
      }
      // The server makes the order without being asked.
    }
    const noCardMs = isFailed ? waits.noCardAfterTroubleMs : Infinity
    await follow(checkoutId, { noCardMs, bankMs: waits.bankAfterSuccessMs, providerMessage })
  }

  /** Beside the widget, which may stay silent or never come back from a bank's page. */
  function watchWidget(checkoutId: string): Promise<void> {
    return looks.start(checkoutId, (look) => onLookBeside(checkoutId, look), waits.besideMs)
  }

  function onLookBeside(checkoutId: string, { status, answers }: Look): boolean {
    const current = payment()
    if (current.is !== 'submitted') return true
    if (!status) return false
    // A challenge on the screen brings its own word of a decline.
    if (status.state !== 'declined' && applyIfFinal(checkoutId, status)) return true
    const isSilent =
      world.nowMs() - widgetSpokeMs >= waits.silenceMs && current.heard !== 'challenge'
    if (!isSilent || answers < waits.answersInSilence) return false
    if (current.heard === 'nothing' && isNoCard(status)) unlock(submissionFailed)
    else void followCard(checkoutId, { noCardMs: waits.noCardAfterTroubleMs })
    return true
  }

  /** Asks until the server knows. */
  function follow(checkoutId: string, patience: Patience): Promise<void> {
    return looks.start(checkoutId, (look) => onLook(checkoutId, look, patience))
  }

  function onLook(checkoutId: string, look: Look, patience: Patience): boolean {
    const { status, steadyMs, waitedMs, isLost } = look
    const { noCardMs, bankMs = 0, providerMessage, isElsewhere } = patience
    if (payment().is === 'review') return onLookInReview(checkoutId, look)
    if (isLost) replaceForm({ is: 'lost-sight' })
    if (isLost) return true
    if (status && applyIfFinal(checkoutId, status, providerMessage)) return true
    const wasAtBank = payment().is === 'at-bank'
    const neededMs = wasAtBank ? waits.noCardAfterLeavingMs : noCardMs
    if (status && isNoCard(status) && steadyMs >= neededMs) {
      giveBack(isElsewhere ? undefined : paymentFailed(providerMessage))
      return true
    }
    if (status?.state === 'at-bank' && !wasAtBank && steadyMs >= bankMs)
      replaceForm({ is: 'at-bank', checkoutId })
    else if (waitedMs >= waits.delayedMs && isPaying(payment())) replaceForm({ is: 'delayed' })
    return false
  }

  /** A person decides, or SumUp's word becomes clear: the panel says what is so now. */
  function onLookInReview(checkoutId: string, { status, steadyMs }: Look): boolean {
    const current = payment()
    if (!status || current.is !== 'review') return false
    if (status.state === 'paid') return applyIfFinal(checkoutId, status)
    if (steadyMs < waits.noCardAfterTroubleMs) return false
    if (status.state === 'review') {
      if (status.reason !== current.reason) replaceForm({ is: 'review', reason: status.reason })
      return false
    }
    if (status.state !== 'at-bank') return applyIfFinal(checkoutId, status)
    followAtBank(checkoutId)
    return true
  }

  /** Does what a last word of the server asks for. Answers false while there is none. */
  function applyIfFinal(
    checkoutId: string,
    status: CheckoutStatus,
    providerMessage?: string,
  ): boolean {
    switch (status.state) {
      case 'paid':
        finish(status.orderId)
        return true
      case 'review':
        showReview(status.reason, checkoutId)
        return true
      case 'too-many-cards':
        takeNoMoreCards()
        return true
      case 'declined':
        giveBack(paymentFailed(providerMessage))
        return true
      case 'closed':
        happen({ type: 'asked' })
        giveBack(paymentExpired, false)
        return true
      case 'open':
      case 'waiting':
      case 'at-bank':
        return false
    }
  }

  /** Refusals that tell how the sale stands, whichever call met them. */
  function applyRefusal(error: unknown, ownCheckoutId?: string): boolean {
    const { code, orderId, reason, checkoutId = ownCheckoutId } = refusalOf(error)
    const isUnderWay = code === 'card-under-way' || code === 'already-paid'
    if (code === 'already-paid' && orderId) finish(orderId)
    else if (code === 'payment-in-review') showReview(reason, checkoutId)
    else if (code === 'too-many-cards') takeNoMoreCards()
    else if (code === 'card-at-bank' && checkoutId) followAtBank(checkoutId)
    else if (isUnderWay && checkoutId)
      void followCard(checkoutId, { noCardMs: waits.noCardAfterLeavingMs, isElsewhere: true })
    else return false
    return true
  }

  function finish(orderId: string): void {
    looks.stop()
    if (happen({ type: 'paid', orderId })) world.thank(orderId)
  }

  /** The same card form once more, or a new one where it has left the page or takes no more cards. */
  function giveBack(toast: ToastContent | undefined, isSameForm = true): void {
    looks.stop()
    world.memory.forget()
    if (!isSameForm || !happen({ type: 'unlocked' })) return void openForm(toast)
    if (toast) world.showToast(toast)
  }

  /** A card is under way that no widget on this page can tell of. */
  function followCard(
    checkoutId: string,
    patience: Patience = { noCardMs: waits.noCardAfterLeavingMs },
  ): Promise<void> {
    replaceForm({ is: 'confirming', checkoutId })
    return follow(checkoutId, patience)
  }

  function followAtBank(checkoutId: string, note?: string): void {
    replaceForm({ is: 'at-bank', checkoutId, note })
    void follow(checkoutId, { noCardMs: waits.noCardAfterLeavingMs })
  }

  /** A person decides. Where SumUp's word becomes clear before that, the page goes on by itself. */
  function showReview(reason: string | undefined, checkoutId: string | undefined): void {
    looks.stop()
    // A page that is loaded again asks for a form, and hears whether there is one by then.
    world.memory.forget()
    replaceForm({ is: 'review', reason })
    if (!checkoutId) return
    // A card that overtook its details: this page may still have them.
    if (reason === 'no-details')
      world.calls.keepDetails(checkoutId, world.details()).catch(() => undefined)
    void follow(checkoutId, { noCardMs: Infinity })
  }

  /** Nothing is waited for any more: a page that is loaded again later begins a new sale. */
  function takeNoMoreCards(): void {
    looks.stop()
    world.memory.forget()
    replaceForm({ is: 'too-many-cards' })
  }

  function replaceForm(as: WithoutForm): void {
    if (happen({ type: 'form-closed', as })) world.card.unmount()
  }

  /** The one button of a panel, or of a card form that did not load. */
  async function tryAgain(): Promise<void> {
    const current = payment()
    if (current.is === 'refused') return placeOrder()
    if (current.is === 'at-bank') return startOver(current.checkoutId)
    if (current.is !== 'lost-sight' && current.is !== 'broken') return
    if (current.is === 'broken') happen({ type: 'reopened' })
    world.memory.forget()
    await openForm()
  }

  /** The buyer did not finish at the bank. Only the server, after asking SumUp, knows whether the card is given up. */
  async function startOver(checkoutId: string): Promise<void> {
    replaceForm({ is: 'starting-over' })
    looks.stop()
    try {
      await world.calls.startOver(checkoutId)
    } catch (error) {
      const { code } = refusalOf(error)
      if (code === 'card-at-bank') followAtBank(checkoutId, bankNotes.stillThere)
      else if (code === 'payment-missing') replaceForm({ is: 'lost-sight' })
      else if (!applyRefusal(error, checkoutId)) followAtBank(checkoutId, bankNotes.notNow)
      return
    }
    world.memory.forget()
    await openForm()
  }

  /** A page that slept, or that was not looked at, asks at once. */
  function wake(): void {
    renewal.renewIfDue()
    looks.hurry()
  }

  return { payment, subscribe: store.subscribe, open, pay, tryAgain, wake }
}
