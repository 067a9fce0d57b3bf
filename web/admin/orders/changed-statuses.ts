import { useSyncExternalStore } from 'react'

import type { AdminOrder, OrderCounts, OrderStatus } from '#contract/orders.ts'

export type StatusChange = { id: string; from: OrderStatus; to: OrderStatus }

export function revertChange({ id, from, to }: StatusChange): StatusChange {
  return { id, from: to, to: from }
}

/** Counts never become negative, even when somebody else changed the same orders. */
export function updateCounts(counts: OrderCounts, changes: readonly StatusChange[]): OrderCounts {
  const updated = { ...counts }
  for (const { from, to } of changes) {
    if (from === to) continue
    if (from in updated) updated[from] = Math.max(0, updated[from] - 1)
    if (to in updated) updated[to] += 1
  }
  return updated
}

export function countOrders(orders: readonly Pick<AdminOrder, 'status'>[]): OrderCounts {
  const counts = { pending: 0, processing: 0, shipped: 0, completed: 0 }
  for (const { status } of orders) if (status in counts) counts[status] += 1
  return counts
}

/** The orders of one status, or of all. */
export function sumCounts(counts: OrderCounts, status: OrderStatus | undefined): number {
  if (status) return counts[status]
  return Object.values(counts).reduce((sum, count) => sum + count, 0)
}

/** One page of the list. */
export type OrderPage = {
  orders: AdminOrder[]
  nextCursor: string | undefined
  /** When the server began to read it (readAtHeader): what is new is compared with that. */
  readAt?: number | undefined
  /** By performance.now(). */
  requestedAt: number
}

/** Statuses changed in this browser, with the time by performance.now(). */
export type ChangedStatuses = ReadonlyMap<string, { status: OrderStatus; changedAt: number }>

/**
 * Loaded pages stay as they are; changes are applied on top, unless the page was requested later. So an undone order
 * returns to its old position, and a response that is still on its way cannot revert a change.
 */
export function applyChangedStatuses(
  pages: readonly OrderPage[],
  changed: ChangedStatuses,
  filter: OrderStatus | undefined,
): AdminOrder[] {
  const orders = pages.flatMap((page) => {
    if (changed.size === 0) return page.orders
    return page.orders.map((order) => {
      const change = changed.get(order.id)
      const isNewer = change && change.changedAt >= page.requestedAt
      return isNewer && change.status !== order.status ? { ...order, status: change.status } : order
    })
  })
  return filter ? orders.filter(({ status }) => status === filter) : orders
}

let changedStatuses: ChangedStatuses = new Map()
const listeners = new Set<() => void>()

export function recordChanges(changes: readonly StatusChange[]): void {
  const changedAt = performance.now()
  changedStatuses = new Map([
    ...changedStatuses,
    ...changes.map(({ id, to }) => [id, { status: to, changedAt }] as const),
  ])
  for (const listener of listeners) listener()
}

export function useChangedStatuses(): ChangedStatuses {
  return useSyncExternalStore(subscribe, () => changedStatuses)
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
