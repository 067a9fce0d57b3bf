import { Popover as Radix } from 'radix-ui'
import { type ReactNode, useState } from 'react'

import { useOpenLayer } from './open-layers.ts'

type PopoverProps = {
  /** The button that opens it. */
  trigger: ReactNode
  /** For screen readers. */
  title: string
  /** For a panel that something in it closes. */
  isOpen?: boolean
  onOpenChange?: (isOpen: boolean) => void
  children: ReactNode
}

/** A small panel beside the button that opens it. */
export function Popover({ trigger, title, isOpen: given, onOpenChange, children }: PopoverProps) {
  const [isOpenHere, setIsOpenHere] = useState(false)
  const isOpen = given ?? isOpenHere
  function change(isOpening: boolean) {
    setIsOpenHere(isOpening)
    onOpenChange?.(isOpening)
  }
  useOpenLayer(isOpen, () => change(false))

  return (
    <Radix.Root open={isOpen} onOpenChange={change}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      {/* Inside the page's landmark, for those who move from landmark to landmark. */}
      <Radix.Portal container={document.querySelector('main')}>
        <Radix.Content
          aria-label={title}
          align="start"
          sideOffset={6}
          collisionPadding={12}
          className="z-30 w-80 max-w-[calc(100vw-1.5rem)] animate-appear rounded-xl border border-line bg-card p-4 text-sm shadow-lifted outline-none"
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
