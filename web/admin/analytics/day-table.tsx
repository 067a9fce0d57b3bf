import type { AnalyticsSummary, DayFigures } from '#contract/analytics.ts'

import { showSum } from './amounts.ts'
import { showDay } from './day-words.ts'

type DayTableProps = {
  summary: AnalyticsSummary
  className: string
}

/** The chart in figures, day by day, the latest first. It scrolls within the chart's own room. */
export function DayTable({ summary, className }: DayTableProps) {
  const { days, before, currency } = summary
  const columns = ['Revenue', 'Orders', 'Views', ...(before ? ['Revenue before'] : [])]

  return (
    <section
      aria-label="Revenue per day, as a table"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard
      tabIndex={0}
      className={`overflow-auto rounded-lg ${className}`}
    >
      <table className="w-full text-[0.8125rem] @md:text-sm">
        <thead className="sticky top-0 bg-card text-xs text-muted">
          <tr className="border-b border-line">
            <th scope="col" className="py-2 pe-2 @md:pe-3 text-start align-bottom font-medium">
              Day
            </th>
            {columns.map((title) => (
              <th
                key={title}
                scope="col"
                className="py-2 ps-2 @md:ps-3 text-end align-bottom font-medium"
              >
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {days
            .map((day, place) => (
              <DayRow key={day.day} day={day} before={before?.days[place]} currency={currency} />
            ))
            .toReversed()}
        </tbody>
      </table>
    </section>
  )
}

type DayRowProps = { day: DayFigures; before: DayFigures | undefined; currency: string }

function DayRow({ day, before, currency }: DayRowProps) {
  return (
    <tr>
      <th
        scope="row"
        className="py-2 pe-2 @md:pe-3 text-start font-normal whitespace-nowrap text-soft"
      >
        {showDay(day.day)}
      </th>
      <td className="ps-2 @md:ps-3 text-end font-medium">{showSum(day.revenue, currency)}</td>
      <td className="ps-2 @md:ps-3 text-end">{day.orders.toLocaleString('en')}</td>
      <td className="ps-2 @md:ps-3 text-end">{day.views.toLocaleString('en')}</td>
      {before && (
        <td className="ps-2 @md:ps-3 text-end text-muted">{showSum(before.revenue, currency)}</td>
      )}
    </tr>
  )
}
