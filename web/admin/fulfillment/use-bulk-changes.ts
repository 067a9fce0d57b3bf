import { useEffect, useSyncExternalStore } from 'react'

import type { StatusChange } from '#web/admin/orders/status-change.ts'

import { readStanding, subscribe } from './bulk-changes.ts'

/** How the changes of many orders stand, and word of those that were made. */
export function useBulkChanges(onDone: (done: StatusChange[]) => void) {
  const { progress, ended } = useSyncExternalStore(subscribe, readStanding)
  useEffect(() => {
    if (ended) onDone(ended.outcome.done)
  }, [ended, onDone])
  return { progress, failure: ended?.outcome.failed.length ? ended.outcome : undefined }
}
