import type { ReactNode } from 'react'

export type ToastVariant = 'default' | 'destructive'

export type ToastAction = {
  label: string
  /** How else to get there, for those whom the toast may leave before they reach it. */
  altText: string
  onClick: () => void
}

export type ToastContent = {
  title: string
  description?: ReactNode
  variant?: ToastVariant
  action?: ToastAction
}

export type ShownToast = ToastContent & { id: string; isOpen: boolean }

export type ToastChange =
  | { type: 'added'; toast: ShownToast }
  | { type: 'updated'; id: string; content: Partial<ToastContent> }
  | { type: 'dismissed'; id: string }
  | { type: 'removed'; id: string }

/** A second message takes the place of the first: a stack of them is read by nobody. */
export const mostToastsShown = 1

export function changeToasts(
  toasts: readonly ShownToast[],
  change: ToastChange,
): readonly ShownToast[] {
  switch (change.type) {
    case 'added':
      return [change.toast, ...toasts].slice(0, mostToastsShown)
    case 'updated':
      return edit(toasts, change.id, change.content)
    case 'dismissed':
      return edit(toasts, change.id, { isOpen: false })
    case 'removed':
      return toasts.filter((toast) => toast.id !== change.id)
  }
}

function edit(toasts: readonly ShownToast[], id: string, changes: Partial<ShownToast>) {
  return toasts.map((toast) => (toast.id === id ? { ...toast, ...changes } : toast))
}
