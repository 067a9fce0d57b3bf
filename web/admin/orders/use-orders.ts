import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'

import {
  type AdminOrder,
  nextCursorHeader,
  type OrderCounts,
  orderPageSize,
} from '#contract/orders.ts'
import { apiRoutes } from '#contract/paths.ts'
import { callServer } from '#web/api.ts'

import { useChangedStatuses } from './changed-statuses.ts'
import { countsKey, listKeyOf, singleKeyOf } from './order-cache.ts'
import { type OrderPage, shownOrders } from './order-pages.ts'
import { readOrder } from './read-order.ts'
import { type OrderSearch, searchParameters } from './order-search.ts'

/** The first is on the screen soon; whoever goes on wants many, or comes back to a place far down. */
const firstPageSize = 100
const pageSize = orderPageSize.max

export type OrderList = ReturnType<typeof useOrders>

/** The orders of a search, newest first, page by page. What was shown before stays until the answer is there. */
export function useOrders(search: OrderSearch) {
  const query = useInfiniteQuery({
    queryKey: listKeyOf(search),
    queryFn: ({ pageParam, signal }) => readPage(search, pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
    // Comparing a hundred thousand orders to find that they are the same costs more than drawing twenty.
    structuralSharing: false,
  })
  const { data, isPlaceholderData, hasNextPage, isFetchNextPageError } = query
  const status = isPlaceholderData ? undefined : search.status
  const changed = useChangedStatuses()
  const orders = useMemo(
    () => shownOrders(data?.pages ?? [], changed, status),
    [data, changed, status],
  )

  return {
    orders,
    search,
    isPending: query.isPending,
    isError: query.isError && !data,
    isAsking: query.isFetching,
    isRefreshing: query.isRefetching,
    /** What is shown belongs to the search before. */
    isOld: isPlaceholderData,
    /** There was nothing in the search before: that says nothing of this one. */
    isUnknown: isPlaceholderData && orders.length === 0,
    hasMore: hasNextPage,
    hasFailedToGoOn: isFetchNextPageError,
    /** Asking twice for the same page asks once. */
    goOn: () => void query.fetchNextPage({ cancelRefetch: false }),
    askAgain: () => void query.refetch(),
  }
}

export function useOrderCounts() {
  return useQuery<OrderCounts>({ queryKey: countsKey })
}

/** One order, for a link to it; the list may not have come that far. Null, where no order has that number. */
export function useOrder(id: string, { isNeeded }: { isNeeded: boolean }) {
  return useQuery<AdminOrder | null>({
    queryKey: singleKeyOf(id),
    queryFn: ({ signal }) => readOrder(id, signal),
    enabled: isNeeded,
  })
}

async function readPage(
  search: OrderSearch,
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<OrderPage> {
  const askedAt = performance.now()
  const limit = String(cursor ? pageSize : firstPageSize)
  const words = searchParameters(search, { limit, cursor })
  const answer = await callServer('GET', `${apiRoutes.orders}${words}`, undefined, signal)
  return {
    orders: (await answer.json()) as AdminOrder[],
    next: answer.headers.get(nextCursorHeader) ?? undefined,
    askedAt,
  }
}
