import type { AdminOrder, OrderStatus } from '#contract/orders.ts'

/** One answer of the list, and where the next one begins. */
export type OrderPage = {
  orders: AdminOrder[]
  next: string | undefined
  /** When it was asked for, by the clock of this page. */
  askedAt: number
}

/** Orders that were changed here, and when. A page that was asked for later knows better. */
export type ChangedStatuses = ReadonlyMap<string, { status: OrderStatus; at: number }>

/**
 * What was read of a list stays as it was read; changes are laid over it, and what no longer fits is not shown. So an
 * order whose change is undone comes back to its old place, and no answer that is still on its way can undo a change.
 */
export function shownOrders(
  pages: readonly OrderPage[],
  changed: ChangedStatuses,
  status: OrderStatus | undefined,
): AdminOrder[] {
  const all = pages.flatMap((page) =>
    changed.size > 0 ? page.orders.map((order) => asItIsNow(order, page, changed)) : page.orders,
  )
  return status ? all.filter((order) => order.status === status) : all
}

function asItIsNow(order: AdminOrder, page: OrderPage, changed: ChangedStatuses): AdminOrder {
  const change = changed.get(order.id)
  if (!change || change.at < page.askedAt || change.status === order.status) return order
  return { ...order, status: change.status }
}
