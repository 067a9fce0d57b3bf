import { CircleQuestionMark } from 'lucide-react'
import { Popover } from 'radix-ui'

import { mainId } from '#web/admin/shell/page-head.tsx'

const offsetPx = 6

type DefinitionProps = {
  /** The figure that is explained. */
  of: string
  text: string
}

/**
 * A question mark that says what a figure counts, to whoever clicks, taps or presses it. No tooltip: those come
 * uncalled, are gone on the first scroll, and a finger cannot hover.
 */
export function Definition({ of, text }: DefinitionProps) {
  return (
    <Popover.Root>
      <Popover.Trigger
        aria-label={`About ${of}`}
        aria-description={text}
        className="relative grid size-6 shrink-0 place-items-center rounded-full text-line-strong transition-colors hover:text-ink data-[state=open]:text-ink pointer-coarse:after:absolute pointer-coarse:after:-inset-2.5"
      >
        <CircleQuestionMark aria-hidden className="size-3.5" />
      </Popover.Trigger>
      {/* Within the page, where landmarks are looked for. */}
      <Popover.Portal container={document.getElementById(mainId)}>
        <Popover.Content
          aria-label={`About ${of}`}
          side="top"
          sideOffset={offsetPx}
          collisionPadding={16}
          // There is nothing to do in it: focus stays where it is, and Tab goes on from there.
          onOpenAutoFocus={(event) => event.preventDefault()}
          className="z-30 max-w-72 animate-appear rounded-xl bg-ink px-3.5 py-2.5 text-[0.8125rem]/5 text-pretty text-paper shadow-lifted data-[state=closed]:animate-none"
        >
          {text}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}
