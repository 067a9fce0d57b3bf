import { useMemo } from 'react'
import { useSearch } from 'wouter'
import { navigate } from 'wouter/use-browser-location'

import { maxSearchLength, type OrderStatus, orderStatuses } from '#contract/orders.ts'

/** `showsTests`: with the test orders that a live shop hides. */
export type OrderSearch = { q: string; status: OrderStatus | undefined; showsTests: boolean }

/** The query of a list's URL: the search, and whether an order or the payment archive is open. */
export type OrderUrl = OrderSearch & { openId: string | undefined; isArchiveOpen: boolean }

/** Invalid values are ignored. */
export function parseOrderUrl(query: string): OrderUrl {
  const params = new URLSearchParams(query)
  const openId = params.get('order') || undefined
  return {
    q: params.get('q')?.trim().slice(0, maxSearchLength) ?? '',
    status: orderStatuses.find((status) => status === params.get('status')),
    showsTests: params.get('tests') === 'true',
    openId,
    isArchiveOpen: !openId && params.get('review') === 'archive',
  }
}

export function formatOrderUrl({ openId, isArchiveOpen, ...search }: Partial<OrderUrl>): string {
  const review = isArchiveOpen ? 'archive' : undefined
  return formatQuery({ ...searchValues(search), order: openId, review })
}

/** A search in the query of a call or a page. */
export function searchValues({ q, status, showsTests }: Partial<OrderSearch>) {
  return { q: q?.trim(), status, tests: showsTests ? 'true' : undefined }
}

/** Leaves out empty values. Starts with the question mark; empty when all values are. */
export function formatQuery(values: Record<string, string | undefined>): string {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(values)) if (value) params.set(name, value)
  return params.size > 0 ? `?${params}` : ''
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
    const closed = { openId: undefined, isArchiveOpen: false }
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
    open: (openId: string) => openPanel({ openId }),
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
