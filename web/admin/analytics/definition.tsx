import { CircleQuestionMark } from 'lucide-react'
import { Tooltip } from 'radix-ui'
import { type MouseEvent, useRef, useState } from 'react'

import { mainId } from '#web/admin/skip-link.tsx'

const offsetPx = 6

type DefinitionProps = {
  /** The figure that is explained. */
  of: string
  text: string
}

/** A question mark that says what a figure counts: to who points at it, who comes by keyboard, and who taps it. */
export function Definition({ of, text }: DefinitionProps) {
  const [isOpen, setIsOpen] = useState(false)
  const wasOpen = useRef(false)

  /** Radix closes a tooltip as soon as the button is pressed: what counts is how it stood before. */
  function toggle(event: MouseEvent) {
    event.preventDefault()
    const isByKeyboard = event.detail === 0
    setIsOpen(isByKeyboard ? !isOpen : !wasOpen.current)
  }

  return (
    <Tooltip.Root open={isOpen} onOpenChange={setIsOpen}>
      <Tooltip.Trigger
        aria-label={`About ${of}`}
        aria-description={text}
        onPointerDown={() => {
          wasOpen.current = isOpen
        }}
        onClick={toggle}
        className="relative grid size-6 shrink-0 place-items-center rounded-full text-line-strong transition-colors hover:text-ink pointer-coarse:after:absolute pointer-coarse:after:-inset-2.5"
      >
        <CircleQuestionMark aria-hidden className="size-3.5" />
      </Tooltip.Trigger>
      {/* Within the page, where landmarks are looked for. */}
      <Tooltip.Portal container={document.getElementById(mainId)}>
        <Tooltip.Content
          sideOffset={offsetPx}
          collisionPadding={16}
          className="z-30 max-w-72 animate-appear rounded-xl bg-ink px-3.5 py-2.5 text-[0.8125rem]/5 text-pretty text-paper shadow-lifted data-[state=closed]:animate-none"
        >
          {text}
        </Tooltip.Content>
      </Tooltip.Portal>
    </Tooltip.Root>
  )
}
