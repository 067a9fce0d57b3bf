import { PackageCheck } from 'lucide-react'
import { useCallback } from 'react'

import type { AdminOrder, OrderCounts, OrderStatus } from '#contract/orders.ts'
import { pages } from '#contract/paths.ts'
import { EmptyState } from '#web/admin/empty-state.tsx'
import { ShowAll } from '#web/admin/orders/no-orders.tsx'
import { OrderPanel } from '#web/admin/orders/order-panel.tsx'
import { RowsSkeleton } from '#web/admin/orders/rows-skeleton.tsx'
import { changesTo, countAll } from '#web/admin/orders/status-change.ts'
import { StatusFilter } from '#web/admin/orders/status-filter.tsx'
import { useOrderAddress } from '#web/admin/orders/use-order-address.ts'
import { type OrderList, useOrderCounts, useOrders } from '#web/admin/orders/use-orders.ts'
import { NotLoaded } from '#web/admin/not-loaded.tsx'
import { PageHead } from '#web/admin/page-head.tsx'

import { changeMany, forgetFailure, retryChanges, undoChanges } from './bulk-changes.ts'
import { RunningNotice } from './bulk-bar.tsx'
import { Counters } from './counters.tsx'
import { FailureNotice } from './failure-notice.tsx'
import { FulfillmentList } from './fulfillment-list.tsx'
import { marksOf } from './selection.ts'
import { useBulkChanges } from './use-bulk-changes.ts'
import { useChangeStatus } from './use-change-status.ts'
import { useSelection } from './use-selection.ts'

export function FulfillmentPage() {
  const addressing = useOrderAddress(pages.fulfillment)
  const { status } = addressing.address
  const list = useOrders({ q: '', status })
  const counts = useOrderCounts()
  const selection = useSelection(list)
  const { remove } = selection
  const bulk = useBulkChanges(remove)
  const changeStatus = useChangeStatus()

  const changeOne = useCallback(
    ({ id, status: from }: AdminOrder, to: OrderStatus) => {
      changeStatus({ id, from, to })
      if (status && to !== status) remove([{ id }])
    },
    [changeStatus, status, remove],
  )

  const isListed = list.orders.length > 0 || list.hasMore

  return (
    <>
      <PageHead title="Fulfillment" subtitle="Take paid orders from packing to delivery" />
      <Counters counts={counts.data} isPending={counts.isPending} />
      <div className="mt-7">
        <StatusFilter
          chosen={status}
          hrefOf={(other) => addressing.hrefOf({ status: other, q: '' })}
        />
      </div>
      {bulk.failure && (
        <FailureNotice
          outcome={bulk.failure}
          onRetry={retryChanges}
          onUndo={undoChanges}
          onDismiss={forgetFailure}
        />
      )}
      {bulk.progress && !isListed && <RunningNotice progress={bulk.progress} />}
      {list.isPending || list.isUnknown ? (
        <RowsSkeleton />
      ) : list.isError ? (
        <NotLoaded what="orders" isAsking={list.isAsking} onRetry={list.askAgain} />
      ) : !isListed ? (
        <NothingToDo status={status} allHref={addressing.hrefOf({ status: undefined })} />
      ) : (
        <FulfillmentList
          list={list}
          total={totalOf(list, counts.data)}
          addressing={addressing}
          selection={selection}
          progress={bulk.progress}
          onMark={(to) => changeMany(changesTo(to, marksOf(selection.selection, list.orders)))}
          onChangeStatus={changeOne}
        />
      )}
      <OrderPanel addressing={addressing} listed={list.orders} />
    </>
  )
}

/** How many orders the filter has, where that is known: all that are loaded are all, or the counters say it. */
function totalOf(list: OrderList, counts: OrderCounts | undefined): number | undefined {
  if (!list.hasMore) return list.orders.length
  return counts && countAll(counts, list.search.status)
}

type NothingToDoProps = { status: OrderStatus | undefined; allHref: string }

function NothingToDo({ status, allHref }: NothingToDoProps) {
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
      {status && <ShowAll href={allHref} />}
    </EmptyState>
  )
}
