import { X } from 'lucide-react'

import type { OrderStatus } from '#contract/orders.ts'
import { statusLooks } from '#web/admin/orders/status-looks.ts'
import { Button } from '#web/ui/button.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { ProgressBar } from '#web/ui/progress-bar.tsx'

import { cancelChanges } from './bulk-changes.ts'
import type { Progress } from './bulk-run.ts'
import { tellProgress, tellSelectAll, tellSelected } from './bulk-words.ts'
import { useFocusWhileRunning } from './use-focus-while-running.ts'

const goals = ['processing', 'shipped', 'completed'] as const satisfies OrderStatus[]

type BulkBarProps = {
  count: number
  /** How many orders there are in all, where that is known. */
  total: number | undefined
  progress: Progress | undefined
  onMark: (to: OrderStatus) => void
  onSelectAll: () => void
  onClear: () => void
}

type ChoicesProps = Omit<BulkBarProps, 'progress'>

/** Over the head of a table; beneath the cards, where the thumb is, on a phone. */
export function BulkBar({ progress, ...choices }: BulkBarProps) {
  const section = useFocusWhileRunning(progress !== undefined)
  if (choices.count === 0 && !progress) return null
  return (
    <section
      ref={section}
      tabIndex={-1}
      aria-label="Selected orders"
      className="sticky z-20 animate-appear outline-none bg-card @max-4xl:bottom-0 @max-4xl:order-last @max-4xl:rounded-b-2xl @max-4xl:border-t @max-4xl:border-line @max-4xl:p-4 @max-4xl:shadow-lifted @4xl:top-14 @4xl:-mb-15 @4xl:ms-12 @4xl:flex @4xl:h-15 @4xl:items-center @4xl:rounded-tr-2xl @4xl:pe-3"
    >
      {progress ? <Running progress={progress} /> : <Choices {...choices} />}
    </section>
  )
}

function Choices({ count, total, onMark, onSelectAll, onClear }: ChoicesProps) {
  return (
    <div className="flex flex-1 flex-wrap items-center gap-2">
      <div className="me-auto flex flex-wrap items-center gap-x-3">
        <p aria-live="polite" className="text-sm font-medium">
          {tellSelected(count)}
        </p>
        {/* The bar lies over the words beside the box. */}
        {count < (total ?? Infinity) && (
          <button
            type="button"
            onClick={onSelectAll}
            className="text-sm font-medium text-accent-strong underline decoration-accent/35 underline-offset-4 hover:decoration-current pointer-coarse:py-2.5"
          >
            {tellSelectAll(total)}
          </button>
        )}
      </div>
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

/** Where there is no list to lie over: an order changed from an empty filter is changed all the same. */
export function RunningNotice({ progress }: { progress: Progress }) {
  return (
    <section
      aria-label="Selected orders"
      className="mt-4 flex rounded-2xl border border-line bg-card px-5 py-4 shadow-rest"
    >
      <Running progress={progress} />
    </section>
  )
}

function Running({ progress }: { progress: Progress }) {
  const { settled, total, isWaiting } = progress
  return (
    <div className="flex flex-1 items-center gap-4">
      <div className="min-w-0 flex-1">
        <p className="mb-1.5 text-sm font-medium">{tellProgress(progress)}</p>
        <ProgressBar name="Updating orders" fraction={settled / total} isPaused={isWaiting} />
      </div>
      <Button onClick={cancelChanges}>Cancel</Button>
    </div>
  )
}
