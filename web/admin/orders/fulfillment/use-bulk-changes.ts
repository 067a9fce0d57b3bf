import { skipToken, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'

import type { StatusChange } from '#web/admin/orders/status-change.ts'

import { type BulkStanding, standingKey } from './bulk-changes.ts'

/** How the changes of many orders stand, and word of those that were made. */
export function useBulkChanges(onDone: (done: StatusChange[]) => void) {
  const { data } = useQuery<BulkStanding>({
    queryKey: standingKey,
    queryFn: skipToken,
    gcTime: Infinity,
    structuralSharing: false,
  })
  const { progress, ended } = data ?? {}
  useEffect(() => {
    if (ended) onDone(ended.outcome.done)
  }, [ended, onDone])
  return { progress, failure: ended?.outcome.failed.length ? ended.outcome : undefined }
}
