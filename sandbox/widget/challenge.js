import { createElement, texts } from './form.js'

const challengeTimeoutMs = 10 * 60_000

/** @typedef {{ url: string, redirect_url?: string, payload?: Record<string, string> }} NextStep */

/**
 * Shows the bank's page in a frame, loaded with GET: a shop's `form-action 'self'` would forbid the form that
 * next_step describes. Resolves to the transaction's status, which is PENDING if nobody answered.
 * @param {HTMLElement} stage
 * @param {NextStep} nextStep
 * @param {AbortSignal} unmounted
 * @returns {Promise<string>}
 */
export function showChallenge(stage, nextStep, unmounted) {
  const url = challengeUrl(nextStep, location.origin)
  // oxlint-disable-next-line react/iframe-missing-sandbox -- a bank's page needs everything that a sandbox takes away
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

/** Leaves the page; the bank's page returns to the shop's redirect_url. @param {NextStep} nextStep */
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
