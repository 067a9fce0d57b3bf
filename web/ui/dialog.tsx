import { X } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import type { ReactNode } from 'react'

import { Button } from './button.tsx'
import { classNames } from './class-names.ts'
import { useFocusReturn } from './use-focus-return.ts'

type DialogProps = {
  title: string
  description: string
  /** Esc, the veil and the cross all ask for it; whoever shows the dialog decides. */
  onClose: () => void
  /** Stays in sight while the rest scrolls. */
  footer?: ReactNode
  children: ReactNode
  className?: string
}

/** A dialog over the page, shown for as long as it is rendered; on a phone it rises from below. */
export function Dialog({ title, description, onClose, footer, children, className }: DialogProps) {
  const focus = useFocusReturn()

  return (
    <Radix.Root open onOpenChange={onClose}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 animate-appear bg-veil" />
        <Radix.Content
          onOpenAutoFocus={focus.remember}
          onCloseAutoFocus={focus.giveBack}
          className={classNames(
            'fixed inset-0 z-40 m-auto flex h-fit max-h-[calc(100dvh-3rem)] w-[calc(100%-3rem)] animate-rise flex-col overflow-hidden rounded-2xl bg-paper shadow-lifted outline-none',
            'max-sm:top-auto max-sm:mb-0 max-sm:max-h-[calc(100dvh-1rem)] max-sm:w-full max-sm:max-w-none max-sm:rounded-b-none',
            className,
          )}
        >
          <header className="border-b border-line py-4 ps-6 pe-16 max-sm:ps-4">
            <Radix.Title className="text-lg font-semibold tracking-tight wrap-anywhere">
              {title}
            </Radix.Title>
            <Radix.Description className="mt-0.5 text-sm text-soft">
              {description}
            </Radix.Description>
          </header>
          <div className="min-h-0 flex-1 overflow-y-auto overscroll-contain px-6 py-6 max-sm:px-4">
            {children}
          </div>
          {footer && (
            <footer className="border-t border-line bg-well px-6 py-4 max-sm:px-4">{footer}</footer>
          )}
          <Radix.Close asChild>
            <Button look="bare" size="icon" className="absolute end-4 top-4 max-sm:end-2">
              <X aria-hidden className="size-4.5" />
              <span className="sr-only">Close</span>
            </Button>
          </Radix.Close>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
