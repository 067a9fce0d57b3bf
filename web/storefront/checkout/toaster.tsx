import { useEffect, useEffectEvent, useRef, useState } from 'react'

import { classNames } from '#web/ui/class-names.ts'
import type { ShownToast } from '#web/ui/toast-state.ts'
import { dismissToast, useToasts } from '#web/ui/use-toast.ts'

import { useSwipe } from './use-swipe.ts'
import { Icon } from './icon.tsx'

const durationMs = 5000

/**
 * Where toasts appear: above on a phone, so that Pay now is not covered, else in the lower corner. F8 goes there.
 * The admin's toasts are Radix; these weigh a tenth. Both regions stand from the start, or nobody would hear them.
 */
export function Toaster() {
  const region = useRef<HTMLElement>(null)
  const shown = useToasts().find(({ isOpen }) => isOpen)
  const isAlert = shown?.variant === 'destructive'
  useHotkey(() => region.current?.focus())

  return (
    <section
      ref={region}
      aria-label="Notifications (F8)"
      tabIndex={-1}
      className="pointer-events-none fixed inset-x-0 top-0 z-50 p-4 outline-none md:start-auto md:top-auto md:bottom-0 md:w-full md:max-w-[420px] md:p-6 print:hidden"
    >
      <div role="alert">{shown && isAlert && <Toast key={shown.id} toast={shown} />}</div>
      <output>{shown && !isAlert && <Toast key={shown.id} toast={shown} />}</output>
    </section>
  )
}

function Toast({ toast }: { toast: ShownToast }) {
  const [isHeld, setIsHeld] = useState(false)
  const swipe = useSwipe(() => dismissToast(toast.id))
  const isAlert = toast.variant === 'destructive'

  useEffect(() => {
    if (isHeld) return undefined
    const timer = setTimeout(() => dismissToast(toast.id), durationMs)
    return () => clearTimeout(timer)
  }, [isHeld, toast.id])

  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- it holds still while looked at; nothing to operate
    <span
      {...swipe}
      onPointerEnter={() => setIsHeld(true)}
      onPointerLeave={() => setIsHeld(false)}
      onFocus={() => setIsHeld(true)}
      onBlur={() => setIsHeld(false)}
      className={classNames(
        'pointer-events-auto flex animate-toast touch-pan-y items-start gap-3 rounded-xl border py-2.5 ps-4 pe-2 shadow-lifted',
        isAlert ? 'border-danger-line bg-danger-wash' : 'border-line bg-card',
      )}
    >
      <Icon
        name={isAlert ? 'alert' : 'good'}
        className={classNames('mt-1.5 size-5 shrink-0', isAlert ? 'text-danger' : 'text-accent')}
      />
      <span className="min-w-0 flex-1 py-1.5 text-sm wrap-anywhere">
        <strong className="block font-semibold">{toast.title}</strong>
        {toast.description !== undefined && (
          <span className="mt-0.5 block text-soft">{toast.description}</span>
        )}
      </span>
      <button
        type="button"
        onClick={() => dismissToast(toast.id)}
        className="grid size-9 shrink-0 place-items-center rounded-md text-muted hover:bg-ink/6 hover:text-ink pointer-coarse:size-11"
      >
        <Icon name="cross" className="size-4" />
        <span className="sr-only">Close</span>
      </button>
    </span>
  )
}

function useHotkey(onPress: () => void): void {
  const pressed = useEffectEvent(onPress)
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key === 'F8') pressed()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
}
