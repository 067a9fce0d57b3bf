import { Toast as Radix } from 'radix-ui'
import type { ReactNode } from 'react'

import { Toast } from './toast.tsx'
import { dismissToast, useToasts } from './use-toast.ts'

const durationMs = 5000
const swipeThresholdPx = 50

/** Where toasts appear: above on a phone, so that no button is covered, else in the lower corner. F8 goes there. */
export function Toaster({ children }: { children: ReactNode }) {
  const toasts = useToasts()

  return (
    <Radix.Provider duration={durationMs} swipeDirection="right" swipeThreshold={swipeThresholdPx}>
      {children}
      {toasts.map((toast) => (
        <Toast
          key={toast.id}
          toast={toast}
          onOpenChange={(isOpen) => {
            if (!isOpen) dismissToast(toast.id)
          }}
        />
      ))}
      <Radix.Viewport
        hotkey={['F8']}
        className="fixed inset-x-0 top-0 z-50 flex flex-col gap-2 p-4 outline-none md:start-auto md:top-auto md:bottom-0 md:w-full md:max-w-[420px] md:p-6"
      />
    </Radix.Provider>
  )
}
