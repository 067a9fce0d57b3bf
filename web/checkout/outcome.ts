import type { PaymentStanding } from '#contract/orders.ts'
import { refusalText } from '#web/api.ts'

import { orderRefusal, statusOf, type WidgetTrouble } from './answers.ts'
import { patienceMs, pauseBefore } from './patience.ts'
import { checkoutIdOf, isAsking, type PanelKind } from './payment-state.ts'
import type { Till } from './sale-world.ts'
import { orderFailed, paymentFailed } from './toast-texts.ts'

/** A payment that the server does not know this often in a row is not this browser's any more. */
const mostMisses = 3

/** So long SumUp may be late to tell of a card; one that it does not know of by then never reached it. In ms. */
const lateCardMs = 8_000

const expiredText = 'The payment form had expired and nothing was charged. Please try again.'

export type Outcome = ReturnType<typeof outcomeOf>

/** What becomes of a card that was submitted. `reload` opens a card form anew. */
export function outcomeOf({ world, happen, payment }: Till, reload: () => Promise<void>) {
  const isAskingFor = (checkoutId: string) =>
    isAsking(payment()) && checkoutIdOf(payment()) === checkoutId

  function finish(orderId: string): void {
    if (happen({ type: 'paid', orderId })) world.thank(orderId)
  }

  /** No card may follow for now: a panel takes the place of the form. */
  function close(as: Exclude<PanelKind, 'confirming' | 'away'>): void {
    if (happen({ type: as })) world.card.unmount()
  }

  /** Nothing is waited for any more: a page that is loaded again later begins a new sale. */
  function takeNoMoreCards(): void {
    world.memory.forget()
    close('too-many-cards')
  }

  /** The same form once more, or a new one where it had left the page. */
  function giveBack(reason: string | undefined): void {
    world.memory.forget()
    const isBack = happen({ type: 'unlocked' })
    if (isBack || happen({ type: 'reopened' })) world.say(paymentFailed(reason))
    if (!isBack && payment().is === 'loading') void reload()
  }

  function reopen(): void {
    world.memory.forget()
    world.card.unmount()
    if (happen({ type: 'reopened' })) void reload()
  }

  /** Does what the server's word asks for. Answers false while there is no word yet. */
  function settleBy({ state, orderId }: PaymentStanding, reason?: string): boolean {
    switch (state) {
      case 'paid':
        if (orderId) finish(orderId)
        return orderId !== undefined
      case 'review':
        close(state)
        return true
      case 'too-many-cards':
        takeNoMoreCards()
        return true
      case 'declined':
        giveBack(reason)
        return true
      case 'expired':
        world.say(paymentFailed(reason ?? expiredText))
        reopen()
        return true
      case 'open':
      case 'waiting':
        return false
    }
  }

  /** What can be known for certain while the widget is still at work; a decline may be of an earlier card. */
  function settleBeside(standing: PaymentStanding): boolean {
    const isCertain = ['paid', 'review', 'expired', 'too-many-cards'].includes(standing.state)
    return isCertain && happen({ type: 'asked' }) && settleBy(standing)
  }

  async function maybeLook(
    checkoutId: string,
    onUnknown?: () => void,
  ): Promise<PaymentStanding | undefined> {
    try {
      return await world.calls.lookAt(checkoutId)
    } catch (error) {
      // No answer is no news: whoever looks decides how often to look again.
      if (statusOf(error) === 404) onUnknown?.()
      return undefined
    }
  }

  /**
   * Asks until the server knows. Says after a minute that it takes longer, and goes on asking. A card that `mayBeUnsent`
   * and that SumUp does not know of has failed: the form is given back, which is safe as it can be paid only once.
   */
  async function awaitOutcome(
    checkoutId: string,
    { firstPauseMs = pauseBefore(0, false), mayBeUnsent = false } = {},
  ) {
    const startedMs = world.nowMs()
    let misses = 0
    for (let look = 0; ; look += 1) {
      const isLate = payment().is === 'away'
      await world.pause(look === 0 ? firstPauseMs : pauseBefore(look, isLate))
      if (!isAskingFor(checkoutId)) return
      const standing = await maybeLook(checkoutId, () => (misses += 1))
      if (!isAskingFor(checkoutId) || (standing && settleBy(standing))) return
      if (standing) misses = 0
      if (misses >= mostMisses) return close('lost-sight')
      const waitedMs = world.nowMs() - startedMs
      const isUnsent = mayBeUnsent && standing?.hasTransaction === false
      if (isUnsent && waitedMs >= lateCardMs) return giveBack(undefined)
      if (waitedMs >= patienceMs && happen({ type: 'late' })) world.card.unmount()
    }
  }

  /** The widget reports trouble. Money may have moved all the same, so the server is asked before it is believed. */
  async function doubt({ text, isAnswered, isProcessed }: WidgetTrouble): Promise<void> {
    const checkoutId = checkoutIdOf(payment())
    if (!checkoutId || payment().is !== 'submitted' || !happen({ type: 'asked' })) return
    const standing = await maybeLook(checkoutId)
    if (!isAskingFor(checkoutId) || (standing && settleBy(standing, text))) return
    if (standing && isAnswered && !isProcessed) giveBack(text)
    else await awaitOutcome(checkoutId, { mayBeUnsent: !isProcessed })
  }

  /** The widget reports success: the server's word decides what that means. */
  async function placeOrder(transactionId: string | undefined, isAgain = false): Promise<void> {
    const checkoutId = checkoutIdOf(payment())
    if (!checkoutId || !happen({ type: 'asked' })) return
    try {
      const order = await world.calls.placeOrder(checkoutId, world.details(), transactionId)
      if (order) return finish(order.id)
    } catch (error) {
      switch (orderRefusal(error)) {
        case 'declined':
          return giveBack(error instanceof Error ? refusalText(error) : undefined)
        case 'too-many-cards':
          return takeNoMoreCards()
        case 'review':
          return close('review')
        case 'expired':
          world.say(orderFailed)
          return reopen()
        case 'refused':
          // Not known here a second time: trying a third time helps nobody.
          if (isAgain && statusOf(error) === 404) return close('lost-sight')
          world.say(orderFailed)
          return close('refused')
        case 'unknown':
          break
      }
    }
    await awaitOutcome(checkoutId)
  }

  return {
    awaitOutcome,
    close,
    doubt,
    maybeLook,
    placeOrder,
    reopen,
    settleBeside,
    settleBy,
    takeNoMoreCards,
  }
}
