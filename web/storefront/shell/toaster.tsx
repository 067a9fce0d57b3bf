import {
  type PointerEvent,
  type RefObject,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'

import { classNames } from '#web/ui/class-names.ts'
import { dismissToast, type Toast, useToasts } from '#web/ui/use-toast.ts'

import { Icon } from './icon.tsx'
import { texts } from './language.ts'

const durationMs = 5000
const swipeThresholdPx = 50

/**
 * At the top of a phone, unless they cover there what is in use, else in the lower corner beside the form. A tenth of the size of Radix's
 * toasts, which the admin uses. Both live regions are always rendered, because screen readers ignore new ones.
 */
export function Toaster() {
  const region = useRef<HTMLElement>(null)
  const shown = useToasts().find(({ isOpen }) => isOpen)
  const isAlert = shown?.variant === 'destructive'
  const isLow = useCoversFocus(region, shown?.id)
  useFocusHotkey(() => region.current?.focus())

  return (
    <section
      ref={region}
      aria-label={texts().toasts.region}
      tabIndex={-1}
      className={classNames(
        'pointer-events-none fixed inset-x-0 z-50 p-4 outline-none md:start-auto md:bottom-0 md:w-full md:max-w-[420px] md:p-6 print:hidden',
        isLow ? 'bottom-0' : 'top-0 md:top-auto',
      )}
    >
      <div role="alert">{shown && isAlert && <ToastCard key={shown.id} toast={shown} />}</div>
      <output>{shown && !isAlert && <ToastCard key={shown.id} toast={shown} />}</output>
    </section>
  )
}

/** Whether the toast, at the top of the screen, would cover the field, button or text that has the focus. */
function useCoversFocus(region: RefObject<HTMLElement | null>, id: string | undefined): boolean {
  const [isCovering, setIsCovering] = useState(false)
  useLayoutEffect(() => {
    if (id === undefined) return undefined
    const compare = () => {
      const [toasts, used] = [region.current, document.activeElement]
      if (!toasts || !used || toasts.contains(used)) return
      const { top, bottom } = used.getBoundingClientRect()
      setIsCovering(used !== document.body && bottom > 0 && top < toasts.offsetHeight)
    }
    compare()
    document.addEventListener('focusin', compare)
    return () => document.removeEventListener('focusin', compare)
  }, [region, id])
  return isCovering
}

function ToastCard({ toast }: { toast: Toast }) {
  const [isPaused, setIsPaused] = useState(false)
  const swipe = useSwipe(() => dismissToast(toast.id))
  const isAlert = toast.variant === 'destructive'

  useEffect(() => {
    if (isPaused) return undefined
    const timer = setTimeout(() => dismissToast(toast.id), durationMs)
    return () => clearTimeout(timer)
  }, [isPaused, toast.id])

  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- it pauses while pointed at; nothing to operate
    <span
      {...swipe}
      onPointerEnter={() => setIsPaused(true)}
      onPointerLeave={() => setIsPaused(false)}
      onFocus={() => setIsPaused(true)}
      onBlur={() => setIsPaused(false)}
      className={classNames(
        'pointer-events-auto flex animate-toast touch-pan-y items-start gap-3 rounded-xl border py-2.5 ps-4 pe-2 shadow-lifted',
        isAlert ? 'border-danger-line bg-danger-wash' : 'border-line bg-card',
      )}
    >
      <Icon
        name={isAlert ? 'alert' : 'check'}
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
        <span className="sr-only">{texts().toasts.close}</span>
      </button>
    </span>
  )
}

/** Swiping a toast to the right dismisses it. */
function useSwipe(onSwiped: () => void) {
  const startX = useRef<number>(undefined)

  function moveTo(element: HTMLElement, px: number): void {
    element.style.translate = px === 0 ? '' : `${px}px`
  }

  function distanceOf({ clientX }: PointerEvent): number {
    return startX.current === undefined ? 0 : Math.max(0, clientX - startX.current)
  }

  return {
    onPointerDown({ target, clientX }: PointerEvent<HTMLElement>) {
      if (target instanceof Element && !target.closest('button')) startX.current = clientX
    },
    onPointerMove(event: PointerEvent<HTMLElement>) {
      moveTo(event.currentTarget, distanceOf(event))
    },
    onPointerUp(event: PointerEvent<HTMLElement>) {
      const isFarEnough = distanceOf(event) >= swipeThresholdPx
      startX.current = undefined
      if (isFarEnough) onSwiped()
      else moveTo(event.currentTarget, 0)
    },
    onPointerCancel(event: PointerEvent<HTMLElement>) {
      startX.current = undefined
      moveTo(event.currentTarget, 0)
    },
  }
}

function useFocusHotkey(focus: () => void): void {
  const onPress = useEffectEvent(focus)
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key === 'F8') onPress()
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [])
}
