import type { PaymentStanding } from '#contract/orders.ts'
import { refusalText } from '#web/api.ts'

import { orderRefusal, type WidgetTrouble } from './answers.ts'
import { patienceMs, pauseBefore } from './patience.ts'
import { checkoutIdOf } from './payment-state.ts'
import type { Till } from './sale-world.ts'
import { orderFailed, paymentFailed } from './toast-texts.ts'

const expiredText = 'The payment form had expired and nothing was charged. Please try again.'

export type Outcome = ReturnType<typeof outcomeOf>

/** What becomes of a card that was submitted. `reload` opens a card form anew. */
export function outcomeOf({ world, happen, payment }: Till, reload: () => Promise<void>) {
  const isAsking = (checkoutId: string) =>
    (payment().is === 'waiting' || payment().is === 'away') &&
    checkoutIdOf(payment()) === checkoutId

  function finish(orderId: string): void {
    if (happen({ type: 'paid', orderId })) world.thank(orderId)
  }

  function review(): void {
    if (happen({ type: 'review' })) world.card.unmount()
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
        review()
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
    const isCertain = ['paid', 'review', 'expired'].includes(standing.state)
    return isCertain && happen({ type: 'asked' }) && settleBy(standing)
  }

  async function maybeLook(checkoutId: string): Promise<PaymentStanding | undefined> {
    try {
      return await world.calls.lookAt(checkoutId)
    } catch {
      // No answer is no news: whoever looks decides how often to look again.
      return undefined
    }
  }

  /** Asks until the server knows. Says after a minute that it takes longer, and goes on asking. */
  async function awaitOutcome(checkoutId: string, firstPauseMs = pauseBefore(0, false)) {
    const startedMs = world.nowMs()
    for (let look = 0; ; look += 1) {
      const isLate = payment().is === 'away'
      await world.pause(look === 0 ? firstPauseMs : pauseBefore(look, isLate))
      if (!isAsking(checkoutId)) return
      const standing = await maybeLook(checkoutId)
      if (!isAsking(checkoutId) || (standing && settleBy(standing))) return
      const waitedMs = world.nowMs() - startedMs
      if (waitedMs >= patienceMs && happen({ type: 'late' })) world.card.unmount()
    }
  }

  /** The widget reports trouble. Money may have moved all the same, so the server is asked before it is believed. */
  async function doubt({ text, isAnswered, isProcessed }: WidgetTrouble): Promise<void> {
    const checkoutId = checkoutIdOf(payment())
    if (!checkoutId || payment().is !== 'submitted' || !happen({ type: 'asked' })) return
    const standing = await maybeLook(checkoutId)
    if (!isAsking(checkoutId) || (standing && settleBy(standing, text))) return
    if (standing && isAnswered && !isProcessed) giveBack(text)
    else await awaitOutcome(checkoutId)
  }

  /** The widget reports success: the server's word decides what that means. */
  async function placeOrder(transactionId: string | undefined): Promise<void> {
    const checkoutId = checkoutIdOf(payment())
    if (!checkoutId || !happen({ type: 'asked' })) return
    try {
      const order = await world.calls.placeOrder(checkoutId, world.details(), transactionId)
      if (order) return finish(order.id)
    } catch (error) {
      switch (orderRefusal(error)) {
        case 'declined':
          return giveBack(error instanceof Error ? refusalText(error) : undefined)
        case 'review':
          return review()
        case 'expired':
          world.say(orderFailed)
          return reopen()
        case 'refused':
          world.say(orderFailed)
          happen({ type: 'refused' })
          return world.card.unmount()
        case 'unknown':
          break
      }
    }
    await awaitOutcome(checkoutId)
  }

  return { awaitOutcome, doubt, maybeLook, placeOrder, review, settleBeside, settleBy }
}
