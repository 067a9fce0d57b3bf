import { useQuery } from '@tanstack/react-query'
import type { ComponentType } from 'react'

import { type adminPages, pages } from '#contract/paths.ts'

import { queryClient } from './query-client.ts'

export type ScreenPath = (typeof adminPages)[number]

const loadProducts = async () => (await import('./products/products-page.tsx')).ProductsPage

const loaders: Record<ScreenPath, () => Promise<ComponentType>> = {
  [pages.home]: loadProducts,
  [pages.products]: loadProducts,
  [pages.orders]: async () => (await import('./orders/orders-page.tsx')).OrdersPage,
  [pages.fulfillment]: async () =>
    (await import('./orders/fulfillment/fulfillment-page.tsx')).FulfillmentPage,
  [pages.analytics]: async () => (await import('./analytics/analytics-page.tsx')).AnalyticsPage,
}

export function isScreen(path: string): path is ScreenPath {
  return Object.hasOwn(loaders, path)
}

/**
 * The page at a path, once its code is here. Not React's lazy(): that begins to load when a page is drawn, after it
 * is known who is signed in, and then holds what has come back for 300 ms, so that placeholders do not flicker.
 */
export function useScreen(path: ScreenPath): ComponentType | undefined {
  return useQuery(screenAt(path)).data
}

/** Whoever points at a link will soon want what is behind it. What fails now is asked for again when it is wanted. */
export function prepareScreen(path: ScreenPath): void {
  const screen = screenAt(path)
  queryClient.fetchQuery(screen).catch(() => queryClient.removeQueries(screen))
}

function screenAt(path: ScreenPath) {
  return { queryKey: ['screen', path], queryFn: loaders[path], throwOnError: true }
}
