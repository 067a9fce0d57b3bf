import { CircleAlert, CircleCheck, X } from 'lucide-react'
import { Toast as Radix } from 'radix-ui'
import { type RefObject, useLayoutEffect, useRef } from 'react'

import { classNames } from './class-names.ts'
import { closeNewestLayer } from './open-layers.ts'
import { dismissToast, type Toast, useToasts } from './use-toast.ts'

const durationMs = 5000
const swipeThresholdPx = 50

/** At the top of a phone, where they cover no button, else in the lower corner; where a dialog is open, by its parts. */
export function Toaster() {
  const toasts = useToasts()
  const viewport = useRef<HTMLOListElement>(null)
  usePlaceInDialog(viewport)

  return (
    <Radix.Provider duration={durationMs} swipeDirection="right" swipeThreshold={swipeThresholdPx}>
      {toasts.map((toast) => (
        <ToastCard key={toast.id} toast={toast} />
      ))}
      <Radix.Viewport
        ref={viewport}
        hotkey={['F8']}
        className={classNames(
          'fixed inset-x-0 top-0 z-50 flex flex-col gap-2 p-4 outline-none',
          'md:start-auto md:top-auto md:bottom-0 md:w-full md:max-w-[420px] md:p-6',
          'data-[over=dialog]:top-(--toast-top) data-[over=dialog]:bottom-(--toast-bottom) data-[over=dialog]:mx-auto data-[over=dialog]:md:inset-x-0',
          // At the other side of the screen than the panel.
          'data-[over=panel]:top-auto data-[over=panel]:bottom-0 data-[over=panel]:md:start-0 data-[over=panel]:md:end-auto',
        )}
      />
    </Radix.Provider>
  )
}

/** Room above a dialog that is enough for a toast. */
const roomPx = 120

/**
 * Over a dialog a toast covers neither its heading nor its buttons: above its footer; without one above the dialog, or
 * below its heading if there is no room.
 */
function usePlaceInDialog(viewport: RefObject<HTMLElement | null>) {
  useLayoutEffect(() => {
    function place(): void {
      const element = viewport.current
      if (!element) return
      const dialog = findDialog()
      const header = dialog?.querySelector(':scope > header')
      const footer = dialog?.querySelector(':scope > footer')
      const box = dialog?.getBoundingClientRect()
      const isPanel = box?.height === innerHeight
      if (box && !isPanel && (header || footer)) element.dataset.over = 'dialog'
      else if (isPanel) element.dataset.over = 'panel'
      else delete element.dataset.over
      const top = !box || box.top > roomPx ? 0 : header?.getBoundingClientRect().bottom
      element.style.setProperty('--toast-top', footer ? 'auto' : `${top ?? 0}px`)
      const bottom = footer && `${innerHeight - footer.getBoundingClientRect().top}px`
      element.style.setProperty('--toast-bottom', bottom ?? 'auto')
    }
    const resizes = new ResizeObserver(place)
    function follow(): void {
      resizes.disconnect()
      const dialog = findDialog()
      for (const part of dialog ? [dialog, ...dialog.children] : []) resizes.observe(part)
      place()
    }
    follow()
    // Dialogs are children of the body.
    const changes = new MutationObserver(follow)
    changes.observe(document.body, { childList: true })
    addEventListener('resize', place)
    return () => {
      resizes.disconnect()
      changes.disconnect()
      removeEventListener('resize', place)
    }
  }, [viewport])
}

/** The topmost; a popover is none. */
function findDialog(): Element | undefined {
  return [...document.querySelectorAll('[role=dialog]:not([data-side])')].at(-1)
}

const variants = {
  default: { frame: 'border-line bg-card', icon: CircleCheck, mark: 'text-accent' },
  destructive: {
    frame: 'border-danger-line bg-danger-wash',
    icon: CircleAlert,
    mark: 'text-danger',
  },
}

function ToastCard({ toast }: { toast: Toast }) {
  const { frame, icon: Icon, mark } = variants[toast.variant ?? 'default']

  return (
    <Radix.Root
      open={toast.isOpen}
      onOpenChange={(isOpen) => {
        if (!isOpen) dismissToast(toast.id)
      }}
      onEscapeKeyDown={(event) => {
        // What is open below it closes first.
        if (!event.defaultPrevented && closeNewestLayer()) event.preventDefault()
      }}
      className={classNames(
        'flex w-full animate-toast items-start gap-3 rounded-xl border py-2.5 ps-4 pe-2 shadow-lifted',
        'data-[state=closed]:animate-leave data-[swipe=cancel]:translate-x-0 data-[swipe=cancel]:transition-transform',
        'data-[swipe=end]:animate-swipe-out data-[swipe=move]:translate-x-(--radix-toast-swipe-move-x)',
        frame,
      )}
    >
      <Icon aria-hidden className={classNames('mt-1.5 size-5 shrink-0', mark)} />
      <div className="min-w-0 flex-1 py-1.5 text-sm wrap-anywhere">
        <Radix.Title className="font-semibold">{toast.title}</Radix.Title>
        {toast.description !== undefined && (
          <Radix.Description className="mt-0.5 text-soft">{toast.description}</Radix.Description>
        )}
      </div>
      {toast.action && (
        <Radix.Action
          altText={toast.action.altText}
          onClick={toast.action.onClick}
          className="h-8 shrink-0 rounded-md border border-line-strong/60 px-3 text-sm font-medium hover:bg-ink/6 pointer-coarse:h-11"
        >
          {toast.action.label}
        </Radix.Action>
      )}
      <Radix.Close
        aria-label="Close"
        className="grid size-8 shrink-0 place-items-center rounded-md text-muted transition-colors hover:bg-ink/6 hover:text-ink pointer-coarse:size-11"
      >
        <X aria-hidden className="size-4" />
      </Radix.Close>
    </Radix.Root>
  )
}
