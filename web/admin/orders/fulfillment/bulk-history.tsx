import { useQuery } from '@tanstack/react-query'
import { History } from 'lucide-react'
import { useState } from 'react'

import type { BulkChange } from '#contract/orders.ts'
import { apiRoutes } from '#contract/paths.ts'
import { DateTime } from '#web/admin/orders/order-display.tsx'
import { StatusBadge } from '#web/admin/orders/order-status.tsx'
import { formatCount } from '#web/admin/orders/order-text.ts'
import type { OrderNavigation } from '#web/admin/orders/order-url.ts'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog, Sheet } from '#web/ui/dialog.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

import { formatProgress, manyOrders, undoBulkChange, useRunningChange } from './bulk-changes.ts'

/** The latest changes of many orders, by every admin. Its URL can be shared, and Back closes it. */
export function BulkHistory({ navigation }: { navigation: OrderNavigation }) {
  return (
    <Sheet
      side="end"
      isOpen={navigation.url.panel?.kind === 'bulk-changes'}
      onOpenChange={navigation.close}
      title="History of bulk changes"
      className="w-120"
    >
      <header className="border-b border-line py-5 ps-6 pe-16">
        <h2 className="text-lg font-semibold tracking-tight">History of bulk changes</h2>
        <p className="mt-1 text-sm text-soft">
          The latest changes of several orders at once. Undo leaves alone what was changed since.
        </p>
      </header>
      <Content />
    </Sheet>
  )
}

function Content() {
  const { data, isPending, isError, isFetching, refetch } = useQuery<BulkChange[]>({
    queryKey: [apiRoutes.bulkChanges],
    // Other admins change orders too.
    refetchOnMount: 'always',
  })

  return (
    <div
      aria-live="polite"
      aria-busy={isPending}
      className="min-h-0 flex-1 overflow-y-auto overscroll-contain px-6 py-6 text-sm/6"
    >
      {isPending ? (
        <>
          <p className="sr-only">Loading...</p>
          <Skeleton className="h-28 w-full rounded-xl" />
        </>
      ) : isError && !data ? (
        <>
          <p className="text-soft">The history could not be loaded.</p>
          <Button isPending={isFetching} onClick={() => void refetch()} className="mt-3">
            {isFetching ? 'Trying...' : 'Try again'}
          </Button>
        </>
      ) : data.length === 0 ? (
        <p className="flex items-center gap-2.5 text-soft">
          <History aria-hidden className="size-4.5 shrink-0" />
          No orders were changed together yet.
        </p>
      ) : (
        <ul className="flex flex-col gap-3">
          {data.map((change) => (
            <Entry key={change.id} change={change} />
          ))}
        </ul>
      )}
    </div>
  )
}

function Entry({ change }: { change: BulkChange }) {
  const { id, orders, undoable, who, at, to } = change
  const running = useRunningChange()
  const isRunning = running?.id === id
  const [isAsking, setIsAsking] = useState(false)
  const [isUndoing, setIsUndoing] = useState(false)
  const changedSince = isRunning ? formatProgress(running.progress) : describeRest(change)

  async function undo() {
    setIsAsking(false)
    setIsUndoing(true)
    await undoBulkChange(id)
    setIsUndoing(false)
  }

  return (
    <li className="rounded-xl border border-line bg-card px-4 py-3.5">
      <p className="flex flex-wrap items-center gap-2 font-medium">
        {isRunning ? 'Moving orders to' : `${formatCount(orders)} order(s) moved to`}{' '}
        <StatusBadge status={to} />
      </p>
      <p className="mt-1 text-soft">
        <bdi className="wrap-anywhere">{who}</bdi>
        {' · '}
        <DateTime at={at} />
      </p>
      {changedSince && <p className="text-soft">{changedSince}</p>}
      {/* One at a time: what a run has done is not known before its end. */}
      {undoable > 0 && !running && (
        <Button
          isPending={isUndoing}
          onClick={() => (undoable > manyOrders ? setIsAsking(true) : void undo())}
          className="mt-3"
        >
          {isUndoing ? 'Undoing...' : `Undo ${formatCount(undoable)}`}
        </Button>
      )}
      {isAsking && !running && (
        <ConfirmDialog
          title={`Put ${formatCount(undoable)} orders back?`}
          description="Each gets the status that it had before this change."
          keepLabel="Cancel"
          loseLabel={`Undo ${formatCount(undoable)}`}
          look="primary"
          onKeep={() => setIsAsking(false)}
          onLose={() => void undo()}
        />
      )}
    </li>
  )
}

/** What became of the orders that can no longer be put back. */
function describeRest({ orders, undoable, undoneAt, undoneBy }: BulkChange): string | undefined {
  if (undoneAt) return `Undone by ${undoneBy}.`
  if (undoable === 0) return 'All of them were changed since.'
  return undoable < orders ? `${formatCount(orders - undoable)} were changed since.` : undefined
}
