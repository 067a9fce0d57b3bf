import { useSyncExternalStore } from 'react'

import {
  changeToasts,
  type ShownToast,
  type ToastChange,
  type ToastContent,
} from './toast-state.ts'

/** A dismissed toast leaves the screen at once and is forgotten this much later. */
const removalDelayMs = 1_000_000

let toasts: readonly ShownToast[] = []
let lastId = 0
const listeners = new Set<() => void>()

/** Says something to whoever sits before the screen; callable from anywhere in the browser. */
export function toast(content: ToastContent) {
  const id = String(++lastId)
  apply({ type: 'added', toast: { ...content, id, isOpen: true } })
  return {
    update: (changes: Partial<ToastContent>) => apply({ type: 'updated', id, content: changes }),
    dismiss: () => dismissToast(id),
  }
}

export function dismissToast(id: string) {
  apply({ type: 'dismissed', id })
  setTimeout(() => apply({ type: 'removed', id }), removalDelayMs)
}

export function useToasts(): readonly ShownToast[] {
  return useSyncExternalStore(subscribe, () => toasts)
}

function apply(change: ToastChange) {
  toasts = changeToasts(toasts, change)
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
