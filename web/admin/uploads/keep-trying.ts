import { decideNextStep, type NextStep } from './retry-decision.ts'
import { UploadFailure } from './upload-failure.ts'

/** Why an upload stands still, for whoever watches it. */
export type Pause = 'none' | 'offline' | 'busy' | 'again'

type KeepTryingOptions = {
  signal: AbortSignal
  onPause: (pause: Pause) => void
  /** The storage asked for less: nothing else should start meanwhile. */
  onSlowDown: (ms: number) => void
  /** Called before an attempt that cannot use the old address. */
  getNewAddress: () => Promise<void>
}

/** Attempts until it works, until it makes no sense any more, or until it is cancelled. */
export async function keepTrying<Result>(
  attempt: () => Promise<Result>,
  { signal, onPause, onSlowDown, getNewAddress }: KeepTryingOptions,
): Promise<Result> {
  for (let retries = 0; ;) {
    signal.throwIfAborted()
    const outcome = await attempt().catch(toFailure)
    if (!(outcome instanceof UploadFailure)) return outcome

    const next = decideNextStep(outcome, { retries, isOffline: !navigator.onLine })
    if (next.step === 'fail') throw outcome
    onPause(pauseOf(next))
    if (next.step === 'wait-for-network') {
      await untilOnline(signal)
    } else {
      retries += 1
      if (next.slowsDown) onSlowDown(next.afterMs)
      await sleep(next.afterMs, signal)
      if (next.needsNewAddress) await getNewAddress()
    }
    onPause('none')
  }
}

/** Failures are decided on; anything else, a cancelled attempt too, ends it all. */
function toFailure(error: unknown): UploadFailure {
  if (error instanceof UploadFailure) return error
  throw error
}

function pauseOf(next: NextStep): Pause {
  if (next.step === 'wait-for-network') return 'offline'
  return next.step === 'retry' && next.slowsDown ? 'busy' : 'again'
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return untilDone(signal, (done) => {
    const timer = setTimeout(done, ms)
    return () => clearTimeout(timer)
  })
}

export function untilOnline(signal: AbortSignal): Promise<void> {
  return untilDone(signal, (done) => {
    addEventListener('online', done)
    return () => removeEventListener('online', done)
  })
}

/** A wait that cancelling ends at once. `begin` answers how to stop waiting. */
function untilDone(signal: AbortSignal, begin: (done: () => void) => () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const finish = (settle: () => void) => () => {
      stop()
      signal.removeEventListener('abort', abort)
      settle()
    }
    const abort = finish(() => reject(signal.reason))
    const stop = begin(finish(resolve))
    signal.addEventListener('abort', abort)
  })
}
