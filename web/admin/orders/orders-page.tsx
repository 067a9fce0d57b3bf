import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { Archive, Download, PackageOpen, ReceiptText, RefreshCw, SearchX } from 'lucide-react'
import { lazy, Suspense, useMemo } from 'react'

import { formatMoney } from '#contract/money.ts'
import type { OrderStatus } from '#contract/orders.ts'
import { apiRoutes, pages } from '#contract/paths.ts'
import { EmptyState } from '#web/admin/shell/page-states.tsx'
import { PageHead } from '#web/admin/shell/page-head.tsx'
import { toastFailure } from '#web/admin/shell/toast-failure.ts'
import { formatQuery } from '#web/api.ts'
import { Button } from '#web/ui/button.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'

import { exportOrders } from './export-orders.ts'
import { NewOrders } from './new-orders.tsx'
import {
  DuplicateFlag,
  OrderLink,
  PlacedAt,
  RefundFlag,
  SaleFlags,
  sharedColumns,
  WithdrawnFlag,
} from './order-display.tsx'
import { OrderFilterBar } from './order-filters.tsx'
import {
  prefetchOrders,
  refreshAll,
  reviewKey,
  testDataKey,
  useOrderCounts,
  useOrders,
} from './order-queries.ts'
import { StatusBadge, StatusFilter } from './order-status.tsx'
import { NoFilteredOrders, type OrderColumn, OrderTable, ShowAllLink } from './order-table.tsx'
import {
  hasFilters,
  isCounted,
  type OrderNavigation,
  searchValues,
  useOrderNavigation,
} from './order-url.ts'
import { ReviewSection } from './review-section.tsx'
import { sumCounts } from './changed-statuses.ts'
import { TestOrders, useTestData } from './test-orders.tsx'
import { useReview } from './use-review.ts'
import { useWaitingWithdrawals, waitingWithdrawals } from './withdrawals.tsx'

// Not opened at once: they are loaded after the orders are shown.
const OrderPanel = lazy(async () => ({
  default: (await import('#web/admin/orders/panel/order-panel.tsx')).OrderPanel,
}))

const ReviewArchive = lazy(async () => ({
  default: (await import('./review-archive.tsx')).ReviewArchive,
}))

const TrackingDialog = lazy(async () => ({
  default: (await import('./tracking-dialog.tsx')).TrackingDialog,
}))

const CustomerDialog = lazy(async () => ({
  default: (await import('./customer-dialog.tsx')).CustomerDialog,
}))

const RefundDialog = lazy(async () => ({
  default: (await import('./refund-dialog.tsx')).RefundDialog,
}))

const PaperDialog = lazy(async () => ({
  default: (await import('./paper/paper-dialog.tsx')).PaperDialog,
}))

const WithdrawalSection = lazy(async () => ({
  default: (await import('./withdrawal-section.tsx')).WithdrawalSection,
}))

export const ordersScreen = {
  Page: OrdersPage,
  prefetch: (queryClient: QueryClient) =>
    Promise.all([
      prefetchOrders(queryClient),
      queryClient.prefetchQuery({ queryKey: reviewKey }),
      queryClient.prefetchQuery({ queryKey: testDataKey }),
      queryClient.prefetchInfiniteQuery(waitingWithdrawals('matched')),
      queryClient.prefetchInfiniteQuery(waitingWithdrawals('unmatched')),
    ]),
}

function OrdersPage() {
  const navigation = useOrderNavigation(pages.orders)
  const { url, hrefOf, hrefOfOrder, open } = navigation
  const list = useOrders(url)
  const columns = useMemo(() => createColumns({ hrefOfOrder, open }), [hrefOfOrder, open])
  const { counts } = useOrderCounts(list)
  const review = useReview(url)
  const testData = useTestData()
  const matched = useWaitingWithdrawals('matched')
  const unmatched = useWaitingWithdrawals('unmatched')
  const withdrawals = [...matched.withdrawals, ...unmatched.withdrawals]
  // An order's row has it too.
  const withdrawalsSince =
    list.shownSince &&
    Math.min(list.shownSince, matched.readAt ?? Infinity, unmatched.readAt ?? Infinity)
  const countOf = (status: OrderStatus | undefined) =>
    counts && !url.showsTests ? sumCounts(counts, status) : undefined

  return (
    <>
      <PageHead title="Orders" subtitle="Every sale, with who bought it and where it goes">
        <HeadActions navigation={navigation} isRefreshing={list.isRefreshing} />
      </PageHead>
      <TestOrders testData={testData.data} navigation={navigation} />
      <ReviewSection review={review} navigation={navigation} />
      {withdrawals.length > 0 && (
        <Suspense>
          <WithdrawalSection matched={matched} unmatched={unmatched} navigation={navigation} />
        </Suspense>
      )}
      <div className="mt-7 flex flex-col gap-3">
        <OrderFilterBar navigation={navigation} />
        <StatusFilter
          chosen={url.status}
          hrefOf={(status) => hrefOf({ status })}
          countOf={countOf}
        />
      </div>
      <NewOrders
        list={list}
        alsoShown={{
          review: review.shownSince,
          'review-changed': review.shownSince,
          withdrawal: withdrawalsSince,
          'withdrawal-changed': withdrawalsSince,
        }}
        alsoListed={withdrawals}
      />
      <OrderTable
        name="Orders"
        list={list}
        isWaiting={review.isPending || testData.isPending}
        total={isCounted(url) ? countOf(url.status) : undefined}
        empty={<NoOrders navigation={navigation} />}
        headLook="@max-4xl:sr-only"
        rowLook={rowLook}
        columns={columns}
        onOpen={open}
      />
      <Suspense>
        <OrderPanel navigation={navigation} listed={list.orders} />
      </Suspense>
      <Suspense>
        <ReviewArchive navigation={navigation} />
        <TrackingDialog navigation={navigation} listed={list.orders} />
        <CustomerDialog navigation={navigation} listed={list.orders} />
        <RefundDialog navigation={navigation} />
        <PaperDialog navigation={navigation} />
      </Suspense>
    </>
  )
}

type HeadActionsProps = { navigation: OrderNavigation; isRefreshing: boolean }

function HeadActions({ navigation, isRefreshing }: HeadActionsProps) {
  const queryClient = useQueryClient()
  const exportHref = `${apiRoutes.orderExport}${formatQuery(searchValues(navigation.url))}`
  return (
    <div className="flex flex-wrap items-center gap-2 max-sm:flex-row-reverse max-sm:justify-end">
      <IconButton
        icon={RefreshCw}
        name="Look for new orders"
        isPending={isRefreshing}
        onClick={() => void toastFailure('The orders could not be loaded', refreshAll(queryClient))}
      />
      <Button onClick={() => navigation.openPanel({ kind: 'archive' })}>
        <Archive aria-hidden className="size-4" />
        Payment archive
      </Button>
      <a
        href={exportHref}
        download
        onClick={(event) => {
          event.preventDefault()
          void exportOrders(exportHref)
        }}
        className="inline-flex h-9 items-center gap-2 rounded-lg border border-line-strong/60 bg-card px-4 text-sm font-medium shadow-rest transition-colors select-none hover:border-line-strong hover:bg-well pointer-coarse:h-11"
      >
        <Download aria-hidden className="size-4" />
        Export
      </a>
    </div>
  )
}

function NoOrders({ navigation }: { navigation: OrderNavigation }) {
  const { q, status } = navigation.url
  if (q) {
    return (
      <EmptyState
        icon={SearchX}
        title="No orders match your search"
        description={`Nothing found for “${q}”${status ? ` among ${status} orders` : ''}. You can search by order ID, name, email, product, amount, street, city, postcode or phone.`}
      >
        <Button onClick={() => navigation.search('')} className="mt-6">
          Clear search
        </Button>
      </EmptyState>
    )
  }
  if (hasFilters(navigation.url)) return <NoFilteredOrders navigation={navigation} />
  if (status) {
    return (
      <EmptyState
        icon={PackageOpen}
        title={`No ${status} orders`}
        description={`Orders that are ${status} are listed here.`}
      >
        <ShowAllLink href={navigation.hrefOf({ status: undefined })} />
      </EmptyState>
    )
  }
  return (
    <EmptyState
      icon={ReceiptText}
      title="No orders yet"
      description="An order appears here as soon as a customer has paid."
    />
  )
}

/** One column per grid area in a table; several lines of them in a card. */
const rowLook = [
  'grid px-4 text-sm @4xl:items-center @4xl:px-5',
  "grid-cols-[minmax(0,1fr)_auto] [grid-template-areas:'product_amount'_'customer_status'_'address_address'_'id_date']",
  "@xl:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_auto] @xl:[grid-template-areas:'product_product_amount'_'customer_address_status'_'id_id_date']",
  "@4xl:grid-cols-[6.5rem_minmax(0,1.05fr)_minmax(0,1.15fr)_minmax(0,1.1fr)_5rem_7.25rem_5.25rem] @4xl:[grid-template-areas:'id_product_customer_address_amount_status_date']",
].join(' ')

function createColumns({
  hrefOfOrder,
  open,
}: Pick<OrderNavigation, 'hrefOfOrder' | 'open'>): OrderColumn[] {
  return [
    {
      title: 'Order ID',
      look: '[grid-area:id] @max-4xl:-ms-px',
      render: (order) => <OrderLink order={order} href={hrefOfOrder(order.id)} onOpen={open} />,
    },
    ...sharedColumns,
    {
      title: 'Amount',
      headLook: 'text-end',
      look: 'text-end [grid-area:amount]',
      render: (order) => (
        <>
          <bdi className="font-medium wrap-anywhere">
            {formatMoney(order.amount, order.currency)}
          </bdi>
          <RefundFlag order={order} />
        </>
      ),
    },
    {
      title: 'Status',
      headLook: 'text-start ps-1.5',
      look: '[grid-area:status] @max-4xl:text-end @4xl:ps-1.5',
      render: (order) => (
        <>
          <StatusBadge status={order.status} of={order} />
          <WithdrawnFlag order={order} />
          <DuplicateFlag order={order} />
          <SaleFlags order={order} />
        </>
      ),
    },
    {
      title: 'Date',
      look: '[grid-area:date] @max-4xl:self-center @max-4xl:text-end @max-xs:max-w-24',
      render: (order) => <PlacedAt order={order} />,
    },
  ]
}
