import type { AnalyticsSummary } from '#contract/analytics.ts'

import { showCentsAs } from './amounts.ts'
import { type Bar, type BarUnit, makeBars } from './bars.ts'
import { nameMonth } from './day-words.ts'
import { capitalize } from './words.ts'

type RevenueTableProps = {
  summary: AnalyticsSummary
  /** What a line stands for. */
  unit: BarUnit
  className: string
}

/** The chart in figures, line by line, the latest first. It scrolls within the chart's own room. */
export function RevenueTable({ summary, unit, className }: RevenueTableProps) {
  const { days, before, currency } = summary
  const columns = ['Revenue', 'Orders', 'Views', ...(before ? ['Revenue before'] : [])]

  return (
    <section
      aria-label={`Revenue per ${unit}, as a table`}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard
      tabIndex={0}
      className={`overflow-auto rounded-lg ${className}`}
    >
      <table className="w-full text-[0.8125rem] @md:text-sm">
        <thead className="sticky top-0 bg-card text-xs text-muted">
          <tr className="border-b border-line">
            <th scope="col" className="py-2 pe-2 @md:pe-3 text-start align-bottom font-medium">
              {capitalize(unit)}
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
          {makeBars(days, before?.days, unit)
            .toReversed()
            .map((bar) => (
              <Row key={bar.from} bar={bar} currency={currency} />
            ))}
        </tbody>
      </table>
    </section>
  )
}

function Row({ bar, currency }: { bar: Bar; currency: string }) {
  return (
    <tr>
      <th
        scope="row"
        className="py-2 pe-2 @md:pe-3 text-start font-normal whitespace-nowrap text-soft"
      >
        {nameMonth(bar)}
      </th>
      <td className="ps-2 @md:ps-3 text-end font-medium">{showCentsAs(bar.cents, currency)}</td>
      <td className="ps-2 @md:ps-3 text-end">{bar.orders.toLocaleString('en')}</td>
      <td className="ps-2 @md:ps-3 text-end">{bar.views.toLocaleString('en')}</td>
      {bar.before && (
        <td className="ps-2 @md:ps-3 text-end text-muted">
          {showCentsAs(bar.before.cents, currency)}
        </td>
      )}
    </tr>
  )
}
