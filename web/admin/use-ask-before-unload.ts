import { useEffect } from 'react'

/** The browser asks in its own words when the tab is closed or reloaded, until the answer is called. */
export function askBeforeUnload(): () => void {
  const ask = (event: Event) => event.preventDefault()
  window.addEventListener('beforeunload', ask)
  return () => window.removeEventListener('beforeunload', ask)
}

export function useAskBeforeUnload(isNeeded: boolean) {
  useEffect(() => (isNeeded ? askBeforeUnload() : undefined), [isNeeded])
}
