import { CircleAlert, CircleCheck, X } from 'lucide-react'
import { Toast as Radix } from 'radix-ui'

import { classNames } from './class-names.ts'
import { closeNewestLayer } from './open-layers.ts'
import { dismissToast, type Toast, useToasts } from './use-toast.ts'

const durationMs = 5000
const swipeThresholdPx = 50

/**
 * The top of the screen, as high as the bar of the back-office (h-14), belongs to toasts: dialogs and panels begin below
 * it, so that a toast covers nothing that somebody works with. Two lines of text fit.
 */
export function Toaster() {
  const toasts = useToasts()

  return (
    <Radix.Provider duration={durationMs} swipeDirection="right" swipeThreshold={swipeThresholdPx}>
      {toasts.map((toast) => (
        <ToastCard key={toast.id} toast={toast} />
      ))}
      <Radix.Viewport
        hotkey={['F8']}
        className="fixed inset-x-0 top-0 z-50 mx-auto w-full px-1 py-0.5 outline-none md:max-w-[420px]"
      />
    </Radix.Provider>
  )
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
        'flex min-h-13 w-full animate-toast items-center gap-2.5 rounded-xl border ps-3 pe-1 shadow-lifted',
        'data-[state=closed]:animate-leave data-[swipe=cancel]:translate-x-0 data-[swipe=cancel]:transition-transform',
        'data-[swipe=end]:animate-swipe-out data-[swipe=move]:translate-x-(--radix-toast-swipe-move-x)',
        frame,
      )}
    >
      <Icon aria-hidden className={classNames('size-4.5 shrink-0', mark)} />
      <div className="min-w-0 flex-1 py-1.5 text-[0.8125rem]/4.5 wrap-anywhere">
        <Radix.Title className="inline font-semibold">{toast.title}</Radix.Title>{' '}
        {toast.description !== undefined && (
          <Radix.Description className="inline text-soft">{toast.description}</Radix.Description>
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
