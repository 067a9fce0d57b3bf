import { Popover as RadixPopover } from 'radix-ui'
import { type ReactNode, useState } from 'react'

import { classNames } from './class-names.ts'
import { useOpenLayer } from './open-layers.ts'

type PopoverProps = {
  /** The button that opens it. */
  trigger: ReactNode
  /** For screen readers. */
  title: string
  /** A sheet is for pages of cards, a note is a sentence that explains the button. */
  look?: keyof typeof popoverLooks
  align?: 'start' | 'end'
  /** For a panel that something in it closes. */
  isOpen?: boolean
  onOpenChange?: (isOpen: boolean) => void
  children: ReactNode
}

const popoverLooks = {
  /** Fields or a list, over a page of paper. */
  panel:
    'w-80 max-w-[calc(100vw-1.5rem)] rounded-xl border border-line bg-card p-4 text-sm outline-none',
  /** A panel over cards. */
  sheet: 'w-72 rounded-2xl border border-line bg-paper p-5 outline-none',
  /** A sentence. */
  note: 'max-w-72 rounded-xl bg-ink px-3.5 py-2.5 text-[0.8125rem]/5 text-pretty text-paper',
}

/** A small panel beside the button that opens it. */
export function Popover(props: PopoverProps) {
  const { trigger, title, look = 'panel', align = 'start', children } = props
  const [isOpenHere, setIsOpenHere] = useState(false)
  const isOpen = props.isOpen ?? isOpenHere
  const isNote = look === 'note'
  function change(isOpening: boolean) {
    setIsOpenHere(isOpening)
    props.onOpenChange?.(isOpening)
  }
  useOpenLayer(isOpen, () => change(false))

  return (
    <RadixPopover.Root open={isOpen} onOpenChange={change}>
      <RadixPopover.Trigger asChild>{trigger}</RadixPopover.Trigger>
      {/* Inside the page's landmark, for those who move from landmark to landmark. */}
      <RadixPopover.Portal container={document.querySelector('main')}>
        <RadixPopover.Content
          aria-label={title}
          side={isNote ? 'top' : 'bottom'}
          align={isNote ? 'center' : align}
          sideOffset={6}
          collisionPadding={12}
          onOpenAutoFocus={(event) => {
            // A note has no controls: the focus stays on the button, and Tab continues from there.
            if (isNote) event.preventDefault()
          }}
          className={classNames(
            'z-30 max-h-(--radix-popover-content-available-height) animate-appear overflow-y-auto overscroll-contain shadow-lifted',
            popoverLooks[look],
          )}
        >
          {children}
        </RadixPopover.Content>
      </RadixPopover.Portal>
    </RadixPopover.Root>
  )
}
