import { useQuery } from '@tanstack/react-query'

import type { AdminOrder, OrderEvent } from '#contract/orders.ts'
import { apiRoutes, pathOf } from '#contract/paths.ts'
import { callServer } from '#web/api.ts'

import { Moment } from './moment.tsx'
import { timelineKeyOf } from './order-cache.ts'
import { tellEvent } from './timeline-words.ts'

type OrderTimelineProps = { order: Pick<AdminOrder, 'id' | 'currency'> }

export function OrderTimeline({ order: { id, currency } }: OrderTimelineProps) {
  const { data: entries, isError } = useQuery({
    queryKey: timelineKeyOf(id),
    queryFn: async ({ signal }) => {
      const path = pathOf(apiRoutes.orderTimeline, { id })
      const answer = await callServer('GET', path, undefined, signal)
      return (await answer.json()) as OrderEvent[]
    },
  })

  if (isError) return <p className="text-soft">The history could not be loaded.</p>
  if (entries?.length === 0) return <p className="text-soft">Nothing has happened yet.</p>
  return (
    <ol className="min-h-12">
      {entries?.map((entry) => (
        <li
          key={`${entry.at} ${entry.event} ${entry.to}`}
          className="relative pb-3 ps-5 last:pb-0 before:absolute before:start-0 before:top-2 before:size-2 before:rounded-full before:bg-accent not-last:after:absolute not-last:after:start-[0.2rem] not-last:after:top-4.5 not-last:after:h-[calc(100%-0.75rem)] not-last:after:w-px not-last:after:bg-line"
        >
          <p>{tellEvent(entry, currency)}</p>
          <p className="text-[0.8125rem]/5 text-muted">
            <Moment at={entry.at} />
            {' · '}
            <bdi>{entry.who}</bdi>
          </p>
        </li>
      ))}
    </ol>
  )
}
