import { X } from 'lucide-react'
import { AlertDialog, Dialog as RadixDialog } from 'radix-ui'
import { type ReactNode, useRef } from 'react'

import { Button } from './button.tsx'
import { classNames } from './class-names.ts'
import { returnFocus, useOpenLayer } from './open-layers.ts'

type DialogProps = {
  title: string
  description: string
  /** Called by Esc, a click outside and the close button; the caller stops rendering the dialog. */
  onClose: () => void
  /** Above and below the content; they do not scroll with it. */
  menu?: ReactNode
  footer?: ReactNode
  children: ReactNode
  className?: string
}

/** Open for as long as it is rendered; on a phone at the bottom of the screen. */
export function Dialog(props: DialogProps) {
  const { title, description, onClose, menu, footer, children, className } = props
  const focus = useFocusReturn()
  useOpenLayer(true, onClose)

  return (
    <RadixDialog.Root open onOpenChange={onClose}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay className="fixed inset-0 z-40 animate-appear bg-veil" />
        <RadixDialog.Content
          onOpenAutoFocus={focus.remember}
          onCloseAutoFocus={focus.restore}
          className={classNames(
            'fixed inset-x-0 top-14 bottom-4 z-40 m-auto flex h-fit max-h-[calc(100dvh-4.5rem)] w-[calc(100%-3rem)] animate-rise flex-col overflow-hidden rounded-2xl bg-paper shadow-lifted outline-none',
            'max-sm:top-auto max-sm:bottom-0 max-sm:mb-0 max-sm:max-h-[calc(100dvh-3.5rem)] max-sm:w-full max-sm:max-w-none max-sm:rounded-b-none',
            className,
          )}
        >
          <header className="border-b border-line py-4 ps-6 pe-16 max-sm:ps-4">
            <RadixDialog.Title className="text-lg font-semibold tracking-tight wrap-anywhere">
              {title}
            </RadixDialog.Title>
            <RadixDialog.Description className="mt-0.5 text-sm text-soft">
              {description}
            </RadixDialog.Description>
          </header>
          {menu && <div className="border-b border-line px-6 py-2.5 max-sm:px-4">{menu}</div>}
          {/* The padding leaves room for the label and the error of a field that takes the focus, and for a toast. Not
              flex-1: its basis of 0% leaves the content no height in WebKit. */}
          <div className="min-h-0 flex-auto scroll-pt-12 scroll-pb-28 overflow-y-auto overscroll-contain px-6 py-6 max-sm:px-4">
            {children}
          </div>
          {footer && (
            <footer className="border-t border-line bg-well px-6 py-4 max-sm:px-4">{footer}</footer>
          )}
          <CloseButton className="end-4 top-4 max-sm:end-2" />
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  )
}

type ConfirmDialogProps = {
  title: string
  description: string
  keepLabel: string
  loseLabel: string
  onKeep: () => void
  onLose: () => void
  /** The look of the button that calls `onLose`. */
  look?: 'danger' | 'primary'
  /** The dialog stays open until the action has ended. */
  isPending?: boolean
  children?: ReactNode
}

/** Asks before something is lost; open for as long as it is rendered. Esc keeps it. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, description, keepLabel, loseLabel, onKeep, onLose, isPending, children } = props
  const { look = 'danger' } = props
  const focus = useFocusReturn()
  const close = () => {
    if (!isPending) onKeep()
  }
  useOpenLayer(true, close)

  return (
    <AlertDialog.Root open onOpenChange={close}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className="fixed inset-0 z-50 animate-appear bg-veil" />
        <AlertDialog.Content
          onOpenAutoFocus={focus.remember}
          onCloseAutoFocus={focus.restore}
          className="fixed inset-0 z-50 m-auto h-fit w-[calc(100%-2rem)] max-w-sm animate-rise rounded-2xl bg-paper p-6 shadow-lifted outline-none"
        >
          <AlertDialog.Title className="text-lg font-semibold tracking-tight">
            {title}
          </AlertDialog.Title>
          <AlertDialog.Description className="mt-1.5 text-sm/6 text-soft">
            {description}
          </AlertDialog.Description>
          {children}
          <div className="mt-6 flex flex-wrap-reverse justify-end gap-3 max-sm:*:flex-1">
            <AlertDialog.Cancel asChild>
              <Button>{keepLabel}</Button>
            </AlertDialog.Cancel>
            <Button look={look} isPending={isPending} onClick={onLose}>
              {loseLabel}
            </Button>
          </div>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}

type SearchDialogProps = {
  /** For screen readers. */
  title: string
  onClose: () => void
  children: ReactNode
}

/** Near the top of the screen, where it keeps its place while its content grows, and above a phone's keyboard. */
export function SearchDialog({ title, onClose, children }: SearchDialogProps) {
  const focus = useFocusReturn()
  useOpenLayer(true, onClose)

  return (
    <RadixDialog.Root open onOpenChange={onClose}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay className="fixed inset-0 z-40 animate-appear bg-veil" />
        <RadixDialog.Content
          aria-describedby={undefined}
          onOpenAutoFocus={focus.remember}
          onCloseAutoFocus={focus.restore}
          className="fixed inset-x-0 top-[max(12dvh,3.5rem)] z-40 mx-auto flex w-[calc(100%-3rem)] max-w-xl animate-rise flex-col overflow-hidden rounded-2xl bg-paper shadow-lifted outline-none max-sm:top-14 max-sm:w-[calc(100%-1rem)]"
        >
          <RadixDialog.Title className="sr-only">{title}</RadixDialog.Title>
          {children}
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  )
}

type SheetProps = {
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
  /** For screen readers. */
  title: string
  /** The edge of the page it slides in from. */
  side?: keyof typeof sides
  children: ReactNode
  className?: string
}

const sides = {
  start: 'start-0 rounded-se-2xl bg-well',
  end: 'end-0 rounded-ss-2xl bg-paper [--panel-edge:1]',
}

/** A panel over an edge of the page. */
export function Sheet(props: SheetProps) {
  const { isOpen, onOpenChange, title, side = 'start', children, className } = props
  const focus = useFocusReturn()
  useOpenLayer(isOpen, () => onOpenChange(false))

  return (
    <RadixDialog.Root open={isOpen} onOpenChange={onOpenChange}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay className="fixed inset-0 z-40 animate-appear bg-veil data-[state=closed]:animate-leave" />
        <RadixDialog.Content
          aria-describedby={undefined}
          onOpenAutoFocus={(event) => {
            focus.remember()
            // Not its first button, which may be far down and have a tooltip that takes the first Esc.
            event.preventDefault()
            if (event.currentTarget instanceof HTMLElement) event.currentTarget.focus()
          }}
          onCloseAutoFocus={focus.restore}
          className={classNames(
            'fixed top-14 bottom-0 z-40 flex max-w-[calc(100vw-3rem)] animate-panel flex-col shadow-lifted outline-none data-[state=closed]:animate-panel-leave',
            sides[side],
            className,
          )}
        >
          <RadixDialog.Title className="sr-only">{title}</RadixDialog.Title>
          {children}
          <CloseButton className="end-2 top-2.5 pointer-coarse:top-1.5" />
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  )
}

function CloseButton({ className }: { className: string }) {
  return (
    <RadixDialog.Close asChild>
      <Button look="bare" size="icon" className={classNames('absolute', className)}>
        <X aria-hidden className="size-4.5" />
        <span className="sr-only">Close</span>
      </Button>
    </RadixDialog.Close>
  )
}

/**
 * Closing returns the focus to the element that had it, unless it has moved on, to a new page. If that element is gone,
 * such as the button of a list that is no longer empty, the page gets it.
 */
function useFocusReturn() {
  const opener = useRef<Element>(null)
  return {
    remember: () => {
      opener.current = document.activeElement
    },
    restore: (event: Event) => {
      event.preventDefault()
      if (document.activeElement !== document.body) return
      const isConnected = opener.current instanceof HTMLElement && opener.current.isConnected
      const target = isConnected ? opener.current : document.querySelector('main')
      if (target instanceof HTMLElement) returnFocus(target)
    },
  }
}
