import { useCallback, useState } from 'react'

/** How wide an element is, in whole pixels; nothing until it is on the screen. */
export function useWidth() {
  const [widthPx, setWidthPx] = useState(0)
  const measure = useCallback((element: HTMLElement | null) => {
    if (!element) return
    setWidthPx(element.clientWidth)
    const observer = new ResizeObserver(() => setWidthPx(element.clientWidth))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return { widthPx, measure }
}
