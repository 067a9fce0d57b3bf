import type { ReactNode } from 'react'

import { pages } from '#contract/paths.ts'
import { commandKey, keysOf, switchSingleKeys, useSingleKeys } from '#web/admin/shell/shortcuts.ts'
import { classNames } from '#web/ui/class-names.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { CheckboxField } from '#web/ui/fields.tsx'
import { Key } from '#web/ui/key.tsx'

type Shortcut = { keys: string[]; text: string }

const singleKeys: Shortcut[] = [
  ...[pages.orders, pages.products, pages.fulfillment, pages.analytics].map((page) => ({
    keys: keysOf(page),
    text: `Go to ${page.slice(1)}`,
  })),
  { keys: ['/'], text: 'Search this page' },
  { keys: ['?'], text: 'Show this list' },
]

export function ShortcutSheet({ onClose }: { onClose: () => void }) {
  const isOn = useSingleKeys()

  return (
    <Dialog
      title="Keyboard shortcuts"
      description="Two keys are pressed one after the other."
      onClose={onClose}
      className="max-w-md"
    >
      <ShortcutList
        shortcuts={[
          { keys: [commandKey('K')], text: 'Search and commands' },
          { keys: [commandKey('B')], text: 'Show or hide the sidebar' },
          { keys: ['Esc'], text: 'Close what is open' },
          { keys: ['F8'], text: 'Go to the message in the corner' },
        ]}
      />
      <ShortcutList shortcuts={singleKeys} isOff={!isOn} />
      <CheckboxField
        label="Single-key shortcuts"
        hint="Turn them off if keys are pressed by accident, such as by speech input. Remembered in this browser."
        checked={isOn}
        onChange={({ target }) => switchSingleKeys(target.checked)}
        className="mt-5 border-t border-line pt-5"
      />
    </Dialog>
  )
}

function ShortcutList({ shortcuts, isOff = false }: { shortcuts: Shortcut[]; isOff?: boolean }) {
  return (
    <dl className="text-sm not-first:mt-3 not-first:border-t not-first:border-line not-first:pt-3">
      {shortcuts.map(({ keys, text }) => (
        <Row key={text} text={text} isOff={isOff}>
          {keys.map((key) => (
            <Key key={key}>{key}</Key>
          ))}
        </Row>
      ))}
    </dl>
  )
}

type RowProps = { text: string; isOff: boolean; children: ReactNode }

function Row({ text, isOff, children }: RowProps) {
  return (
    <div className="flex min-h-9 items-center justify-between gap-4">
      <dt className={classNames(isOff && 'text-muted line-through')}>{text}</dt>
      <dd className="flex gap-1">{children}</dd>
    </div>
  )
}
