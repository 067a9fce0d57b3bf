import { Truck, X } from 'lucide-react'

import type { AdminOrder } from '#contract/orders.ts'
import { formatCount, shortId } from '#web/admin/orders/order-text.ts'
import type { OpenPanel } from '#web/admin/orders/order-url.ts'
import { Button } from '#web/ui/button.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { returnFocus } from '#web/ui/open-layers.ts'

import { dismissOffer, takeIds, useOfferedIds } from './offered-orders.ts'

type TrackingOfferProps = {
  onTrack: (panel: OpenPanel) => void
  /** Orders that are shown: one that has its tracking by now is not offered any more. */
  listed: readonly AdminOrder[]
}

/** One line over the end of the list, which moves nothing. It goes with Undo. */
export function TrackingOffer({ onTrack, listed }: TrackingOfferProps) {
  // What is picked up has none.
  const done = listed.filter(({ shipment, isPickup }) => shipment ?? isPickup)
  const ids = useOfferedIds().filter((offered) => !done.some(({ id }) => id === offered))
  const [id] = ids
  const text = !id
    ? ''
    : ids.length === 1
      ? `Order ${shortId(id)} is shipped.`
      : `${formatCount(ids.length)} orders are shipped.`
  return (
    <>
      <p aria-live="polite" className="sr-only">
        {text && `${text} Tracking can be added.`}
      </p>
      {id && (
        <section
          aria-label="Tracking"
          className="fixed inset-x-4 bottom-4 z-20 mx-auto flex max-w-md animate-appear items-center gap-2.5 rounded-lg border border-line bg-card py-1.5 ps-3.5 pe-1.5 text-sm shadow-lifted print:hidden"
        >
          <Truck aria-hidden className="size-4 shrink-0 text-shipped" />
          <p className="me-auto min-w-0 text-soft">{text}</p>
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
          <IconButton icon={X} name="Dismiss" onClick={dismiss} />
        </section>
      )}
    </>
  )
}

/** The button that has the focus goes: the page gets it. */
function dismiss(): void {
  dismissOffer()
  const main = document.querySelector('main')
  if (main) returnFocus(main)
}
