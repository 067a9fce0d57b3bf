import { AlertDialog as Radix } from 'radix-ui'
import type { ReactNode } from 'react'

import { Button } from './button.tsx'
import { useFocusReturn } from './use-focus-return.ts'

type ConfirmDialogProps = {
  title: string
  description: string
  /** The safe way, and the one that loses something. */
  keepLabel: string
  loseLabel: string
  onKeep: () => void
  onLose: () => void
  /** It is under way, and the dialog stays until that has ended. */
  isPending?: boolean
  children?: ReactNode
}

/** Asks before something is lost; shown for as long as it is rendered. Esc is the safe way. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, description, keepLabel, loseLabel, onKeep, onLose, isPending, children } = props
  const focus = useFocusReturn()

  return (
    <Radix.Root
      open
      onOpenChange={() => {
        if (!isPending) onKeep()
      }}
    >
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-50 animate-appear bg-veil" />
        <Radix.Content
          onOpenAutoFocus={focus.remember}
          onCloseAutoFocus={focus.giveBack}
          className="fixed inset-0 z-50 m-auto h-fit w-[calc(100%-2rem)] max-w-sm animate-rise rounded-2xl bg-paper p-6 shadow-lifted outline-none"
        >
          <Radix.Title className="text-lg font-semibold tracking-tight">{title}</Radix.Title>
          <Radix.Description className="mt-1.5 text-sm/6 text-soft">
            {description}
          </Radix.Description>
          {children}
          <div className="mt-6 flex flex-wrap-reverse justify-end gap-3 max-sm:*:flex-1">
            <Radix.Cancel asChild>
              <Button>{keepLabel}</Button>
            </Radix.Cancel>
            <Button look="danger" isPending={isPending} onClick={onLose}>
              {loseLabel}
            </Button>
          </div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
