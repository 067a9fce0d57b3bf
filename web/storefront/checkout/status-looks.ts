import type { CheckoutStatus } from '#contract/checkouts.ts'
import { refusalOf } from '#web/api.ts'

import type { SaleWorld } from './sale-world.ts'

/** Pauses between looks, the longer the more often nothing was new, in ms. */
const firstPausesMs = [1_000, 2_000, 3_000]
const laterPauseMs = 5_000
const slowPauseMs = 15_000
const slowestPauseMs = 60_000
const slowAfterMs = 60_000
const slowestAfterMs = 10 * 60_000

/** A payment that the server does not know this often in a row is not this browser's any more. */
const maxMisses = 3

/** How long what is waited for, in ms unless it says otherwise. */
export const waits = {
  /** While the card is with SumUp the server may hear first how it went, in ms. */
  besideMs: 10_000,
  /** A widget that says nothing for this long does not come back by itself, in ms. */
  silenceMs: 30_000,
  /** So often the server must have answered before a silent widget is given up. */
  answersInSilence: 2,
  /** So long SumUp must have had no payment of a card whose widget reported trouble, or whose page is gone, in ms. */
  noCardAfterTroubleMs: 5_000,
  noCardAfterLeavingMs: 15_000,
  /** After a success the bank is often only a moment behind, in ms. */
  bankAfterSuccessMs: 5_000,
  /** After this long a spinner is no answer any more, in ms. */
  delayedMs: 60_000,
} as const

export type Patience = {
  /** How long SumUp must have had no payment before the card form is given back. */
  noCardMs: number
  /** How long the card must be at the bank before the page says so. */
  bankMs?: number
  /** What the widget said, for the toast. */
  providerMessage?: string | undefined
  /** Another page sent the card: if SumUp has no payment of it, nothing has failed on this one. */
  isElsewhere?: boolean
}

export type Look = {
  /** Nothing where no answer came, which is no news. */
  status: CheckoutStatus | undefined
  /** For how long, and how often, the server has been answering so, in ms. */
  steadyMs: number
  answers: number
  waitedMs: number
  /** The server says again and again that it does not know this payment. */
  isLost: boolean
}

/** Answers whether no more looks are needed. */
type OnLook = (look: Look) => boolean

/** SumUp was asked and has no payment of the card. */
export function isNoCard(status: CheckoutStatus): boolean {
  return status.state === 'open' || (status.state === 'waiting' && status.reason === 'no-card')
}

/** Asks the server how a payment stands, again and again, for one caller at a time. */
export function createLooks(world: Pick<SaleWorld, 'calls' | 'pause' | 'nowMs'>) {
  let turn = 0
  let again: (() => void) | undefined

  function stop(): void {
    turn += 1
    again = undefined
  }

  /** Looks until `onLook` has seen enough, or until somebody else begins to look. */
  async function start(
    checkoutId: string,
    onLook: OnLook,
    everyMs?: number,
    firstPauseMs = everyMs ?? 0,
  ): Promise<void> {
    stop()
    again = () => void start(checkoutId, onLook, everyMs, 0)
    const mine = turn
    const startedMs = world.nowMs()
    let [said, saidSinceMs, answers, misses] = ['', startedMs, 0, 0]
    for (let look = 0; ; look += 1) {
      const pauseMs = everyMs ?? pauseBefore(look, world.nowMs() - startedMs)
      await world.pause(look === 0 ? firstPauseMs : pauseMs)
      if (mine !== turn) return
      const found = await findStatus(checkoutId)
      if (mine !== turn) return
      const nowMs = world.nowMs()
      const status = found === 'unknown' ? undefined : found
      if (found === 'unknown') misses += 1
      if (status) {
        const word = isNoCard(status) ? 'no-card' : JSON.stringify(status)
        if (word !== said) [said, saidSinceMs] = [word, nowMs]
        answers += 1
        misses = 0
      }
      const steadyMs = nowMs - saidSinceMs
      const waitedMs = nowMs - startedMs
      if (onLook({ status, steadyMs, answers, waitedMs, isLost: misses >= maxMisses })) return
    }
  }

  async function findStatus(checkoutId: string): Promise<CheckoutStatus | 'unknown' | undefined> {
    try {
      return await world.calls.getStatus(checkoutId)
    } catch (error) {
      return refusalOf(error).code === 'payment-missing' ? 'unknown' : undefined
    }
  }

  return {
    start,
    stop,
    /** A page that was not looked at asks at once. */
    hurry: () => again?.(),
    once: async (checkoutId: string) => {
      const found = await findStatus(checkoutId)
      return found === 'unknown' ? undefined : found
    },
  }
}

function pauseBefore(look: number, waitedMs: number): number {
  if (waitedMs >= slowestAfterMs) return slowestPauseMs
  if (waitedMs >= slowAfterMs) return slowPauseMs
  return firstPausesMs[look - 1] ?? laterPauseMs
}
