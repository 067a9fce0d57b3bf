import { Ellipsis, type LucideIcon } from 'lucide-react'
import { Slot } from 'radix-ui'
import {
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  useId,
  useRef,
  useState,
} from 'react'

import { Button } from './button.tsx'
import type { MenuEntry } from './layers.tsx'
import { layer } from './load-layers.tsx'
import { useOpenLayer } from './open-layers.ts'

const MenuPanel = layer((layers) => layers.MenuPanel)

export type MenuItem = MenuEntry & { icon: LucideIcon }

type MenuProps = {
  /** For screen readers. */
  name: string
  /** The element that says what the actions are about. */
  describedBy: string
  items: MenuItem[]
}

/** A button with three dots that opens a list of actions. */
export function Menu({ name, describedBy, items }: MenuProps) {
  const trigger = (
    <Button look="bare" size="smallIcon" aria-label={name} aria-describedby={describedBy}>
      <Ellipsis aria-hidden className="size-4.5" />
    </Button>
  )
  return <MenuFrame trigger={trigger} entries={items} />
}

type ChoiceMenuProps<Choice extends string> = {
  /** The button that opens it. */
  trigger: ReactNode
  labels: Record<Choice, string>
  chosen: Choice
  onChoose: (choice: Choice) => void
}

/** A menu of which one entry is chosen. */
export function ChoiceMenu<Choice extends string>(props: ChoiceMenuProps<Choice>) {
  const { trigger, labels, chosen, onChoose } = props
  const choices = Object.keys(labels) as Choice[]
  const entries = choices.map((choice) => ({
    label: labels[choice],
    onSelect: () => onChoose(choice),
  }))
  return <MenuFrame trigger={trigger} entries={entries} chosen={labels[chosen]} />
}

type MenuFrameProps = { trigger: ReactNode; entries: MenuEntry[]; chosen?: string }

function MenuFrame({ trigger, entries, chosen }: MenuFrameProps) {
  const button = useRef<HTMLElement>(null)
  const id = useId()
  const buttonId = `${id}-button`
  const [isOpen, setIsOpen] = useState(false)
  useOpenLayer(isOpen, () => setIsOpen(false))

  function onPointerDown(event: PointerEvent) {
    if (event.button !== 0 || event.ctrlKey) return
    setIsOpen(!isOpen)
    // The menu takes the focus.
    if (!isOpen) event.preventDefault()
  }

  function onKeyDown(event: KeyboardEvent) {
    if (!['Enter', ' ', 'ArrowDown'].includes(event.key)) return
    setIsOpen(event.key === 'ArrowDown' || !isOpen)
    event.preventDefault()
  }

  return (
    <>
      <Slot.Root
        ref={button}
        id={buttonId}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onPointerDown={onPointerDown}
        onKeyDown={onKeyDown}
      >
        {trigger}
      </Slot.Root>
      <MenuPanel {...{ button, id, buttonId, isOpen, entries, chosen }} onOpenChange={setIsOpen} />
    </>
  )
}
