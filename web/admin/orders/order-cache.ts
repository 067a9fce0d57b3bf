import type { InfiniteData, QueryClient } from '@tanstack/react-query'

import type { OrderCounts } from '#contract/orders.ts'
import { apiRoutes } from '#contract/paths.ts'

import { noteChanges } from './changed-statuses.ts'
import type { OrderPage } from './order-pages.ts'
import type { OrderSearch } from './order-search.ts'
import { moveCounts, type StatusChange } from './status-change.ts'

const listsKey = [apiRoutes.orders, 'list'] as const
const singlesKey = [apiRoutes.orders, 'single'] as const
export const countsKey = [apiRoutes.orderCounts] as const
export const reviewKey = [apiRoutes.review] as const
/** What was dealt with. Whoever asks for the list anew means the archive too. */
export const archiveKey = [apiRoutes.review, 'archive'] as const

export function listKeyOf({ q, status }: OrderSearch) {
  return [...listsKey, { q, status }] as const
}

export function singleKeyOf(id: string) {
  return [...singlesKey, id] as const
}

/** An order's history goes with the order: whoever asks for the one anew means the other too. */
export function timelineKeyOf(id: string) {
  return [...singlesKey, id, 'timeline'] as const
}

/** Orders have changed: lists and counters on the screen show it at once, without being read again. */
export function showChanges(queryClient: QueryClient, changes: readonly StatusChange[]) {
  noteChanges(changes)
  queryClient.setQueryData<OrderCounts>(
    countsKey,
    (counts) => counts && moveCounts(counts, changes),
  )
  // Nobody can know where in a filtered list that is not on the screen an order would appear: it is read anew.
  queryClient.removeQueries({
    queryKey: listsKey,
    type: 'inactive',
    predicate: ({ queryKey }) => (queryKey as ReturnType<typeof listKeyOf>)[2].status !== undefined,
  })
}

/** Asks the server for what it alone knows: what others did meanwhile, and the history. */
export function readTheRest(queryClient: QueryClient) {
  void queryClient.invalidateQueries({ queryKey: countsKey })
  void queryClient.invalidateQueries({ queryKey: singlesKey })
}

/** Begins from the top with what the server has now. What is on the screen stays until that is there, or throws. */
export async function readAllAgain(queryClient: QueryClient): Promise<void> {
  queryClient.removeQueries({ queryKey: listsKey, type: 'inactive' })
  queryClient.setQueriesData<InfiniteData<OrderPage>>(
    { queryKey: listsKey },
    (list) => list && { pages: list.pages.slice(0, 1), pageParams: list.pageParams.slice(0, 1) },
  )
  readTheRest(queryClient)
  const orThrow = { throwOnError: true }
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: listsKey }, orThrow),
    queryClient.invalidateQueries({ queryKey: reviewKey }, orThrow),
  ])
}
