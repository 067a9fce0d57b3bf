import { useMutation, useQueryClient } from '@tanstack/react-query'
import { History, PackageCheck, SearchX, Truck } from 'lucide-react'
import { lazy, Suspense, useCallback, useState } from 'react'

import type { AdminOrder, OrderCounts, OrderStatus } from '#contract/orders.ts'
import { maxPrintedOrders } from '#contract/paper.ts'
import { pages } from '#contract/paths.ts'
import { EmptyState } from '#web/admin/shell/page-states.tsx'
import { NewOrders } from '#web/admin/orders/new-orders.tsx'
import { OrderFilterBar } from '#web/admin/orders/order-filters.tsx'
import {
  type OrderList,
  refreshCountsAndDetails,
  refreshLists,
  showChanges,
  prefetchOrders,
  useOrderCounts,
  useOrders,
} from '#web/admin/orders/order-queries.ts'
import { StatusFilter, statusLooks } from '#web/admin/orders/order-status.tsx'
import { NoFilteredOrders, ShowAllLink } from '#web/admin/orders/order-table.tsx'
import {
  formatCount,
  labelOf,
  noValue,
  shortId,
  statusLabels,
} from '#web/admin/orders/order-text.ts'
import {
  hasFilters,
  isCounted,
  type OrderNavigation,
  useOrderNavigation,
} from '#web/admin/orders/order-url.ts'
import {
  sumCounts,
  recordChanges,
  revertChange,
  type StatusChange,
} from '#web/admin/orders/changed-statuses.ts'
import { PageHead } from '#web/admin/shell/page-head.tsx'
import { isUnauthorized } from '#web/api.ts'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/dialog.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { toast } from '#web/ui/use-toast.ts'

import { BulkBar, RunningNotice } from './bulk-bar.tsx'
import { BulkHistory } from './bulk-history.tsx'
import {
  changeMany,
  dismissFailure,
  excludeFromRetry,
  formatFailures,
  isMove,
  manyOrders,
  retryFailed,
  undoDone,
  useBulkChanges,
} from './bulk-changes.ts'
import type { Outcome } from './bulk-run.ts'
import { FulfillmentTable } from './fulfillment-table.tsx'
import { createChanges, useSelection } from './selection.ts'
import { findStatusAfterFailure, sendStatusChange } from './send-status-change.ts'
import { offerTracking, takeIds } from './offered-orders.ts'
import { TrackingOffer } from './tracking-offer.tsx'

// Loaded after the orders are shown.
const OrderPanel = lazy(async () => ({
  default: (await import('#web/admin/orders/panel/order-panel.tsx')).OrderPanel,
}))
const TrackingDialog = lazy(async () => ({
  default: (await import('#web/admin/orders/tracking-dialog.tsx')).TrackingDialog,
}))
const CustomerDialog = lazy(async () => ({
  default: (await import('#web/admin/orders/customer-dialog.tsx')).CustomerDialog,
}))
const PaperDialog = lazy(async () => ({
  default: (await import('#web/admin/orders/paper/paper-dialog.tsx')).PaperDialog,
}))
const ManyTrackingDialog = lazy(async () => ({
  default: (await import('./many-tracking-dialog.tsx')).ManyTrackingDialog,
}))

const RefundDialog = lazy(async () => ({
  default: (await import('#web/admin/orders/refund-dialog.tsx')).RefundDialog,
}))
const ManyRefundDialog = lazy(async () => ({
  default: (await import('./many-refund-dialog.tsx')).ManyRefundDialog,
}))

export const fulfillmentScreen = { Page: FulfillmentPage, prefetch: prefetchOrders }

function FulfillmentPage() {
  const navigation = useOrderNavigation(pages.fulfillment)
  const { url, hrefOf } = navigation
  const { status } = url
  const list = useOrders({ ...url, showsTests: false })
  const { counts, isPending } = useOrderCounts(list)
  const total = findTotal(list, counts)
  const selection = useSelection(list)
  const { deselect } = selection
  const { progress, failure } = useBulkChanges(deselect)
  const changeStatus = useChangeStatus()
  const [asked, setAsked] = useState<StatusChange[]>()

  const changeOne = useCallback(
    (order: AdminOrder, to: OrderStatus) => {
      const { id, status: from } = order
      changeStatus({ id, from, to, order })
      if (status && to !== status) deselect([{ id }])
    },
    [changeStatus, status, deselect],
  )

  return (
    <>
      <PageHead title="Fulfillment" subtitle="Take paid orders from packing to delivery">
        <div className="flex flex-wrap items-center gap-2">
          <Button
            onClick={() => {
              takeIds([])
              navigation.openPanel({ kind: 'many-tracking' })
            }}
          >
            <Truck aria-hidden className="size-4" />
            Tracking numbers
          </Button>
          <Button onClick={() => navigation.openPanel({ kind: 'bulk-changes' })}>
            <History aria-hidden className="size-4" />
            Bulk changes
          </Button>
        </div>
      </PageHead>
      <Counters counts={counts} isPending={isPending} />
      <div className="mt-7 flex flex-col gap-3">
        <OrderFilterBar navigation={navigation} />
        <StatusFilter
          chosen={status}
          hrefOf={(other) => hrefOf({ status: other })}
          countOf={(other) => (counts && !url.showsTests ? sumCounts(counts, other) : undefined)}
        />
      </div>
      <TrackingOffer onTrack={navigation.openPanel} listed={list.orders} />
      {failure && <FailureNotice outcome={failure} />}
      {progress && list.isEmpty && <RunningNotice progress={progress} />}
      <NewOrders list={list} />
      <FulfillmentTable
        list={list}
        total={total}
        navigation={navigation}
        selection={selection}
        empty={<NoOrders navigation={navigation} />}
        onChangeStatus={changeOne}
      >
        <BulkBar
          selection={selection}
          total={total}
          progress={progress}
          onRefund={() => navigation.openPanel({ kind: 'many-refunds' })}
          onMark={(to) => {
            const changes = createChanges(selection.selected, list.orders, to)
            if (changes.length > manyOrders) setAsked(changes)
            else changeMany(changes)
          }}
          onPrint={(kind) => {
            const ids = [...selection.selected.keys()]
            if (ids.length <= maxPrintedOrders) navigation.openPanel({ kind, ids })
            else toastTooMany()
          }}
        />
      </FulfillmentTable>
      {asked && <ManyQuestion changes={asked} onClose={() => setAsked(undefined)} />}
      <Suspense>
        <OrderPanel navigation={navigation} listed={list.orders} />
      </Suspense>
      <BulkHistory navigation={navigation} />
      <Suspense>
        <TrackingDialog navigation={navigation} listed={list.orders} />
        <CustomerDialog navigation={navigation} listed={list.orders} />
        <ManyTrackingDialog navigation={navigation} />
        <RefundDialog navigation={navigation} />
        <ManyRefundDialog navigation={navigation} ids={[...selection.selected.keys()]} />
        <PaperDialog navigation={navigation} />
      </Suspense>
    </>
  )
}

/** How many orders the filter has: all that are loaded, or what the counters say if there are more. */
function findTotal(list: OrderList, counts: OrderCounts | undefined): number | undefined {
  if (!list.hasMore) return list.orders.length
  return counts && isCounted(list.search) ? sumCounts(counts, list.search.status) : undefined
}

function toastTooMany(): void {
  toast({
    title: `At most ${maxPrintedOrders} orders are printed at once`,
    description: 'Select fewer, or filter the list first.',
    variant: 'destructive',
  })
}

function ManyQuestion({ changes, onClose }: { changes: StatusChange[]; onClose: () => void }) {
  const [first] = changes
  const orders = `${formatCount(changes.length)} orders`
  return (
    <ConfirmDialog
      title={`Mark ${orders} as ${first && statusLabels[first.to]}?`}
      description="You can undo it in the message afterwards, or later under “Bulk changes”."
      keepLabel="Cancel"
      loseLabel={`Mark ${orders}`}
      look="primary"
      onKeep={onClose}
      onLose={() => {
        onClose()
        changeMany(changes)
      }}
    />
  )
}

type OneChange = StatusChange & { order: Pick<AdminOrder, 'isPickup'>; isUndo?: true }

/** Shows the new status at once, and reverts it if the server refuses. */
function useChangeStatus() {
  const queryClient = useQueryClient()
  const { mutate } = useMutation({
    mutationFn: sendStatusChange,
    onMutate: (change: OneChange) => {
      excludeFromRetry(change.id)
      showChanges(queryClient, [change])
    },
    onSuccess: (made, { order, isUndo }) => {
      recordChanges([made])
      if (!isUndo) offerTracking([made])
      const label = labelOf(made.to, order)
      toast({
        title: 'Status updated',
        description: `Order ${shortId(made.id)} ${isUndo ? `is back in ${label}` : `moved to ${label}`}.`,
        ...(!isUndo && {
          action: {
            label: 'Undo',
            altText: `Choose ${labelOf(made.from, order)} in the order’s status list`,
            onClick: () => mutate({ ...revertChange(made), order, isUndo: true }),
          },
        }),
      })
    },
    onError: async (error, change) => {
      if (!isUnauthorized(error)) {
        toast({ title: 'Failed to update order status.', variant: 'destructive' })
      }
      // Not simply `from`: that may have been an update which failed as well.
      const known = await findStatusAfterFailure(change)
      if (!known) return
      showChanges(queryClient, [{ id: change.id, from: change.to, to: known.status }])
      // The change may have been made all the same, and only its answer lost.
      if (!known.isRead) refreshLists(queryClient)
    },
    onSettled: () => refreshCountsAndDetails(queryClient),
  })
  return mutate
}

const counters: { title: string; status: OrderStatus }[] = [
  { title: 'Pending Orders', status: 'pending' },
  { title: 'Processing', status: 'processing' },
  { title: 'Shipped', status: 'shipped' },
]

type CountersProps = { counts: OrderCounts | undefined; isPending: boolean }

function Counters({ counts, isPending }: CountersProps) {
  return (
    <dl className="mt-7 grid grid-cols-3 gap-3 sm:gap-4">
      {counters.map(({ title, status }) => {
        const { icon: Icon, colours } = statusLooks[status]
        return (
          <div
            key={status}
            className="flex flex-col-reverse justify-end gap-0.5 rounded-2xl border border-line bg-card p-2.5 shadow-rest sm:p-5"
          >
            <dt className="text-[0.8125rem]/5 text-soft sm:text-sm">{title}</dt>
            <dd className="flex text-2xl font-semibold tracking-tight max-sm:flex-col-reverse max-sm:gap-3 sm:justify-between sm:text-[1.75rem]/9">
              {isPending ? (
                <Skeleton className="h-8 w-12 sm:h-9" />
              ) : counts ? (
                formatCount(counts[status])
              ) : (
                noValue
              )}
              <span
                className={`grid size-9 place-items-center rounded-full sm:size-10 lg:translate-y-3 ${colours}`}
              >
                <Icon aria-hidden className="size-4.5" />
              </span>
            </dd>
          </div>
        )
      })}
    </dl>
  )
}

/** Stays when the toast is gone. */
function FailureNotice({ outcome }: { outcome: Outcome<StatusChange> }) {
  const moved = outcome.done.filter(isMove).length
  return (
    <Notice look="danger" className="mt-4 items-center">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <p>
          <strong className="font-semibold">{formatFailures(outcome)}.</strong> Retry does those
          that failed.
        </p>
        <div className="flex gap-2">
          <Button onClick={retryFailed}>Retry</Button>
          {moved > 0 && <Button onClick={undoDone}>Undo {formatCount(moved)}</Button>}
          <Button look="bare" onClick={dismissFailure}>
            Dismiss
          </Button>
        </div>
      </div>
    </Notice>
  )
}

function NoOrders({ navigation }: { navigation: OrderNavigation }) {
  const { q, status } = navigation.url
  if (q) {
    return (
      <EmptyState
        icon={SearchX}
        title="No orders match your search"
        description={`Nothing found for “${q}”${status ? ` among ${status} orders` : ''}.`}
      >
        <Button onClick={() => navigation.search('')} className="mt-6">
          Clear search
        </Button>
      </EmptyState>
    )
  }
  if (hasFilters(navigation.url)) return <NoFilteredOrders navigation={navigation} />
  return (
    <EmptyState
      icon={PackageCheck}
      title="No orders to fulfill"
      description={
        status
          ? `No order is ${status} at the moment.`
          : 'Paid orders wait here until you pack, ship and complete them.'
      }
    >
      {status && <ShowAllLink href={navigation.hrefOf({ status: undefined })} />}
    </EmptyState>
  )
}
