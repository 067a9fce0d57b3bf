import type { OrderCounts, OrderMark, OrderStatus } from '#contract/orders.ts'

/** An order goes from one status to another. */
export type StatusChange = { id: string; from: OrderStatus; to: OrderStatus }

export function changesTo(to: OrderStatus, orders: readonly OrderMark[]): StatusChange[] {
  return orders.map(({ id, status }) => ({ id, from: status, to }))
}

/** Each order back to what it was itself. */
export function undoOf(changes: readonly StatusChange[]): StatusChange[] {
  return changes.map(({ id, from, to }) => ({ id, from: to, to: from }))
}

/** The counters after these changes. They never fall below nothing, whatever others did meanwhile. */
export function moveCounts(counts: OrderCounts, changes: readonly StatusChange[]): OrderCounts {
  const moved = { ...counts }
  for (const { from, to } of changes) {
    if (from === to) continue
    moved[from] = Math.max(0, moved[from] - 1)
    moved[to] += 1
  }
  return moved
}

export function countAll(counts: OrderCounts, status: OrderStatus | undefined): number {
  if (status) return counts[status]
  return Object.values(counts).reduce((sum, count) => sum + count, 0)
}
