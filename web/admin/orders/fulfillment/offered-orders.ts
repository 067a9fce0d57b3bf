import { skipToken, useQuery } from '@tanstack/react-query'

import { type StatusChange, useChangedStatuses } from '#web/admin/orders/changed-statuses.ts'
import { queryClient } from '#web/admin/shell/query-client.ts'

/*
 * The orders that were just marked as shipped, for which tracking is offered. In the query cache, so that the offer
 * outlives the page but not the session.
 */

const offerKey = ['tracking-offer'] as const
const takenKey = ['taken-tracking-offer'] as const

/** The latest offer replaces the one before. */
export function offerTracking(changes: readonly StatusChange[]): void {
  const ids = changes.filter(({ from, to }) => to === 'shipped' && from !== to).map(({ id }) => id)
  if (ids.length > 0) queryClient.setQueryData<string[]>(offerKey, ids)
}

export function dismissOffer(): void {
  queryClient.setQueryData<string[]>(offerKey, [])
}

/** Without the orders whose change was undone. */
export function useOfferedIds(): string[] {
  const { data: offered = [] } = useQuery<string[]>({
    queryKey: offerKey,
    queryFn: skipToken,
    gcTime: Infinity,
  })
  const changed = useChangedStatuses()
  return offered.filter((id) => changed.get(id)?.status === 'shipped')
}

/** The orders whose tracking is to be pasted: those of the offer that was taken, or none in particular. */
export function readTakenIds(): string[] {
  return queryClient.getQueryData<string[]>(takenKey) ?? []
}

export function takeIds(ids: string[]): void {
  queryClient.setQueryData(takenKey, ids)
}
