import { useQuery } from '@tanstack/react-query'
import type { ComponentType } from 'react'

import { type adminPages, pages } from '#contract/paths.ts'

import { queryClient } from './query-client.ts'

export type ScreenPath = (typeof adminPages)[number]

const loadProducts = async () =>
  (await import('#web/admin/products/products-page.tsx')).ProductsPage

const loaders: Record<ScreenPath, () => Promise<ComponentType>> = {
  [pages.home]: loadProducts,
  [pages.products]: loadProducts,
  [pages.orders]: async () => (await import('#web/admin/orders/orders-page.tsx')).OrdersPage,
  [pages.fulfillment]: async () =>
    (await import('#web/admin/orders/fulfillment/fulfillment-page.tsx')).FulfillmentPage,
  [pages.analytics]: async () =>
    (await import('#web/admin/analytics/analytics-page.tsx')).AnalyticsPage,
}

export function isScreenPath(path: string): path is ScreenPath {
  return Object.hasOwn(loaders, path)
}

/**
 * The page component of a path, once its code has loaded. React's lazy() would start loading only when the page
 * renders, after the session is known, and would then hold the result back for 300 ms to avoid flicker.
 */
export function useScreen(path: ScreenPath): ComponentType | undefined {
  return useQuery(screenQuery(path)).data
}

/** Starts loading a page on hover or focus of its link. A failed load is forgotten, so a click tries again. */
export function prefetchScreen(path: ScreenPath): void {
  const query = screenQuery(path)
  queryClient.fetchQuery(query).catch(() => queryClient.removeQueries(query))
}

function screenQuery(path: ScreenPath) {
  return { queryKey: ['screen', path], queryFn: loaders[path], throwOnError: true }
}
