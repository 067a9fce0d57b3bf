import { Tooltip as Radix } from 'radix-ui'
import { type FocusEvent, type ReactNode, useState } from 'react'

import { isFocusReturning } from './open-layers.ts'

type TooltipDelayProps = { delayMs?: number; children: ReactNode }

/** How long the pointer rests on a button before its tooltip comes. Moving on to the next one skips the delay. */
export function TooltipDelay({ delayMs = 700, children }: TooltipDelayProps) {
  return (
    <Radix.Provider delayDuration={delayMs} skipDelayDuration={300}>
      {children}
    </Radix.Provider>
  )
}

type TooltipProps = {
  content: ReactNode
  /** Must be focusable. */
  children: ReactNode
  side?: 'top' | 'right' | 'bottom' | 'left'
  /** Where the same text is on the screen already. */
  isOff?: boolean
}

const offsetPx = 8

export function Tooltip({ content, children, side = 'top', isOff = false }: TooltipProps) {
  const [isOpen, setIsOpen] = useState(false)

  return (
    <Radix.Root open={isOpen && !isOff} onOpenChange={setIsOpen}>
      <Radix.Trigger asChild onFocus={ignoreOtherFocus}>
        {children}
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          side={side}
          sideOffset={offsetPx}
          collisionPadding={offsetPx}
          className="z-50 animate-appear rounded-md bg-ink px-2.5 py-1.5 text-xs font-medium text-paper shadow-lifted"
        >
          {content}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

/** A closing dialog returns the focus to its button, and a click gives it too: nobody looks for a tooltip then. */
function ignoreOtherFocus(event: FocusEvent): void {
  if (isFocusReturning() || !event.currentTarget.matches(':focus-visible')) event.preventDefault()
}
