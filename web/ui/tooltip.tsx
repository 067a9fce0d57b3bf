import { Tooltip as Radix } from 'radix-ui'
import { type FocusEvent, type ReactNode, useState } from 'react'

const offsetPx = 8

type TooltipProps = {
  content: ReactNode
  /** What the tooltip explains; it must be able to take focus. */
  children: ReactNode
  side?: 'top' | 'right' | 'bottom' | 'left'
  /** The words are on the screen already, so no tooltip repeats them. */
  isOff?: boolean
}

/** Waits and skips as its nearest TooltipProvider says; hoverable, and Esc closes it. */
export function Tooltip({ content, children, side = 'top', isOff = false }: TooltipProps) {
  const [isOpen, setIsOpen] = useState(false)

  return (
    <Radix.Root open={isOpen && !isOff} onOpenChange={setIsOpen}>
      <Radix.Trigger asChild onFocus={stayQuietForPointers}>
        {children}
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          side={side}
          sideOffset={offsetPx}
          collisionPadding={offsetPx}
          className="z-50 animate-appear rounded-md bg-ink data-[state=closed]:animate-none px-2.5 py-1.5 text-xs font-medium text-paper shadow-lifted"
        >
          {content}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

/** Focus that comes back by itself, as when a dialog closes, is no question. */
function stayQuietForPointers(event: FocusEvent<HTMLElement>) {
  if (!event.currentTarget.matches(':focus-visible')) event.preventDefault()
}

type TooltipProviderProps = { children: ReactNode; delayMs?: number }

/** 700 ms before the first one, and none while moving on within 300 ms: Radix's own figures, said aloud. */
export function TooltipProvider({ children, delayMs = 700 }: TooltipProviderProps) {
  return (
    <Radix.Provider delayDuration={delayMs} skipDelayDuration={300}>
      {children}
    </Radix.Provider>
  )
}
