import { ExternalLink } from 'lucide-react'

import { carrierNames } from '#contract/carriers.ts'
import { labelOf, noValue } from '#web/admin/orders/order-text.ts'
import { Button } from '#web/ui/button.tsx'

import { CopyableFact, Fact, link, type OrderProps, Section } from './panel-parts.tsx'

type ParcelProps = OrderProps & { onTrack: () => void }

/** What is picked up has none. */
export function ParcelSection(props: ParcelProps) {
  if (props.order.isPickup) return <Pickup order={props.order} />
  return (
    <Section title="Parcel">
      <Parcel {...props} />
    </Section>
  )
}

function Pickup({ order }: OrderProps) {
  return (
    <Section title="Pickup">
      <p className="text-soft">{describePickup(order)}</p>
    </Section>
  )
}

function describePickup(order: OrderProps['order']): string {
  const { status, customerEmail } = order
  if (status === 'shipped') return 'It is ready for pickup.'
  if (status === 'completed') return 'It was picked up.'
  const mail = customerEmail === null ? '' : ' A mail to the customer is written then.'
  return `Set it to ${labelOf('shipped', order)} once it can be picked up.${mail}`
}

function Parcel({ order, onTrack }: ParcelProps) {
  const { shipment } = order
  if (!shipment) {
    if (order.erasedAt) return <p className="text-soft">{noValue}</p>
    return (
      <Button size="small" onClick={onTrack} className="mt-1">
        Add tracking
      </Button>
    )
  }
  const { carrier, trackingNumber, trackingUrl } = shipment
  return (
    <div className="flex flex-col gap-2">
      <dl className="flex flex-col gap-2">
        <Fact name="Carrier">{carrierNames[carrier]}</Fact>
        {trackingNumber && <CopyableFact name="Tracking number" text={trackingNumber} />}
      </dl>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        {trackingUrl && (
          <a
            href={trackingUrl}
            target="_blank"
            rel="noopener noreferrer"
            className={`inline-flex items-center gap-2 font-medium text-accent ${link}`}
          >
            Follow the parcel
            <ExternalLink aria-hidden className="size-4" />
          </a>
        )}
        <Button size="small" onClick={onTrack}>
          Change tracking
        </Button>
      </div>
    </div>
  )
}
