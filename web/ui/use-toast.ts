import { type ReactNode, useSyncExternalStore } from 'react'

export type ToastContent = {
  title: string
  description?: ReactNode
  variant?: 'default' | 'destructive'
  action?: {
    label: string
    /** Another way to the same result, for screen reader users whose toast closes before they reach it. */
    altText: string
    onClick: () => void
  }
}

export type Toast = ToastContent & { id: string; isOpen: boolean }

/** A new toast replaces the one before. */
const maxToasts = 1
/** A dismissed toast is kept for its closing animation, and removed this much later. */
const removalDelayMs = 1_000_000

let toasts: readonly Toast[] = []
let lastId = 0
const listeners = new Set<() => void>()

/** Shows a toast; callable from anywhere in the browser. */
export function toast(content: ToastContent) {
  lastId += 1
  const id = String(lastId)
  setToasts([{ ...content, id, isOpen: true }, ...toasts].slice(0, maxToasts))
  return { dismiss: () => dismissToast(id) }
}

/** Without an id, dismisses every toast. */
export function dismissToast(id?: string): void {
  const isDismissed = (shown: Toast) => id === undefined || shown.id === id
  const dismissed = toasts.filter(isDismissed)
  setToasts(toasts.map((shown) => (isDismissed(shown) ? { ...shown, isOpen: false } : shown)))
  setTimeout(
    () => setToasts(toasts.filter((shown) => !dismissed.some((gone) => gone.id === shown.id))),
    removalDelayMs,
  )
}

export function listToasts(): readonly Toast[] {
  return toasts
}

export function useToasts(): readonly Toast[] {
  return useSyncExternalStore(subscribe, listToasts)
}

function setToasts(changed: readonly Toast[]): void {
  toasts = changed
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
