import { X } from 'lucide-react'

import type { OrderStatus } from '#contract/order-statuses.ts'
import { statusLooks } from '#web/admin/orders/status-looks.ts'
import { Button } from '#web/ui/button.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { ProgressBar } from '#web/ui/progress-bar.tsx'

import type { Progress } from './bulk-run.ts'
import { tellProgress, tellSelected } from './bulk-words.ts'

const goals = ['processing', 'shipped', 'completed'] as const satisfies OrderStatus[]

type BulkBarProps = {
  count: number
  progress: Progress | undefined
  onMark: (to: OrderStatus) => void
  onClear: () => void
  onCancel: () => void
}

/** Over the head of a table; beneath the cards, where the thumb is, on a phone. */
export function BulkBar({ count, progress, onMark, onClear, onCancel }: BulkBarProps) {
  if (count === 0 && !progress) return null
  return (
    <section
      aria-label="Selected orders"
      className="sticky z-20 animate-appear bg-card @max-4xl:bottom-0 @max-4xl:order-last @max-4xl:rounded-b-2xl @max-4xl:border-t @max-4xl:border-line @max-4xl:p-4 @max-4xl:shadow-lifted @4xl:top-14 @4xl:-mb-15 @4xl:ms-12 @4xl:flex @4xl:h-15 @4xl:items-center @4xl:rounded-tr-2xl @4xl:pe-3"
    >
      {progress ? (
        <Running progress={progress} onCancel={onCancel} />
      ) : (
        <Choices count={count} onMark={onMark} onClear={onClear} />
      )}
    </section>
  )
}

function Choices({ count, onMark, onClear }: Pick<BulkBarProps, 'count' | 'onMark' | 'onClear'>) {
  return (
    <div className="flex flex-1 flex-wrap items-center gap-2">
      <p aria-live="polite" className="me-auto text-sm font-medium">
        {tellSelected(count)}
      </p>
      <div className="flex gap-2 @max-4xl:order-last @max-4xl:w-full">
        {goals.map((status) => {
          const { text, icon: Icon } = statusLooks[status]
          return (
            <Button
              key={status}
              onClick={() => onMark(status)}
              className="px-3 @max-4xl:flex-1 @max-xl:h-auto @max-xl:flex-col @max-xl:gap-1 @max-xl:px-1 @max-xl:py-2 @max-xl:text-xs @max-xl:whitespace-normal"
            >
              <Icon aria-hidden className="size-4" />
              Mark as {text}
            </Button>
          )
        })}
      </div>
      <IconButton icon={X} name="Clear selection" onClick={onClear} />
    </div>
  )
}

type RunningProps = { progress: Progress; onCancel: () => void }

function Running({ progress, onCancel }: RunningProps) {
  const { settled, total, isWaiting } = progress
  return (
    <div className="flex flex-1 items-center gap-4">
      <div className="min-w-0 flex-1">
        <p className="mb-1.5 text-sm font-medium">{tellProgress(progress)}</p>
        <ProgressBar name="Updating orders" fraction={settled / total} isPaused={isWaiting} />
      </div>
      <Button onClick={onCancel}>Cancel</Button>
    </div>
  )
}
