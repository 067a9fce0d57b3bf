import { Slot } from 'radix-ui'
import { type ReactNode, useId, useRef, useState } from 'react'

import { layer } from './load-layers.tsx'
import { useOpenLayer } from './open-layers.ts'

const PopoverPanel = layer((layers) => layers.PopoverPanel)

type PopoverProps = {
  /** The button that opens it. */
  trigger: ReactNode
  /** For screen readers. */
  title: string
  /** A sheet is for pages of cards, a note is a sentence that explains the button. */
  look?: 'panel' | 'sheet' | 'note'
  align?: 'start' | 'end'
  /** For a panel that something in it closes. */
  isOpen?: boolean
  onOpenChange?: (isOpen: boolean) => void
  children: ReactNode
}

/** A small panel beside the button that opens it. */
export function Popover(props: PopoverProps) {
  const { trigger, title, look = 'panel', align = 'start', children } = props
  const button = useRef<HTMLElement>(null)
  const id = useId()
  const [isOpenHere, setIsOpenHere] = useState(false)
  const isOpen = props.isOpen ?? isOpenHere
  function change(isOpening: boolean) {
    setIsOpenHere(isOpening)
    props.onOpenChange?.(isOpening)
  }
  useOpenLayer(isOpen, () => change(false))

  return (
    <>
      <Slot.Root
        ref={button}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => change(!isOpen)}
      >
        {trigger}
      </Slot.Root>
      <PopoverPanel {...{ button, id, title, look, align, isOpen }} onOpenChange={change}>
        {children}
      </PopoverPanel>
    </>
  )
}
