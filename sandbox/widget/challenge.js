import { createElement } from './fields.js'
import { texts } from './texts.js'

/** A payer who has not answered the bank by then has gone. */
const challengeTimeoutMs = 10 * 60_000

/** @typedef {{ url: string, redirect_url?: string, payload?: Record<string, string> }} NextStep */

/**
 * The bank's page in a frame. It is asked for with GET: a shop's `form-action 'self'` would forbid the
 * form that next_step describes. Ends with the transaction's status, which is PENDING when nobody answered.
 * @param {HTMLElement} stage
 * @param {NextStep} nextStep
 * @param {AbortSignal} unmounted
 * @returns {Promise<string>}
 */
export function showChallenge(stage, nextStep, unmounted) {
  const url = challengeUrl(nextStep, location.origin)
  // oxlint-disable-next-line react/iframe-missing-sandbox -- a bank's page needs all that it would take away
  const frame = createElement('iframe', { src: url.href, title: texts.challenge })
  stage.replaceChildren(frame)
  return new Promise((resolve) => {
    const listening = new AbortController()
    /** @param {string} status */
    const end = (status) => {
      listening.abort()
      clearTimeout(timer)
      frame.remove()
      resolve(status)
    }
    const timer = setTimeout(end, challengeTimeoutMs, 'PENDING')
    addEventListener(
      'message',
      ({ origin, source, data }) => {
        if (origin !== url.origin || source !== frame.contentWindow) return
        if (data?.type === 'sumup-challenge-ended') end(String(data.status))
      },
      { signal: listening.signal },
    )
    unmounted.addEventListener('abort', () => end('PENDING'), { signal: listening.signal })
  })
}

/** Leaves the page: the shop gave a redirect_url to come back to. @param {NextStep} nextStep */
export function leaveForChallenge(nextStep) {
  location.assign(challengeUrl(nextStep).href)
}

/** @param {NextStep} nextStep @param {string} [parent] */
function challengeUrl({ url, payload = {} }, parent) {
  const address = new URL(url)
  for (const [name, value] of Object.entries(payload)) address.searchParams.set(name, value)
  if (parent !== undefined) address.searchParams.set('parent', parent)
  return address
}
