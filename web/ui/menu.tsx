import { Check, Ellipsis, type LucideIcon } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { type ReactNode, useState } from 'react'

import { Button } from './button.tsx'
import { useOpenLayer } from './open-layers.ts'

type MenuEntry = { icon?: LucideIcon; label: string; onSelect: () => void }

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

const entryClass =
  'flex h-9 cursor-default items-center gap-2.5 rounded-lg px-2.5 text-sm outline-none select-none data-[highlighted]:bg-ink/6 pointer-coarse:h-11'

function MenuFrame({ trigger, entries, chosen }: MenuFrameProps) {
  const [isOpen, setIsOpen] = useState(false)
  useOpenLayer(isOpen, () => setIsOpen(false))

  return (
    // Not modal: a dialog that an item opens takes the focus before the menu has left.
    <DropdownMenu.Root modal={false} open={isOpen} onOpenChange={setIsOpen}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      {/* Inside the page's landmark, for those who move from landmark to landmark. */}
      <DropdownMenu.Portal container={document.querySelector('main')}>
        <DropdownMenu.Content
          align="end"
          sideOffset={4}
          collisionPadding={8}
          className="z-30 min-w-44 animate-appear rounded-xl border border-line bg-card p-1.5 shadow-lifted outline-none"
        >
          {chosen === undefined ? (
            entries.map(({ icon: Icon, label, onSelect }) => (
              <DropdownMenu.Item key={label} onSelect={onSelect} className={entryClass}>
                {Icon && <Icon aria-hidden className="size-4 text-soft" />}
                {label}
              </DropdownMenu.Item>
            ))
          ) : (
            <DropdownMenu.RadioGroup value={chosen}>
              {entries.map(({ label, onSelect }) => (
                <DropdownMenu.RadioItem
                  key={label}
                  value={label}
                  onSelect={onSelect}
                  className={entryClass}
                >
                  {label}
                  <DropdownMenu.ItemIndicator className="ms-auto ps-2">
                    <Check aria-hidden className="size-4 text-accent-strong" />
                  </DropdownMenu.ItemIndicator>
                </DropdownMenu.RadioItem>
              ))}
            </DropdownMenu.RadioGroup>
          )}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}
