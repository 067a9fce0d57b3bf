import { X } from 'lucide-react'
import { Dialog } from 'radix-ui'
import type { ReactNode } from 'react'

import { Button } from './button.tsx'
import { classNames } from './class-names.ts'
import { useFocusReturn } from './use-focus-return.ts'

type SheetProps = {
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
  /** Names the panel to those who do not see it. */
  title: string
  children: ReactNode
  className?: string
}

/** A panel over the page's starting edge: focus stays inside, Esc and a tap on the veil close it. */
export function Sheet({ isOpen, onOpenChange, title, children, className }: SheetProps) {
  const focus = useFocusReturn()

  return (
    <Dialog.Root open={isOpen} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 animate-appear bg-veil data-[state=closed]:animate-leave" />
        <Dialog.Content
          aria-describedby={undefined}
          onOpenAutoFocus={focus.remember}
          onCloseAutoFocus={focus.giveBack}
          className={classNames(
            'fixed inset-y-0 start-0 z-40 flex max-w-[calc(100vw-3rem)] animate-panel flex-col bg-well shadow-lifted outline-none data-[state=closed]:animate-panel-leave',
            className,
          )}
        >
          <Dialog.Title className="sr-only">{title}</Dialog.Title>
          {children}
          <Dialog.Close asChild>
            <Button
              look="bare"
              size="icon"
              className="absolute end-2 top-2.5 pointer-coarse:top-1.5"
            >
              <X aria-hidden className="size-4.5" />
              <span className="sr-only">Close</span>
            </Button>
          </Dialog.Close>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
