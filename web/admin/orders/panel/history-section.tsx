import { DateTime } from '#web/admin/orders/order-display.tsx'
import { useTimeline } from '#web/admin/orders/order-queries.ts'
import { formatCorrection, formatEvent } from '#web/admin/orders/order-text.ts'

import { RetryNotice } from '#web/ui/retry-notice.tsx'

import { type OrderProps, Section } from './panel-parts.tsx'

export function HistorySection({ order }: OrderProps) {
  return (
    // Not for who opens the parcel.
    <Section title="History" className="print:hidden">
      <Timeline order={order} />
    </Section>
  )
}

function Timeline({ order }: OrderProps) {
  const { data: events, isError, isFetching, refetch } = useTimeline(order.id)

  if (isError && !events)
    return (
      <RetryNotice isFetching={isFetching} onRetry={() => void refetch()}>
        The history could not be loaded.
      </RetryNotice>
    )
  if (events?.length === 0) return <p className="text-soft">Nothing has happened yet.</p>
  return (
    <ol className="min-h-12">
      {[...(events ?? []).entries()].map(([index, event]) => (
        <li
          key={index}
          className="relative pb-3 ps-5 last:pb-0 before:absolute before:start-0 before:top-2 before:size-2 before:rounded-full before:bg-accent not-last:after:absolute not-last:after:start-[0.2rem] not-last:after:top-4.5 not-last:after:h-[calc(100%-0.75rem)] not-last:after:w-px not-last:after:bg-line"
        >
          <p className="wrap-anywhere">{formatEvent(event, order)}</p>
          {event.corrections?.map((correction) => (
            <p key={correction.field} className="text-[0.8125rem]/5 text-soft wrap-anywhere">
              <bdi>{formatCorrection(correction)}</bdi>
            </p>
          ))}
          <p className="text-[0.8125rem]/5 text-muted">
            <DateTime at={event.at} />
            {' · '}
            <bdi>{event.who}</bdi>
          </p>
        </li>
      ))}
    </ol>
  )
}
