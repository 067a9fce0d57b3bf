import { refusalText } from '#web/api.ts'

import { isTooManyCards, readFail, readTrouble, statusOf, transactionIdIn } from './answers.ts'
import { openingOf } from './opening.ts'
import { outcomeOf } from './outcome.ts'
import { checkoutIdOf } from './payment-state.ts'
import { holdPayment, type SaleWorld, type Till } from './sale-world.ts'
import { notTaken, submissionFailed } from './toast-texts.ts'

/** While the card is with SumUp the server may hear first how it went, in ms. */
const besideMs = 10_000
/**
 * A widget that says nothing this long after being told to submit did not submit, in ms. Its word may have been
 * lost and the card charged all the same, so the server must have known of no payment at this many looks.
 */
const silenceMs = 30_000
const looksInSilence = 2

export type Sale = ReturnType<typeof beginSale>

/** One sale on one page, from the first look to the order. */
export function beginSale(world: SaleWorld) {
  const till: Till = { world, ...holdPayment() }
  const { happen, payment, subscribe } = till
  const opening = openingOf(till, hear)
  const outcome = outcomeOf(till, opening.load)
  /** Counts the cards that left, so that no look at one is taken for another. */
  let attempts = 0

  /** A page that was reloaded after its card had left waits for the outcome; any other opens a card form. */
  async function open(): Promise<void> {
    const submitted = world.memory.remembered()
    if (submitted && happen({ type: 'resumed', checkoutId: submitted }))
      return outcome.awaitOutcome(submitted, { firstPauseMs: 0, mayBeUnsent: true })
    await opening.load()
  }

  function hear(type: string, body: unknown): void {
    switch (type) {
      case 'sent':
        return noteSent()
      case 'auth-screen':
        noteSent()
        return world.card.reveal()
      case 'invalid':
        world.memory.forget()
        if (happen({ type: 'unlocked' })) world.card.reveal()
        return
      case 'success':
        void outcome.placeOrder(transactionIdIn(body))
        return
      case 'error':
        void outcome.doubt(readTrouble(body))
        return
      case 'fail':
        void outcome.doubt(readFail(body))
    }
  }

  function noteSent(): void {
    const before = payment()
    if (!happen({ type: 'sent' }) || before.is !== 'ready') return
    // The widget was submitted from within. Details that reach the server late are better than none.
    const { checkoutId } = before.checkout
    world.memory.remember(checkoutId)
    world.calls.keepDetails(checkoutId, world.details()).catch(() => undefined)
    void watch(checkoutId)
  }

  /** Contact and delivery first; only when the server has them does the card leave. */
  async function pay(): Promise<void> {
    if (!happen({ type: 'pay' })) return
    await opening.renewed()
    const checkoutId = payment().is === 'saving' ? await maybeKept(true) : undefined
    if (!checkoutId) return
    world.memory.remember(checkoutId)
    happen({ type: 'submit' })
    try {
      world.card.submit()
    } catch {
      return unlock(submissionFailed)
    }
    await watch(checkoutId)
  }

  /** The checkout that now has the details; one that expired meanwhile is renewed once. */
  async function maybeKept(mayRenew: boolean): Promise<string | undefined> {
    const checkoutId = checkoutIdOf(payment())
    if (!checkoutId) return undefined
    try {
      await world.calls.keepDetails(checkoutId, world.details())
      return checkoutId
    } catch (error) {
      const status = statusOf(error)
      if (isTooManyCards(error)) outcome.takeNoMoreCards()
      else if (status === 409) outcome.close('review')
      else if (mayRenew && (status === 404 || status === 410)) return maybeKeptAnew(checkoutId)
      else if (status === 400 && error instanceof Error) unlock(notTaken(refusalText(error)))
      else unlock(submissionFailed)
      return undefined
    }
  }

  /** A checkout that takes no more details may be one that another tab has paid. */
  async function maybeKeptAnew(checkoutId: string): Promise<string | undefined> {
    const standing = await outcome.maybeLook(checkoutId)
    const isOver = standing && ['paid', 'review', 'too-many-cards'].includes(standing.state)
    if (isOver && outcome.settleBy(standing)) return undefined
    try {
      await opening.renew()
    } catch (error) {
      if (isTooManyCards(error)) outcome.takeNoMoreCards()
      else unlock(submissionFailed)
      return undefined
    }
    return maybeKept(false)
  }

  function unlock(toast: typeof submissionFailed): void {
    world.memory.forget()
    if (happen({ type: 'unlocked' })) world.say(toast)
  }

  /** Beside the widget, which may stay silent or never come back from a bank's page. */
  async function watch(checkoutId: string): Promise<void> {
    const attempt = ++attempts
    const startedMs = world.nowMs()
    let looks = 0
    for (;;) {
      await world.pause(besideMs)
      if (payment().is !== 'submitted' || attempt !== attempts) return
      const standing = await outcome.maybeLook(checkoutId)
      const current = payment()
      if (current.is !== 'submitted' || attempt !== attempts) return
      if (!standing) continue
      if (outcome.settleBeside(standing)) return
      looks += 1
      const isSilent = !current.isHeard && world.nowMs() - startedMs >= silenceMs
      if (isSilent && looks >= looksInSilence) return unlock(submissionFailed)
    }
  }

  /** What the one button of a panel, or of a card form that did not load, does. */
  async function tryAgain(): Promise<void> {
    if (payment().is === 'refused') return outcome.placeOrder(undefined, true)
    if (payment().is === 'lost-sight') return outcome.reopen()
    if (happen({ type: 'retried' })) await opening.load()
  }

  return { payment, subscribe, open, pay, tryAgain, wake: opening.renewIfDue }
}
