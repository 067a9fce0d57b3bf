import { Popover as Radix } from 'radix-ui'
import type { ReactNode } from 'react'

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
export function Popover({ trigger, title, isOpen, onOpenChange, children }: PopoverProps) {
  return (
    <Radix.Root
      {...(isOpen !== undefined && { open: isOpen })}
      onOpenChange={(isOpen) => onOpenChange?.(isOpen)}
    >
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
