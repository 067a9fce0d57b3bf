import { type QueryClient, useQuery } from '@tanstack/react-query'
import type { ComponentType } from 'react'

import { type adminPages, pages } from '#contract/paths.ts'
import { prefetchSession } from '#web/admin/session/session.ts'

import { queryClient } from './query-client.ts'

export type ScreenPath = (typeof adminPages)[number]

type Screen = {
  Page: ComponentType
  /** Reads what it shows first. */
  prefetch?: (queryClient: QueryClient) => Promise<unknown>
}

const loadProducts = async () => ({
  Page: (await import('#web/admin/products/products-page.tsx')).ProductsPage,
})

const loaders: Record<ScreenPath, () => Promise<Screen>> = {
  [pages.home]: loadProducts,
  [pages.products]: loadProducts,
  [pages.orders]: async () => (await import('#web/admin/orders/orders-page.tsx')).ordersScreen,
  [pages.fulfillment]: async () =>
    (await import('#web/admin/orders/fulfillment/fulfillment-page.tsx')).fulfillmentScreen,
  [pages.analytics]: async () => ({
    Page: (await import('#web/admin/analytics/analytics-page.tsx')).AnalyticsPage,
  }),
}

export function isScreenPath(path: string): path is ScreenPath {
  return Object.hasOwn(loaders, path)
}

/**
 * The page component of a path, once its code has loaded. React's lazy() would start loading only when the page
 * renders, after the session is known, and would then hold the result back for 300 ms to avoid flicker.
 */
export function useScreen(path: ScreenPath): ComponentType | undefined {
  return useQuery(screenQuery(path)).data?.Page
}

/** How long a page waits for what the server has sent along. After that it shows placeholders. */
const maxWaitMs = 200

/**
 * Resolves when the first page can be rendered at once; with its `prefetch`, in its final shape. Where there is a session,
 * the server names in the head what a page reads first: it is there in a moment, and placeholders before it would only delay it.
 */
export async function prepareFirstScreen(path: string): Promise<void> {
  const hasSession = document.querySelector('link[rel=preload][as=fetch]') !== null
  if (!hasSession || !isScreenPath(path)) return
  const ready = Promise.all([
    prefetchSession(queryClient),
    queryClient.fetchQuery(screenQuery(path)).then(({ prefetch }) => prefetch?.(queryClient)),
  ])
  await Promise.race([
    ready.catch(() => {}),
    new Promise((resolve) => setTimeout(resolve, maxWaitMs)),
  ])
}

/** Starts loading a page on hover or focus of its link. A failed load is forgotten, so a click tries again. */
export function prefetchScreen(path: ScreenPath): void {
  const query = screenQuery(path)
  queryClient.fetchQuery(query).catch(() => queryClient.removeQueries(query))
}

function screenQuery(path: ScreenPath) {
  return { queryKey: ['screen', path], queryFn: loaders[path], throwOnError: true }
}
