/** At the latest, on a page that is never idle. */
const timeoutMs = 2_000

/** Does what can wait for the first screen. Returns a function that calls it off. */
export function whenIdle(work: () => void): () => void {
  // Safari has no idle callbacks.
  if (!('requestIdleCallback' in globalThis)) {
    const timer = setTimeout(work, 200)
    return () => clearTimeout(timer)
  }
  const id = requestIdleCallback(work, { timeout: timeoutMs })
  return () => cancelIdleCallback(id)
}
