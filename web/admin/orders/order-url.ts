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
import { maxPrintedOrders } from '#contract/paper.ts'
import { localTimeZone } from '#contract/time-zones.ts'
import { formatQuery } from '#web/api.ts'

/** Both days count in, in the browser's time zone. */
export type OrderFilters = {
  productId: string | undefined
  from: Day | undefined
  to: Day | undefined
  /** Only orders that their buyers have withdrawn from. */
  isWithdrawn: boolean
}

export const noFilters: OrderFilters = {
  productId: undefined,
  from: undefined,
  to: undefined,
  isWithdrawn: false,
}

/** `showsTests`: with the test orders that a live shop hides. */
export type OrderSearch = OrderFilters & {
  q: string
  status: OrderStatus | undefined
  sort: OrderSort
  showsTests: boolean
}

/** What is open over a list: an order or a dialog about it, what is printed, or something about many. */
export type OpenPanel =
  | { kind: 'order' | 'tracking' | 'customer' | 'refund'; id: string }
  | { kind: 'slips' | 'pick-list'; ids: readonly string[] }
  /** Tracking or refunds of many orders, the history of bulk changes, and the archive of payments. */
  | { kind: 'many-tracking' | 'many-refunds' | 'bulk-changes' | 'archive' }

/** The query of a list's URL: the search, and what is open. */
export type OrderUrl = OrderSearch & { panel: OpenPanel | undefined }

/** Instead of an order's id in the URL. */
const many = 'many'

/** Invalid values are ignored. */
export function parseOrderUrl(query: string): OrderUrl {
  const params = new URLSearchParams(query)
  const productId = params.get('product') ?? ''
  const [from, to] = [params.get('from') ?? '', params.get('to') ?? '']
  return {
    q: params.get('q')?.trim().slice(0, maxSearchLength) ?? '',
    status: orderStatuses.find((status) => status === params.get('status')),
    productId: /^[0-9a-f-]{36}$/i.test(productId) ? productId : undefined,
    from: isDay(from) ? from : undefined,
    to: isDay(to) ? to : undefined,
    isWithdrawn: params.get('withdrawn') === 'true',
    sort: orderSorts.find((sort) => sort === params.get('sort')) ?? 'newest',
    showsTests: params.get('tests') === 'true',
    panel: parsePanel((name) => params.get(name) ?? ''),
  }
}

/** One at a time: an open order wins. */
function parsePanel(read: (name: string) => string): OpenPanel | undefined {
  if (!read('order')) {
    if (read('tracking') === many) return { kind: 'many-tracking' }
    if (read('refund') === many) return { kind: 'many-refunds' }
  }
  for (const kind of ['order', 'tracking', 'refund', 'customer'] as const)
    if (read(kind)) return { kind, id: read(kind) }
  for (const kind of ['slips', 'pick-list'] as const) {
    const ids = read(kind).split(',').filter(Boolean).slice(0, maxPrintedOrders)
    if (ids.length > 0) return { kind, ids }
  }
  if (read('review') === 'archive') return { kind: 'archive' }
  return read('history') === 'bulk' ? { kind: 'bulk-changes' } : undefined
}

export function formatOrderUrl(url: Partial<OrderUrl>): string {
  return formatQuery({ ...pageValues(url), ...panelValues(url.panel) })
}

function panelValues(panel: OpenPanel | undefined): Record<string, string> {
  switch (panel?.kind) {
    case undefined:
      return {}
    case 'order':
    case 'tracking':
    case 'customer':
    case 'refund':
      return { [panel.kind]: panel.id }
    case 'slips':
    case 'pick-list':
      return { [panel.kind]: panel.ids.join() }
    case 'many-tracking':
      return { tracking: many }
    case 'many-refunds':
      return { refund: many }
    case 'bulk-changes':
      return { history: 'bulk' }
    case 'archive':
      return { review: 'archive' }
  }
}

/** The order that this kind of panel is about, if it is open. */
export function openIdOf({ panel }: OrderUrl, kind: OpenPanel['kind']): string | undefined {
  return panel?.kind === kind && 'id' in panel ? panel.id : undefined
}

function pageValues(search: Partial<OrderSearch>) {
  const { q, status, productId, from, to, isWithdrawn, sort, showsTests } = search
  return {
    q: q?.trim(),
    status,
    product: productId,
    from,
    to,
    withdrawn: isWithdrawn ? 'true' : undefined,
    sort: sort === 'newest' ? undefined : sort,
    tests: showsTests ? 'true' : undefined,
  }
}

/** A search in the query of a call: like that of a page, with the time zone of its days. */
export function searchValues(search: Partial<OrderSearch>) {
  return { ...pageValues(search), tz: (search.from ?? search.to) ? localTimeZone() : undefined }
}

export function hasFilters({ productId, from, to, isWithdrawn }: OrderFilters): boolean {
  return isWithdrawn || Boolean(productId ?? from ?? to)
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
  const query = formatOrderUrl(parseOrderUrl(useSearch()))
  const searchQuery = formatOrderUrl({ ...parseOrderUrl(query), panel: undefined })
  const links = useMemo(() => createLinks(path, parseOrderUrl(searchQuery)), [path, searchQuery])
  return useMemo(() => {
    const url = parseOrderUrl(query)
    return { url, ...links, close: () => close(links.hrefOf({}), url) }
  }, [links, query])
}

/** What leads from a list elsewhere. The same while panels open and close: rows that have it are not rendered again. */
function createLinks(path: string, url: OrderSearch) {
  function hrefOf(changes: Partial<OrderUrl>): string {
    return `${path}${formatOrderUrl({ ...url, panel: undefined, ...changes })}`
  }

  function openPanel(panel: OpenPanel): void {
    navigate(hrefOf({ panel }), { state: { ...history.state, isOpenedHere: true } })
  }

  return {
    hrefOf,
    hrefOfOrder: (id: string | null) =>
      hrefOf({ panel: id === null ? undefined : { kind: 'order', id } }),
    /** One history entry per search, so that Back leaves it in one step. */
    search: (q: string) => navigate(hrefOf({ q }), { replace: url.q !== '' && q.trim() !== '' }),
    /** Another selection or order of the same list. */
    show: (changes: Partial<OrderSearch>) => navigate(hrefOf(changes)),
    openPanel,
    open: (id: string) => openPanel({ kind: 'order', id }),
    /** The order that a search was for, over what it has found. */
    openFound: (q: string, id: string) =>
      navigate(hrefOf({ q, panel: { kind: 'order', id } }), {
        state: { ...history.state, isOpenedHere: true },
      }),
  }
}

/** Goes back if the panel was opened from its list; after following a link, stays on the list. */
function close(listHref: string, url: OrderUrl): void {
  // Somebody has gone on meanwhile, while something was being saved.
  if (formatOrderUrl(parseOrderUrl(location.search)) !== formatOrderUrl(url)) return
  const state = history.state as { isOpenedHere?: true } | null
  if (!state?.isOpenedHere) navigate(listHref, { replace: true, state })
  else goBackOnce()
}

let isGoingBack = false

/** A double click must not go back twice, which would leave the page. */
function goBackOnce(): void {
  if (isGoingBack) return
  isGoingBack = true
  addEventListener('popstate', () => (isGoingBack = false), { once: true })
  history.back()
}
