import {
  type InfiniteData,
  infiniteQueryOptions,
  keepPreviousData,
  type QueryClient,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useMemo } from 'react'

import {
  type AdminOrder,
  type FoundOrders,
  nextCursorHeader,
  type OrderCounts,
  type OrderEvent,
  type OrderNote,
  orderPageSize,
  type OrderStatus,
} from '#contract/orders.ts'
import { apiRoutes, pathOf } from '#contract/paths.ts'
import {
  entryShapes,
  parseList,
  parseOrder,
  parseOrders,
  parsePart,
  shapes,
} from '#web/admin/answers.ts'
import { noteSeenOrders } from '#web/admin/news/news.ts'
import { ApiError, callServer, findReadAt, formatQuery } from '#web/api.ts'

import {
  isCounted,
  isNarrowed,
  parseOrderUrl,
  searchValues,
  type OrderSearch,
} from './order-url.ts'
import {
  applyChangedStatuses,
  countOrders,
  type OrderPage,
  recordChanges,
  type StatusChange,
  updateCounts,
  useChangedStatuses,
} from './changed-statuses.ts'

const listsKey = [apiRoutes.orders, 'list'] as const
const singlesKey = [apiRoutes.orders, 'single'] as const
const timelinesKey = [apiRoutes.orderTimeline] as const
const notesKey = [apiRoutes.orderNotes] as const
const countsKey = [apiRoutes.orderCounts] as const
export const reviewKey = [apiRoutes.review] as const
export const testDataKey = [apiRoutes.testData] as const
export const withdrawalsKey = [apiRoutes.withdrawals] as const

export type OrderList = ReturnType<typeof useOrders>

/** The orders of a search. The previous orders stay until the first page is there. */
export function useOrders(wanted: OrderSearch) {
  const { q, status, productId, from, to, isWithdrawn, sort, showsTests } = wanted
  const search = useMemo(
    () => ({ q, status, productId, from, to, isWithdrawn, sort, showsTests }),
    [q, status, productId, from, to, isWithdrawn, sort, showsTests],
  )
  const query = useInfiniteQuery({ ...ordersQuery(search), placeholderData: keepPreviousData })
  const { data, isPlaceholderData } = query
  const changed = useChangedStatuses()
  const filter = isPlaceholderData ? undefined : status
  const orders = useMemo(
    () => applyChangedStatuses(data?.pages ?? [], changed, filter),
    [data, changed, filter],
  )

  return {
    orders,
    search,
    /** Also when the previous search had no orders: that says nothing about this one. */
    isPending: query.isPending || (isPlaceholderData && orders.length === 0),
    isError: query.isError && !data,
    /** When the server read the oldest part (readAtHeader). Undefined while there is none of this search. */
    shownSince:
      data && !isPlaceholderData
        ? Math.min(...data.pages.map(({ readAt = Infinity }) => readAt))
        : undefined,
    isFetching: query.isFetching,
    isRefreshing: query.isRefetching,
    /** The orders belong to the previous search. */
    isPrevious: isPlaceholderData,
    isEmpty: orders.length === 0 && !query.hasNextPage,
    hasMore: query.hasNextPage,
    isLoadingMore: query.isFetchingNextPage,
    hasLoadMoreFailed: query.isFetchNextPageError,
    /** Does nothing while a page is loading. */
    loadMore: () => void query.fetchNextPage({ cancelRefetch: false }),
    retry: () => void query.refetch(),
  }
}

/** Reads the first orders of the list in the address, and the counts, before its page is rendered. */
export async function prefetchOrders(queryClient: QueryClient): Promise<void> {
  const { panel: _any, ...search } = parseOrderUrl(location.search)
  await Promise.all([
    queryClient.prefetchInfiniteQuery(ordersQuery(search)),
    queryClient.prefetchQuery({ queryKey: countsKey }),
  ])
}

function ordersQuery(search: OrderSearch) {
  return infiniteQueryOptions({
    queryKey: [...listsKey, search],
    queryFn: ({ pageParam, signal }) => fetchPage(search, pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  })
}

async function fetchPage(
  search: OrderSearch,
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<OrderPage> {
  const requestedAt = performance.now()
  const showsNewest = !cursor && !search.status && search.sort === 'newest' && !isNarrowed(search)
  const limit = String(orderPageSize.page)
  const path = `${apiRoutes.orders}${formatQuery({ limit, cursor, ...searchValues(search) })}`
  const answer = await callServer('GET', path, undefined, signal)
  const orders = parseOrders(await answer.json())
  const readAt = findReadAt(path)
  if (!cursor)
    noteSeenOrders(
      orders.map(({ id }) => id),
      showsNewest ? readAt : undefined,
    )
  return {
    orders,
    nextCursor: answer.headers.get(nextCursorHeader) ?? undefined,
    requestedAt,
    readAt,
  }
}

/** Counts by status. If the server does not tell them and the whole list is here, its orders are counted. */
export function useOrderCounts({ orders, search, hasMore, isPending: isLoading }: OrderList) {
  const { data, isPending } = useQuery<OrderCounts>({ queryKey: countsKey })
  const isWhole = !isLoading && !hasMore && !search.status && isCounted(search)
  const counted = isPending || data || !isWhole ? undefined : countOrders(orders)
  return { counts: data ?? counted, isPending }
}

/** How many orders a search has found. Only a list that is not here whole is counted by the server. */
export function useFound({ orders, search, hasMore, isPrevious }: OrderList): FoundOrders {
  const { data } = useQuery({
    queryKey: [...countsKey, 'found', search],
    queryFn: async ({ signal }) => {
      const path = `${apiRoutes.foundOrders}${formatQuery(searchValues(search))}`
      const answer = await callServer('GET', path, undefined, signal)
      return parsePart(shapes.found, await answer.json()) as FoundOrders
    },
    enabled: hasMore && !isPrevious && isNarrowed(search),
  })
  return (hasMore && data) || { count: orders.length, isMore: hasMore }
}

/** One order, for a link to an order that is not in the list yet. Null if there is none with this id. */
export function useOrder(id: string, { isNeeded }: { isNeeded: boolean }) {
  return useQuery({
    queryKey: [...singlesKey, id],
    queryFn: async ({ signal }) => (await fetchOrder(id, signal)) ?? null,
    enabled: isNeeded,
  })
}

const mailPollMs = 3_000

export function useTimeline(id: string) {
  return useQuery({
    queryKey: [...timelinesKey, id],
    queryFn: async ({ signal }) => {
      const path = pathOf(apiRoutes.orderTimeline, { id })
      const answer = await callServer('GET', path, undefined, signal)
      return parseList<OrderEvent>(entryShapes.event, await answer.json())
    },
    // Until it is known what became of a mail that has just been queued.
    refetchInterval: ({ state: { data } }) =>
      data?.some(({ mail }) => mail?.state === 'waiting') ? mailPollMs : false,
  })
}

/** The notes of an order, and how they are changed. Each change answers all of them, with those of others. */
export function useNotes(id: string) {
  const queryClient = useQueryClient()
  const queryKey = [...notesKey, id]
  const path = pathOf(apiRoutes.orderNotes, { id })
  const notes = useQuery({
    queryKey,
    queryFn: async ({ signal }) => {
      const answer = await callServer('GET', path, undefined, signal)
      return parseList<OrderNote>(entryShapes.note, await answer.json())
    },
  })
  const change = useMutation({
    mutationFn: async (given: { text: string } | { noteId: string }) => {
      const answer =
        'text' in given
          ? await callServer('POST', path, given)
          : await callServer('DELETE', pathOf(apiRoutes.orderNote, { id, ...given }))
      return (await answer.json()) as OrderNote[]
    },
    onSuccess: (left) => queryClient.setQueryData(queryKey, left),
  })
  return { notes, change }
}

/** Sends the confirmation of an order once more. */
export function useResend(id: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => callServer('POST', pathOf(apiRoutes.orderConfirmation, { id })),
    onSettled: () => queryClient.invalidateQueries({ queryKey: [...timelinesKey, id] }),
  })
}

export async function fetchOrder(
  id: string,
  signal?: AbortSignal,
): Promise<AdminOrder | undefined> {
  // Other calls have addresses below the same path.
  if (!/^[0-9a-f-]{36}$/i.test(id)) return undefined
  try {
    const answer = await callServer('GET', pathOf(apiRoutes.order, { id }), undefined, signal)
    const order = (await answer.json()) as object
    if (!isMasked(order)) return parseOrder(order)
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined
    throw error
  }
  // The route is public, and shows visitors a masked order: the session has ended.
  throw new ApiError(401, 'Unauthorized', 'Unauthorized')
}

function isMasked(order: object): boolean {
  return 'isOwn' in order && order.isOwn === false
}

/** Shows changes in all lists and counters at once, without reading them again. */
export function showChanges(queryClient: QueryClient, changes: readonly StatusChange[]): void {
  recordChanges(changes)
  queryClient.setQueryData<OrderCounts>(
    countsKey,
    (counts) => counts && updateCounts(counts, changes),
  )
  // Where the orders belong in a cached list with a filter is not known: it is loaded again when it is shown.
  queryClient.removeQueries({
    queryKey: listsKey,
    type: 'inactive',
    predicate: ({ queryKey }) => (queryKey[2] as OrderSearch).status !== undefined,
  })
}

/** Shows an order as the server answered it, in every list that has it. */
export function showOrder(queryClient: QueryClient, order: AdminOrder, before: OrderStatus): void {
  const replace = (one: AdminOrder) => (one.id === order.id ? order : one)
  queryClient.setQueriesData<InfiniteData<OrderPage>>(
    { queryKey: listsKey },
    (list) =>
      list && {
        ...list,
        pages: list.pages.map((page) => ({ ...page, orders: page.orders.map(replace) })),
      },
  )
  queryClient.setQueryData([...singlesKey, order.id], order)
  if (before !== order.status)
    showChanges(queryClient, [{ id: order.id, from: before, to: order.status }])
  refreshCountsAndDetails(queryClient)
}

export function refreshCountsAndDetails(queryClient: QueryClient): void {
  void queryClient.invalidateQueries({ queryKey: countsKey })
  void queryClient.invalidateQueries({ queryKey: testDataKey })
  void queryClient.invalidateQueries({ queryKey: singlesKey })
  void queryClient.invalidateQueries({ queryKey: timelinesKey })
  void queryClient.invalidateQueries({ queryKey: notesKey })
  void queryClient.invalidateQueries({ queryKey: withdrawalsKey })
  void queryClient.invalidateQueries({ queryKey: [apiRoutes.matchedOrders] })
}

/** Reads the lists again; one that cannot be read now is read when it is shown the next time. */
export function refreshLists(queryClient: QueryClient): void {
  void queryClient.invalidateQueries({ queryKey: listsKey })
}

/** Loads everything again from the first page. What is shown stays until then. Throws if that fails. */
export async function refreshAll(queryClient: QueryClient): Promise<void> {
  queryClient.removeQueries({ queryKey: listsKey, type: 'inactive' })
  queryClient.setQueriesData<InfiniteData<OrderPage>>(
    { queryKey: listsKey },
    (list) => list && { pages: list.pages.slice(0, 1), pageParams: list.pageParams.slice(0, 1) },
  )
  refreshCountsAndDetails(queryClient)
  const options = { throwOnError: true }
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: listsKey }, options),
    queryClient.invalidateQueries({ queryKey: reviewKey }, options),
  ])
}
