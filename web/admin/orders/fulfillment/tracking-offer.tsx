import { Truck, X } from 'lucide-react'

import { formatCount, shortId } from '#web/admin/orders/order-text.ts'
import type { OpenPanel } from '#web/admin/orders/order-url.ts'
import { Button } from '#web/ui/button.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'

import { dismissOffer, takeIds, useOfferedIds } from './offered-orders.ts'

type TrackingOfferProps = { onTrack: (panel: OpenPanel) => void }

/** One line above the list. It goes with Undo, and is in nobody's way. */
export function TrackingOffer({ onTrack }: TrackingOfferProps) {
  const ids = useOfferedIds()
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
          takeIds(ids)
          onTrack(ids.length === 1 ? { kind: 'tracking', id } : { kind: 'many-tracking' })
        }}
      >
        Add tracking
      </Button>
      <IconButton icon={X} name="Dismiss" onClick={dismissOffer} />
    </section>
  )
}
