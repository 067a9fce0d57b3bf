import { useSyncExternalStore } from 'react'

import type { ChangedStatuses } from './order-pages.ts'
import type { StatusChange } from './status-change.ts'

let changed: ChangedStatuses = new Map()
const listeners = new Set<() => void>()

/** These orders have another status now; every list that was read before shows it. */
export function noteChanges(changes: readonly StatusChange[]) {
  const at = performance.now()
  changed = new Map([...changed, ...changes.map(({ id, to }) => [id, { status: to, at }] as const)])
  for (const listener of listeners) listener()
}

export function useChangedStatuses(): ChangedStatuses {
  return useSyncExternalStore(subscribe, () => changed)
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
