import { useMemo } from 'react'
import { useSearch } from 'wouter'
import { navigate } from 'wouter/use-browser-location'

import { type Day, isDay } from '#contract/days.ts'
import {
  maxSearchLength,
  type OrderSort,
  orderSorts,
  type OrderStatus,
  orderStatuses,
} from '#contract/orders.ts'
import { localTimeZone } from '#contract/time-zones.ts'
import { formatQuery } from '#web/api.ts'

/** Both days count in, in the browser's time zone. */
export type OrderFilters = {
  productId: string | undefined
  from: Day | undefined
  to: Day | undefined
}

export const noFilters: OrderFilters = { productId: undefined, from: undefined, to: undefined }

/** `showsTests`: with the test orders that a live shop hides. */
export type OrderSearch = OrderFilters & {
  q: string
  status: OrderStatus | undefined
  sort: OrderSort
  showsTests: boolean
}

/** The query of a list's URL: the search, and which panel is open. */
export type OrderUrl = OrderSearch & {
  openId: string | undefined
  isArchiveOpen: boolean
  /** The history of bulk changes. */
  isHistoryOpen: boolean
  /** The order whose tracking is edited, or `manyTracked`. */
  trackedId: string | undefined
  /** The order that is refunded, or `manyRefunded`. */
  refundedId: string | undefined
}

/** Instead of an order's id: tracking numbers of many orders are pasted. */
export const manyTracked = 'many'

/** Instead of an order's id: the selected orders are refunded. */
export const manyRefunded = 'many'

/** Invalid values are ignored. */
export function parseOrderUrl(query: string): OrderUrl {
  const params = new URLSearchParams(query)
  const openId = params.get('order') || undefined
  const productId = params.get('product') ?? ''
  const [from, to] = [params.get('from') ?? '', params.get('to') ?? '']
  return {
    q: params.get('q')?.trim().slice(0, maxSearchLength) ?? '',
    status: orderStatuses.find((status) => status === params.get('status')),
    productId: /^[0-9a-f-]{36}$/i.test(productId) ? productId : undefined,
    from: isDay(from) ? from : undefined,
    to: isDay(to) ? to : undefined,
    sort: orderSorts.find((sort) => sort === params.get('sort')) ?? 'newest',
    showsTests: params.get('tests') === 'true',
    openId,
    isArchiveOpen: !openId && params.get('review') === 'archive',
    isHistoryOpen: !openId && params.get('history') === 'bulk',
    trackedId: (!openId && params.get('tracking')) || undefined,
    refundedId: (!openId && params.get('refund')) || undefined,
  }
}

export function formatOrderUrl(url: Partial<OrderUrl>): string {
  const review = url.isArchiveOpen ? 'archive' : undefined
  const history = url.isHistoryOpen ? 'bulk' : undefined
  const { openId: order, trackedId: tracking, refundedId: refund } = url
  return formatQuery({ ...pageValues(url), order, review, history, tracking, refund })
}

function pageValues({ q, status, productId, from, to, sort, showsTests }: Partial<OrderSearch>) {
  return {
    q: q?.trim(),
    status,
    product: productId,
    from,
    to,
    sort: sort === 'newest' ? undefined : sort,
    tests: showsTests ? 'true' : undefined,
  }
}

/** A search in the query of a call: like that of a page, with the time zone of its days. */
export function searchValues(search: Partial<OrderSearch>) {
  return { ...pageValues(search), tz: (search.from ?? search.to) ? localTimeZone() : undefined }
}

export function hasFilters({ productId, from, to }: OrderFilters): boolean {
  return Boolean(productId ?? from ?? to)
}

/** By words or filters; a status is a tab of the list. */
export function isNarrowed(search: OrderSearch): boolean {
  return search.q !== '' || hasFilters(search)
}

/** Whether the counts of orders by status say how long the list is: they are of all orders, not of those that were found. */
export function isCounted(search: OrderSearch): boolean {
  return !search.showsTests && !isNarrowed(search)
}

export type OrderNavigation = ReturnType<typeof useOrderNavigation>

/** Reads and changes the URL of an order list. The object changes only when the URL does. */
export function useOrderNavigation(path: string) {
  // Normalised: without the scroll position, which changes all the time.
  const query = formatOrderUrl(parseOrderUrl(useSearch()))
  return useMemo(() => createNavigation(path, parseOrderUrl(query)), [path, query])
}

function createNavigation(path: string, url: OrderUrl) {
  function hrefOf(changes: Partial<OrderUrl>): string {
    const panels = { isArchiveOpen: false, isHistoryOpen: false }
    const closed = {
      openId: undefined,
      trackedId: undefined,
      refundedId: undefined,
      ...panels,
    }
    return `${path}${formatOrderUrl({ ...url, ...closed, ...changes })}`
  }

  function openPanel(changes: Partial<OrderUrl>): void {
    navigate(hrefOf(changes), { state: { ...history.state, isOpenedHere: true } })
  }

  return {
    url,
    hrefOf,
    /** One history entry per search, so that Back leaves it in one step. */
    search: (q: string) => navigate(hrefOf({ q }), { replace: url.q !== '' && q.trim() !== '' }),
    /** Another selection or order of the same list. */
    show: (changes: Partial<OrderSearch>) => navigate(hrefOf(changes)),
    open: (openId: string) => openPanel({ openId }),
    openHistory: () => openPanel({ isHistoryOpen: true }),
    openTracking: (trackedId: string) => openPanel({ trackedId }),
    openRefund: (refundedId: string) => openPanel({ refundedId }),
    openArchive: () => openPanel({ isArchiveOpen: true }),
    /** Goes back if the panel was opened from this list; after following a link, stays on the list. */
    close: () => {
      const state = history.state as { isOpenedHere?: true } | null
      if (!state?.isOpenedHere) navigate(hrefOf({}), { replace: true, state })
      else goBackOnce()
    },
  }
}

let isGoingBack = false

/** A double click must not go back twice, which would leave the page. */
function goBackOnce(): void {
  if (isGoingBack) return
  isGoingBack = true
  addEventListener('popstate', () => (isGoingBack = false), { once: true })
  history.back()
}
