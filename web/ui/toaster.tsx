import { Toast as Radix } from 'radix-ui'
import type { ReactNode } from 'react'

import { classNames } from './class-names.ts'
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
        className={classNames(
          'fixed inset-x-0 top-0 z-50 flex flex-col gap-2 p-4 outline-none',
          'md:start-auto md:top-auto md:bottom-0 md:w-full md:max-w-[420px] md:p-6',
          // Over an open dialog: at its head, where nothing is to be pressed.
          'md:in-[body:has([role=dialog])]:start-0 md:in-[body:has([role=dialog])]:top-0 md:in-[body:has([role=dialog])]:bottom-auto',
        )}
      />
    </Radix.Provider>
  )
}
