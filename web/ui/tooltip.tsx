import { Tooltip as Radix } from 'radix-ui'
import { type FocusEvent, type ReactNode, useState } from 'react'

import { isFocusReturning } from './open-layers.ts'

const offsetPx = 8

type TooltipProps = {
  content: ReactNode
  /** Must be focusable. */
  children: ReactNode
  side?: 'top' | 'right' | 'bottom' | 'left'
  /** Where the same text is on the screen already. */
  isOff?: boolean
}

/** Its delay is set by the nearest TooltipProvider. */
export function Tooltip({ content, children, side = 'top', isOff = false }: TooltipProps) {
  const [isOpen, setIsOpen] = useState(false)

  return (
    <Radix.Root open={isOpen && !isOff} onOpenChange={setIsOpen}>
      <Radix.Trigger asChild onFocus={ignoreRestoredFocus}>
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

/** A closing dialog returns the focus to its button, which must not open the tooltip. */
function ignoreRestoredFocus(event: FocusEvent<HTMLElement>) {
  if (isFocusReturning() || !event.currentTarget.matches(':focus-visible')) event.preventDefault()
}

type TooltipProviderProps = { children: ReactNode; delayMs?: number }

/** Radix's defaults: 700 ms before the first tooltip, none when moving to the next within 300 ms. */
export function TooltipProvider({ children, delayMs = 700 }: TooltipProviderProps) {
  return (
    <Radix.Provider delayDuration={delayMs} skipDelayDuration={300}>
      {children}
    </Radix.Provider>
  )
}
