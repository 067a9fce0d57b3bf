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
  /** The edge of the page it comes from. */
  side?: keyof typeof sides
  children: ReactNode
  className?: string
}

const sides = { start: 'start-0 bg-well', end: 'end-0 bg-paper [--panel-edge:1]' }

/** A panel over an edge of the page: focus stays inside, Esc and a tap on the veil close it. */
export function Sheet(props: SheetProps) {
  const { isOpen, onOpenChange, title, side = 'start', children, className } = props
  const focus = useFocusReturn()

  return (
    <Dialog.Root open={isOpen} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 animate-appear bg-veil data-[state=closed]:animate-leave" />
        <Dialog.Content
          aria-describedby={undefined}
          onOpenAutoFocus={(event) => {
            focus.remember()
            // The panel itself: its first button may be far down, and have a tooltip that takes the first Esc.
            event.preventDefault()
            if (event.currentTarget instanceof HTMLElement) event.currentTarget.focus()
          }}
          onCloseAutoFocus={focus.giveBack}
          className={classNames(
            'fixed inset-y-0 z-40 flex max-w-[calc(100vw-3rem)] animate-panel flex-col shadow-lifted outline-none data-[state=closed]:animate-panel-leave',
            sides[side],
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
