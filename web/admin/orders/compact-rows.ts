import { useSyncExternalStore } from 'react'

import { useIsPrinting } from '#web/ui/use-is-printing.ts'

const storageKey = 'compact-rows'
const listeners = new Set<() => void>()
let isCompact: boolean | undefined

/**
 * Whether lists of orders have one line for each order. Remembered by the browser, for all lists. Never on paper, where
 * nobody can look at what was cut off.
 */
export function useCompactRows(): { isCompact: boolean; toggle: () => void } {
  const isChosen = useSyncExternalStore(subscribe, readIsCompact)
  const isPrinting = useIsPrinting()
  return { isCompact: isChosen && !isPrinting, toggle }
}

function readIsCompact(): boolean {
  isCompact ??= readStorage() === 'true'
  return isCompact
}

function toggle(): void {
  isCompact = !readIsCompact()
  try {
    localStorage.setItem(storageKey, String(isCompact))
  } catch {
    // Without storage it holds for as long as the page does.
  }
  for (const listener of listeners) listener()
}

function readStorage(): string | null {
  try {
    return localStorage.getItem(storageKey)
  } catch {
    return null
  }
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
