import { CornerDownLeft } from 'lucide-react'
import { useLayoutEffect, useRef } from 'react'

import { useSingleKeys } from '#web/admin/shell/shortcuts.ts'
import { classNames } from '#web/ui/class-names.ts'
import { Key } from '#web/ui/key.tsx'

import type { Action, Entry, Group } from './palette-entries.ts'

/** Native lists cannot show icons and details, nor leave the focus in the text field. */
const roles = {
  listbox: { role: 'listbox' },
  group: { role: 'group' },
  option: { role: 'option' },
} as const

export const optionId = (listId: string, { id }: Entry) => `${listId}-${id}`

type ListboxProps = {
  id: string
  groups: Group[]
  active: Entry | undefined
  onPoint: (entry: Entry) => void
  onRun: (action: Action) => void
}

/** The text field keeps the focus and says which entry is active. */
export function Listbox({ id, groups, active, onPoint, onRun }: ListboxProps) {
  const list = useRef<HTMLDivElement>(null)
  const activeId = active && optionId(id, active)
  useLayoutEffect(() => {
    if (activeId) document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' })
    // The heading above the first entry too.
    if (list.current?.querySelector('[role=option]')?.id === activeId) list.current?.scrollTo(0, 0)
  }, [activeId])

  return (
    <div
      ref={list}
      id={id}
      {...roles.listbox}
      aria-label="Results"
      className="min-h-0 flex-1 scroll-py-2 overflow-y-auto overscroll-contain p-2"
    >
      {groups.map((group) => (
        <div key={group.title} {...roles.group} aria-label={group.title} className="pb-1.5">
          <p aria-hidden className="px-3 pt-2 pb-1 text-xs font-medium text-muted">
            {group.title}
          </p>
          {group.entries.map((entry) => (
            <Option
              key={entry.id}
              id={optionId(id, entry)}
              entry={entry}
              isActive={entry === active}
              onPoint={() => onPoint(entry)}
              onRun={() => onRun(entry.action)}
            />
          ))}
        </div>
      ))}
    </div>
  )
}

type OptionProps = {
  id: string
  entry: Entry
  isActive: boolean
  onPoint: () => void
  onRun: () => void
}

function Option({ id, entry, isActive, onPoint, onRun }: OptionProps) {
  const { icon: Icon, title, detail, amount, keys } = entry
  const hasSingleKeys = useSingleKeys()

  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions, jsx-a11y/click-events-have-key-events -- the text field has the keys
    <div
      id={id}
      {...roles.option}
      aria-selected={isActive}
      // The text field keeps the focus.
      onMouseDown={(event) => event.preventDefault()}
      // Not on enter: the list also scrolls under a pointer that rests.
      onPointerMove={() => !isActive && onPoint()}
      onClick={onRun}
      className={classNames(
        'flex min-h-10 cursor-default items-center gap-3 rounded-lg px-3 py-2 text-sm select-none pointer-coarse:min-h-11',
        isActive && 'bg-accent-wash text-accent-strong',
      )}
    >
      <Icon
        aria-hidden
        className={classNames('size-4 shrink-0', isActive ? 'text-accent' : 'text-muted')}
      />
      {/* An order has more to say than fits beside its customer's name. */}
      <span
        className={classNames(
          'flex min-w-0 flex-1',
          entry.action.kind === 'order' ? 'flex-col' : 'items-center gap-3',
        )}
      >
        <span
          className={classNames(
            'shrink-0 truncate font-medium',
            entry.action.kind === 'order' ? 'max-w-full' : 'max-w-[70%]',
          )}
        >
          <bdi>{title}</bdi>
        </span>
        {detail && (
          <span className={classNames('min-w-0 truncate', !isActive && 'text-soft')}>
            <bdi>{detail}</bdi>
          </span>
        )}
      </span>
      {amount && (
        <span className="shrink-0 tabular-nums">
          <bdi>{amount}</bdi>
        </span>
      )}
      <span aria-hidden className="ms-auto flex shrink-0 gap-1 empty:hidden pointer-coarse:hidden">
        {keys && hasSingleKeys && keys.map((key) => <Key key={key}>{key}</Key>)}
        {isActive && !keys && !amount && <CornerDownLeft className="size-3.5" />}
      </span>
    </div>
  )
}
