import { hasExpired, type UploadFailure } from './upload-failure.ts'

/** The pauses before each further attempt; after the last one the upload has failed. */
export const retryDelaysMs = [0, 1000, 3000, 5000]

/** Who is asked to slow down and not told how much does so by at least this. */
const leastSlowdownMs = 1000
/** Who is asked to come back later than this is told so, instead of watching a bar stand still. */
const longestPatienceMs = 60_000

export type NextStep =
  | {
      step: 'retry'
      afterMs: number
      /** The address to upload to is used up: ask for another one first. */
      needsNewAddress: boolean
      /** Other uploads wait as long, too. */
      slowsDown: boolean
    }
  | { step: 'wait-for-network' }
  | { step: 'fail' }

/** What to do after a failed attempt, as spec section 4 has it. */
export function decideNextStep(
  failure: Pick<UploadFailure, 'status' | 'message' | 'retryAfterMs'>,
  { retries, isOffline }: { retries: number; isOffline: boolean },
): NextStep {
  const { status, message, retryAfterMs = 0 } = failure
  const delayMs = retryDelaysMs[retries]
  const isUsedUp = (status === 403 && message === hasExpired) || status === 409
  const isRefused = status >= 400 && status < 500 && status !== 429 && !isUsedUp

  if (isRefused) return { step: 'fail' }
  if (isOffline) return { step: 'wait-for-network' }
  if (delayMs === undefined || retryAfterMs > longestPatienceMs) return { step: 'fail' }
  return {
    step: 'retry',
    afterMs: Math.max(delayMs, retryAfterMs, status === 429 ? leastSlowdownMs : 0),
    needsNewAddress: isUsedUp,
    slowsDown: status === 429,
  }
}
