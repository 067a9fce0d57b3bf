import { type PointerEvent, useRef } from 'react'

const thresholdPx = 50

/** A toast leaves with a swipe to the right, and springs back from a shorter one. */
export function useSwipe(onSwiped: () => void) {
  const startX = useRef<number>(undefined)

  function wayOf(event: PointerEvent<HTMLElement>): number {
    return startX.current === undefined ? 0 : Math.max(0, event.clientX - startX.current)
  }

  function move(element: HTMLElement, px: number): void {
    element.style.translate = px === 0 ? '' : `${px}px`
  }

  return {
    onPointerDown(event: PointerEvent<HTMLElement>) {
      if (event.target instanceof Element && !event.target.closest('button'))
        startX.current = event.clientX
    },
    onPointerMove(event: PointerEvent<HTMLElement>) {
      move(event.currentTarget, wayOf(event))
    },
    onPointerUp(event: PointerEvent<HTMLElement>) {
      const isFarEnough = wayOf(event) >= thresholdPx
      startX.current = undefined
      if (isFarEnough) onSwiped()
      else move(event.currentTarget, 0)
    },
    onPointerCancel(event: PointerEvent<HTMLElement>) {
      startX.current = undefined
      move(event.currentTarget, 0)
    },
  }
}
