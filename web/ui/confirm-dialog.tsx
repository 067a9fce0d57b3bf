import { AlertDialog as Radix } from 'radix-ui'

import { Button } from './button.tsx'

type ConfirmDialogProps = {
  title: string
  description: string
  /** The safe way, and the one that loses something. */
  keepLabel: string
  loseLabel: string
  onKeep: () => void
  onLose: () => void
}

/** Asks before something is lost; shown for as long as it is rendered. Esc is the safe way. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, description, keepLabel, loseLabel, onKeep, onLose } = props

  return (
    <Radix.Root open onOpenChange={onKeep}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-50 animate-appear bg-veil" />
        <Radix.Content className="fixed inset-0 z-50 m-auto h-fit w-[calc(100%-2rem)] max-w-sm animate-rise rounded-2xl bg-paper p-6 shadow-lifted outline-none">
          <Radix.Title className="text-lg font-semibold tracking-tight">{title}</Radix.Title>
          <Radix.Description className="mt-1.5 text-sm/6 text-soft">
            {description}
          </Radix.Description>
          <div className="mt-6 flex flex-wrap-reverse justify-end gap-3 max-sm:*:flex-1">
            <Radix.Cancel asChild>
              <Button>{keepLabel}</Button>
            </Radix.Cancel>
            <Button look="danger" onClick={onLose}>
              {loseLabel}
            </Button>
          </div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
