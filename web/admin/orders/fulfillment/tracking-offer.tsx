import { skipToken, useQuery } from '@tanstack/react-query'
import { Truck, X } from 'lucide-react'

import { type StatusChange, useChangedStatuses } from '#web/admin/orders/changed-statuses.ts'
import { formatCount, shortId } from '#web/admin/orders/order-text.ts'
import { queryClient } from '#web/admin/shell/query-client.ts'
import { Button } from '#web/ui/button.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'

/** In the query cache, so that the offer outlives the page but not the session. */
const offerKey = ['tracking-offer'] as const

/** Offers to add tracking to the orders that were just marked as shipped. The latest offer replaces the one before. */
export function offerTracking(changes: readonly StatusChange[]): void {
  const ids = changes.filter(({ from, to }) => to === 'shipped' && from !== to).map(({ id }) => id)
  if (ids.length > 0) queryClient.setQueryData<string[]>(offerKey, ids)
}

function dismissOffer(): void {
  queryClient.setQueryData<string[]>(offerKey, [])
}

type TrackingOfferProps = { onTrack: (id: string) => void }

/** One line above the list. It goes with Undo, and is in nobody's way. */
export function TrackingOffer({ onTrack }: TrackingOfferProps) {
  const { data: offered = [] } = useQuery<string[]>({
    queryKey: offerKey,
    queryFn: skipToken,
    gcTime: Infinity,
  })
  const changed = useChangedStatuses()
  const ids = offered.filter((id) => changed.get(id)?.status === 'shipped')
  const [id] = ids
  if (!id) return null
  return (
    <section
      aria-label="Tracking"
      className="mt-4 flex animate-appear items-center gap-2.5 rounded-lg border border-line bg-card py-1.5 ps-3.5 pe-1.5 text-sm print:hidden"
    >
      <Truck aria-hidden className="size-4 shrink-0 text-shipped" />
      <p className="me-auto min-w-0 text-soft">
        {ids.length === 1
          ? `Order ${shortId(id)} is shipped.`
          : `${formatCount(ids.length)} orders are shipped.`}
      </p>
      <Button
        size="small"
        onClick={() => {
          dismissOffer()
          onTrack(id)
        }}
      >
        Add tracking
      </Button>
      <IconButton icon={X} name="Dismiss" onClick={dismissOffer} />
    </section>
  )
}
