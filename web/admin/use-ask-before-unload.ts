import { useEffect } from 'react'

/** The browser asks in its own words when the tab is closed or reloaded. */
export function useAskBeforeUnload(isNeeded: boolean) {
  useEffect(() => {
    if (!isNeeded) return
    const ask = (event: Event) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [isNeeded])
}
