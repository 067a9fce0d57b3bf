import { useQueryClient } from '@tanstack/react-query'

import { LivePill } from '#web/admin/live/live-pill.tsx'
import { type ShownSince, useLiveEvents } from '#web/admin/live/live.ts'
import { useSeenList } from '#web/admin/live/live-signals.ts'

import { toastFailure } from './export-orders.ts'
import { type OrderList, refreshAll } from './order-queries.ts'

type NewOrdersProps = {
  list: OrderList
  /** Of what else the page shows. */
  alsoShown?: ShownSince
}

/** '2 new orders' over a list that does not have them. */
export function NewOrders({ list, alsoShown }: NewOrdersProps) {
  const queryClient = useQueryClient()
  const told = useLiveEvents({
    order: list.shownSince,
    'order-changed': list.shownSince,
    ...alsoShown,
  })
  useSeenList()
  // Told only after the list with it was read.
  const isListed = (id: string) => list.orders.some((order) => order.id === id)
  const events = told.filter(({ kind, id }) => kind !== 'order' || !isListed(id))
  return (
    <LivePill
      events={events}
      onLoad={() => toastFailure('The orders could not be loaded', refreshAll(queryClient))}
    />
  )
}
