import { type RefObject, useEffect, useRef } from 'react'

/**
 * The button that begins a run is gone with the first step of it, and Cancel with the last. Whoever came by keyboard
 * stays in the bar meanwhile, not on Cancel, where a key held too long would press it, and goes on in the page.
 */
export function useFocusWhileRunning(isRunning: boolean): RefObject<HTMLElement | null> {
  const bar = useRef<HTMLElement>(null)
  useEffect(() => {
    if (!isRunning) return
    const section = bar.current
    if (document.activeElement === document.body) section?.focus({ preventScroll: true })
    return () => {
      const { activeElement } = document
      const isHere = activeElement === document.body || section?.contains(activeElement)
      if (isHere) document.querySelector('main')?.focus({ preventScroll: true })
    }
  }, [isRunning])
  return bar
}
