import { useEffect, useEffectEvent } from 'react'

/** How to close what is open over the page, the newest last: dialogs, panels, popovers and menus, but no toasts. */
const layers: (() => void)[] = []

/** For everything that Escape closes. */
export function useOpenLayer(isOpen: boolean, onClose: () => void): void {
  const close = useEffectEvent(onClose)
  useEffect(() => {
    if (!isOpen) return
    const layer = () => close()
    layers.push(layer)
    return () => {
      layers.splice(layers.indexOf(layer), 1)
    }
  }, [isOpen])
}

export function countOpenLayers(): number {
  return layers.length
}

/**
 * Radix gives Escape to the newest layer alone. If that is a toast, it has to close what is open below it. Returns
 * whether anything was.
 */
export function closeNewestLayer(): boolean {
  const newest = layers.at(-1)
  newest?.()
  return newest !== undefined
}

let isReturning = false

/** For the focus that goes back to where it was before something opened: it is not somebody who looks for a tooltip. */
export function returnFocus(element: HTMLElement): void {
  isReturning = true
  element.focus()
  isReturning = false
}

export function isFocusReturning(): boolean {
  return isReturning
}
