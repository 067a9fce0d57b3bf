import type { OrderStatus } from '#contract/orders.ts'
import { pages } from '#contract/paths.ts'
import { NotLoaded } from '#web/admin/not-loaded.tsx'
import { PageHead } from '#web/admin/page-head.tsx'

import { HeadActions } from './head-actions.tsx'
import { NoOrders } from './no-orders.tsx'
import { OrderPanel } from './order-panel.tsx'
import { searchParameters } from './order-search.ts'
import { OrdersTable } from './orders-table.tsx'
import { ReviewArchive } from './review-archive.tsx'
import { ReviewSection } from './review-section.tsx'
import { RowsSkeleton } from './rows-skeleton.tsx'
import { SearchBox } from './search-box.tsx'
import { countAll } from './status-change.ts'
import { StatusFilter } from './status-filter.tsx'
import { useOrderAddress } from './use-order-address.ts'
import { useOrderCounts, useOrders } from './use-orders.ts'
import { useReview } from './use-review.ts'

export function OrdersPage() {
  const addressing = useOrderAddress(pages.orders)
  const { address, hrefOf, search } = addressing
  const list = useOrders({ q: address.q, status: address.status })
  const { data: counts } = useOrderCounts()
  const review = useReview()
  // What is found in a search is not counted: that would cost more than it tells.
  const countOf = (status: OrderStatus | undefined) =>
    counts && !address.q ? countAll(counts, status) : undefined

  return (
    <>
      <PageHead title="Orders" subtitle="Every sale, with who bought it and where it goes">
        <HeadActions
          search={searchParameters(address)}
          isRefreshing={list.isRefreshing}
          onOpenArchive={addressing.openArchive}
        />
      </PageHead>
      <ReviewSection review={review} addressing={addressing} />
      <div className="mt-7 flex flex-col gap-3">
        <SearchBox q={address.q} onSearch={search} />
        <StatusFilter
          chosen={address.status}
          hrefOf={(status) => hrefOf({ status })}
          countOf={countOf}
        />
      </div>
      {list.isPending || review.isPending || list.isUnknown ? (
        <RowsSkeleton />
      ) : list.isError ? (
        <NotLoaded what="orders" isAsking={list.isAsking} onRetry={list.askAgain} />
      ) : list.orders.length === 0 && !list.hasMore ? (
        <NoOrders
          search={address}
          allHref={hrefOf({ status: undefined })}
          onClear={() => search('')}
        />
      ) : (
        <OrdersTable list={list} total={countOf(address.status)} addressing={addressing} />
      )}
      <OrderPanel addressing={addressing} listed={list.orders} />
      <ReviewArchive addressing={addressing} />
    </>
  )
}
