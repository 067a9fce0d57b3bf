import { ClipboardList, Printer, Undo2, X } from 'lucide-react'
import { type RefObject, useEffect, useRef } from 'react'

import type { OrderStatus } from '#contract/orders.ts'
import { statusLooks } from '#web/admin/orders/order-status.tsx'
import { formatCount, statusLabels } from '#web/admin/orders/order-text.ts'
import { Button } from '#web/ui/button.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { ProgressBar } from '#web/ui/progress-bar.tsx'

import { cancelChanges, formatProgress } from './bulk-changes.ts'
import type { Progress } from './bulk-run.ts'
import { formatSelectAll, type OrderSelection } from './selection.ts'

const bulkStatuses = ['processing', 'shipped', 'completed'] as const satisfies OrderStatus[]

type BulkBarProps = {
  selection: OrderSelection
  /** How many orders there are in all, if known. */
  total: number | undefined
  progress: Progress | undefined
  onMark: (to: OrderStatus) => void
  onPrint: (kind: 'slips' | 'pick-list') => void
  onRefund: () => void
}

/** Over the header of the table; below the cards on a phone. */
export function BulkBar({ progress, ...actions }: BulkBarProps) {
  const section = useFocusWhileRunning(progress !== undefined)
  if (actions.selection.selected.size === 0 && !progress) return null
  return (
    <section
      ref={section}
      tabIndex={-1}
      aria-label="Selected orders"
      className="sticky z-20 animate-appear outline-none bg-card @max-4xl:bottom-0 @max-4xl:order-last @max-4xl:rounded-b-2xl @max-4xl:border-t @max-4xl:border-line @max-4xl:p-4 @max-4xl:shadow-lifted @4xl:top-14 @4xl:-mb-15 @4xl:ms-12 @4xl:flex @4xl:h-15 @4xl:items-center @4xl:rounded-tr-2xl @4xl:pe-3"
    >
      {progress ? <Running progress={progress} /> : <Actions {...actions} />}
    </section>
  )
}

function Actions({ selection, total, onMark, onPrint, onRefund }: Omit<BulkBarProps, 'progress'>) {
  const { selected, selectAll, clear } = selection
  return (
    <div className="flex flex-1 flex-wrap items-center gap-2">
      <div className="me-auto flex flex-wrap items-center gap-x-3">
        <p aria-live="polite" className="text-sm font-medium">
          {`${formatCount(selected.size)} order(s) selected`}
        </p>
        {/* The bar covers the label of the checkbox that does the same. */}
        {selected.size < (total ?? Infinity) && (
          <button
            type="button"
            onClick={selectAll}
            className="text-sm font-medium text-accent-strong underline decoration-accent/35 underline-offset-4 hover:decoration-current pointer-coarse:py-2.5"
          >
            {formatSelectAll(total)}
          </button>
        )}
      </div>
      <div className="flex gap-2 @max-4xl:order-last @max-4xl:w-full">
        {bulkStatuses.map((status) => {
          const { icon: Icon } = statusLooks[status]
          return (
            <Button
              key={status}
              onClick={() => onMark(status)}
              className="px-3 @max-4xl:flex-1 @max-xl:h-auto @max-xl:flex-col @max-xl:gap-1 @max-xl:px-1 @max-xl:py-2 @max-xl:text-xs @max-xl:whitespace-normal"
            >
              <Icon aria-hidden className="size-4" />
              Mark as {statusLabels[status]}
            </Button>
          )
        })}
      </div>
      <IconButton icon={Printer} name="Print slips" onClick={() => onPrint('slips')} />
      <IconButton icon={ClipboardList} name="Pick list" onClick={() => onPrint('pick-list')} />
      <IconButton icon={Undo2} name="Refund…" onClick={onRefund} />
      <IconButton icon={X} name="Clear selection" onClick={clear} />
    </div>
  )
}

/** For a run whose orders have all left the list: there is no table for the bar. */
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
  const { settled, total, isPaused } = progress
  return (
    <div className="flex flex-1 items-center gap-4">
      <div className="min-w-0 flex-1">
        <p className="mb-1.5 text-sm font-medium">{formatProgress(progress)}</p>
        <ProgressBar name="Updating orders" fraction={settled / total} isPaused={isPaused} />
      </div>
      <Button onClick={cancelChanges}>Cancel</Button>
    </div>
  )
}

/**
 * The button that starts a run disappears with it, and so does Cancel at the end. The keyboard focus goes to the bar
 * meanwhile, not to Cancel, which a key held down would press; afterwards it goes to the page.
 */
function useFocusWhileRunning(isRunning: boolean): RefObject<HTMLElement | null> {
  const bar = useRef<HTMLElement>(null)
  useEffect(() => {
    if (!isRunning) return
    const section = bar.current
    if (document.activeElement === document.body) section?.focus({ preventScroll: true })
    return () => {
      const { activeElement } = document
      const isHere = activeElement === document.body || section?.contains(activeElement)
      if (isHere) document.querySelector('main')?.focus({ preventScroll: true })
    }
  }, [isRunning])
  return bar
}
