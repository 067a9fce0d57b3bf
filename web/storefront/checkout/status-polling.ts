import type { CheckoutStatus } from '#contract/checkouts.ts'
import { refusalOf } from '#web/api.ts'

import { isFinalRefusal, isUnanswered } from './connection.ts'
import type { SaleDeps } from './sale-deps.ts'

/** When the first requests are sent, counted from the start. */
const firstRequestsMs = [0, 700, 1_500, 3_000, 6_000, 10_000, 15_000, 20_500]
/** Delays between later requests: longer ones the longer nothing changes. */
const laterDelayMs = 5_000
const slowDelayMs = 15_000
const slowestDelayMs = 60_000
const slowAfterMs = 60_000
const slowestAfterMs = 10 * 60_000

/** After this many answers of the shop in a row that the payment is unknown, it is taken for lost. */
const maxNotFoundAnswers = 3

export type PollResult = {
  /** Undefined where the server did not say. */
  status: CheckoutStatus | undefined
  /** Nothing came back at all. */
  isUnanswered: boolean
  /** How long the server has been giving this status, from request to request. */
  unchangedMs: number
  /** How often the server has answered. */
  answers: number
  waitedMs: number
  /** The server said repeatedly that it does not know this payment. */
  isNotFound: boolean
  /** Another tab has saved details. */
  isReplaced?: boolean
}

/** `isOwn`: it matters whether the details are still those of this page. */
type PollOptions = {
  intervalMs?: number | undefined
  isOwn?: () => boolean
  isImmediate?: boolean
}

/** SumUp was asked and has no payment with the card. */
export function hasNoCard(status: CheckoutStatus): boolean {
  return status.state === 'open' || (status.state === 'waiting' && status.reason === 'no-card')
}

/** Polls the status of one payment at a time: starting again ends the earlier polling. */
export function createStatusPolling(deps: Pick<SaleDeps, 'api' | 'delay' | 'nowMs'>) {
  let currentRun = 0
  let restart: (() => void) | undefined

  function stop(): void {
    currentRun += 1
    restart = undefined
  }

  /** Polls until it is stopped or started again. */
  async function start(
    checkoutId: string,
    onResult: (result: PollResult) => void,
    { intervalMs, isOwn = () => false, isImmediate = !intervalMs }: PollOptions = {},
  ): Promise<void> {
    stop()
    restart = () => void start(checkoutId, onResult, { intervalMs, isOwn, isImmediate: true })
    const run = currentRun
    const startedMs = deps.nowMs()
    let lastStatus = ''
    let changedMs = startedMs
    let answers = 0
    let notFoundAnswers = 0
    let wasUnanswered = false
    for (let request = 0; ; request += 1) {
      const usualMs = intervalMs ?? delayBefore(request, deps.nowMs() - startedMs)
      // A connection that is back is noticed soon, also after a long time.
      const delayMs = wasUnanswered ? Math.min(usualMs, laterDelayMs) : usualMs
      await deps.delay(request === 0 && isImmediate ? 0 : delayMs)
      if (run !== currentRun) return
      const sentMs = deps.nowMs()
      const answer = await fetchStatus(checkoutId, isOwn())
      if (run !== currentRun) return
      wasUnanswered = answer === 'unanswered'
      const status = typeof answer === 'object' ? answer : undefined
      if (answer === 'not-found') notFoundAnswers += 1
      if (status) {
        const compared = hasNoCard(status) ? 'no-card' : JSON.stringify(status)
        if (compared !== lastStatus) changedMs = sentMs
        lastStatus = compared
        answers += 1
        notFoundAnswers = 0
      }
      onResult({
        status,
        isUnanswered: wasUnanswered,
        unchangedMs: sentMs - changedMs,
        answers,
        waitedMs: deps.nowMs() - startedMs,
        isNotFound: notFoundAnswers >= maxNotFoundAnswers,
        ...(answer === 'replaced' && { isReplaced: true }),
      })
      if (run !== currentRun) return
    }
  }

  async function fetchStatus(
    checkoutId: string,
    isOwn?: boolean,
  ): Promise<CheckoutStatus | 'not-found' | 'replaced' | 'unanswered' | 'refused'> {
    try {
      return await deps.api.getStatus(checkoutId, { isOwn })
    } catch (error) {
      if (isUnanswered(error)) return 'unanswered'
      const { code } = refusalOf(error)
      if (code === 'details-replaced') return 'replaced'
      // A refusal without a code is not the shop's, but that of a proxy in front of it.
      return code && isFinalRefusal(error) ? 'not-found' : 'refused'
    }
  }

  return {
    start,
    stop,
    /** Asks at once, where polling is under way. */
    pollNow: () => restart?.(),
    findStatus: async (checkoutId: string) => {
      const answer = await fetchStatus(checkoutId)
      return typeof answer === 'object' ? answer : undefined
    },
  }
}

function delayBefore(request: number, waitedMs: number): number {
  if (waitedMs >= slowestAfterMs) return slowestDelayMs
  if (waitedMs >= slowAfterMs) return slowDelayMs
  const sentAtMs = firstRequestsMs[request]
  return sentAtMs === undefined ? laterDelayMs : Math.max(sentAtMs - waitedMs, 0)
}
