import { sleep } from '#web/sleep.ts'

import { isExpired, UploadError } from './upload-request.ts'

/** The delays before each retry; after the last one the upload has failed. */
const retryDelaysMs = [0, 1000, 3000, 5000]

/** The wait after a 429 that does not say how long to wait. */
const minBusyMs = 1000
/** An upload that would have to wait longer fails instead, with a message. */
const maxRetryAfterMs = 60_000

type NextStep =
  | { step: 'retry'; delayMs: number; needsNewUrl: boolean; isBusy: boolean }
  | { step: 'wait-for-network' }
  | { step: 'fail' }

/** What to do after a failed attempt. */
export function decideNextStep(
  error: Pick<UploadError, 'status' | 'message' | 'retryAfterMs'>,
  { retries, isOffline }: { retries: number; isOffline: boolean },
): NextStep {
  const { status, retryAfterMs = 0 } = error
  const delayMs = retryDelaysMs[retries]
  const isBusy = status === 429
  const needsNewUrl = isExpired(error) || status === 409
  const isRefused = status >= 400 && status < 500 && !isBusy && !needsNewUrl

  if (isRefused) return { step: 'fail' }
  if (isOffline) return { step: 'wait-for-network' }
  if (delayMs === undefined || retryAfterMs > maxRetryAfterMs) return { step: 'fail' }
  const minDelayMs = isBusy ? minBusyMs : 0
  return {
    step: 'retry',
    delayMs: Math.max(delayMs, retryAfterMs, minDelayMs),
    needsNewUrl,
    isBusy,
  }
}

/** Why an upload makes no progress at the moment. */
export type Pause = 'none' | 'offline' | 'busy' | 'again'

type RetryOptions = {
  signal: AbortSignal
  onPause: (pause: Pause) => void
  /** Called before a retry that cannot use the old URL. */
  renewUrl: () => Promise<void>
}

/** After a 429, no upload on this page starts another attempt before this time. */
let busyUntilMs = 0

/** Repeats an attempt until it succeeds, fails for good, or is cancelled. Errors other than UploadError are thrown. */
export async function retryUpload(
  attempt: () => Promise<void>,
  { signal, onPause, renewUrl }: RetryOptions,
): Promise<void> {
  for (let retries = 0; ;) {
    signal.throwIfAborted()
    if (busyUntilMs > Date.now()) {
      onPause('busy')
      await sleep(busyUntilMs - Date.now(), signal)
      onPause('none')
    }
    const error = await attempt().then(() => undefined, toUploadError)
    if (!error) return

    const next = decideNextStep(error, { retries, isOffline: !navigator.onLine })
    if (next.step === 'fail') throw error
    if (next.step === 'wait-for-network') {
      onPause('offline')
      await waitForNetwork(signal)
    } else {
      retries += 1
      if (next.isBusy) busyUntilMs = Date.now() + next.delayMs
      onPause(next.isBusy ? 'busy' : 'again')
      await sleep(next.delayMs, signal)
      if (next.needsNewUrl) await renewUrl()
    }
    onPause('none')
  }
}

function toUploadError(error: unknown): UploadError {
  if (error instanceof UploadError) return error
  throw error
}

function waitForNetwork(signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    addEventListener('online', () => resolve(), { once: true, signal })
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}
