import { ChartColumn, Table2 } from 'lucide-react'
import { useId, useMemo, useState } from 'react'
import { Link } from 'wouter'

import type { AnalyticsSummary, DayFigures } from '#contract/analytics.ts'
import { Button } from '#web/ui/button.tsx'

import {
  type Bar,
  type BarUnit,
  chartUnit,
  createBars,
  findBestBar,
  hasRevenue,
  tableUnit,
} from './bars.ts'
import { compare, formatPreviousPeriod } from './comparison.ts'
import { rangeHref } from './date-range.ts'
import {
  capitalize,
  formatCents,
  formatPeriod,
  formatPeriodWithWeekday,
  sumToCents,
} from './format.ts'
import { ChangeNote, definitions, Panel } from './panel.tsx'
import { chartHeight, Legend, RevenueChart } from './revenue-chart.tsx'

export function RevenuePanel({ summary }: { summary: AnalyticsSummary }) {
  const { days, before, currency, today } = summary
  const [isTable, setIsTable] = useState(false)
  const [descriptionId, contentId] = [useId(), useId()]
  const bars = useMemo(() => createBars(days, before?.days), [days, before])
  const unit = isTable ? tableUnit(days.length) : chartUnit(days.length)
  const period = formatPreviousPeriod(summary, today)
  const Icon = isTable ? ChartColumn : Table2

  return (
    <Panel
      title={`Revenue per ${unit}`}
      definition={definitions.chart(summary)}
      action={
        <Button
          look="bare"
          aria-controls={contentId}
          onClick={() => setIsTable(!isTable)}
          className="-me-3"
        >
          <Icon aria-hidden className="size-4" />
          {isTable ? 'Show as chart' : 'Show as table'}
        </Button>
      }
    >
      <div
        id={descriptionId}
        className="flex min-h-5 flex-wrap content-start gap-x-4 gap-y-0.5 text-[0.8125rem]/5 text-soft @max-md:min-h-10.5"
      >
        {before && (
          <ChangeNote
            comparison={compare(sumToCents(summary.revenue), sumToCents(before.revenue), period)}
          />
        )}
        {summary.from === today && <p className="text-muted">Today is not over yet.</p>}
        <BestBar days={days} unit={unit} currency={currency} />
      </div>
      <div id={contentId} className="relative mt-3">
        {isTable ? (
          <RevenueTable summary={summary} unit={unit} />
        ) : (
          <RevenueChart
            key={`${summary.from} ${summary.to}`}
            bars={bars}
            unit={unit}
            currency={currency}
            today={today}
            describedBy={descriptionId}
          />
        )}
        {!isTable && !bars.some(hasRevenue) && <NothingSold isAllTime={!before} />}
      </div>
      <div className={isTable ? 'invisible mt-2' : 'mt-2'}>
        <Legend before={before ? period : undefined} hasToday={summary.to >= today} />
      </div>
    </Panel>
  )
}

type BestBarProps = { days: DayFigures[]; unit: BarUnit; currency: string }

/** The best bar of what is shown: the table has days where the chart has weeks. */
function BestBar({ days, unit, currency }: BestBarProps) {
  const bars = useMemo(() => createBars(days, undefined, unit), [days, unit])
  const best = findBestBar(bars)
  if (!best || bars.length === 1) return null
  return (
    <p className="text-muted">
      {`Best ${unit}: ${unit === 'day' ? formatPeriodWithWeekday(best) : formatPeriod(best)}, ${formatCents(best.cents, currency)}`}
    </p>
  )
}

/** Shown over an empty chart. */
function NothingSold({ isAllTime }: { isAllTime: boolean }) {
  return (
    <div className="absolute inset-0 flex flex-col items-center justify-center gap-1 pb-7 text-sm">
      <p className="text-soft">
        {isAllTime ? 'Nothing was sold yet.' : 'Nothing was sold in these days.'}
      </p>
      {!isAllTime && (
        <Link
          href={rangeHref({ preset: 'all' })}
          className="inline-flex h-9 items-center font-medium text-accent underline underline-offset-4 hover:text-accent-strong pointer-coarse:h-11"
        >
          Show all time
        </Link>
      )}
    </div>
  )
}

type RevenueTableProps = { summary: AnalyticsSummary; unit: BarUnit }

/** The same figures as the chart, latest first, scrolling within the chart's height. */
function RevenueTable({ summary, unit }: RevenueTableProps) {
  const { days, before, currency } = summary
  const columns = ['Revenue', 'Orders', 'Views', ...(before ? ['Revenue before'] : [])]

  return (
    <section
      aria-label={`Revenue per ${unit}, as a table`}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard
      tabIndex={0}
      className={`overflow-auto rounded-lg ${chartHeight}`}
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
          {createBars(days, before?.days, unit)
            .toReversed()
            .map((bar) => (
              <TableRow key={bar.from} bar={bar} currency={currency} />
            ))}
        </tbody>
      </table>
    </section>
  )
}

function TableRow({ bar, currency }: { bar: Bar; currency: string }) {
  return (
    <tr>
      <th
        scope="row"
        className="py-2 pe-2 @md:pe-3 text-start font-normal whitespace-nowrap text-soft"
      >
        {formatPeriod(bar)}
      </th>
      <td className="ps-2 @md:ps-3 text-end font-medium">{formatCents(bar.cents, currency)}</td>
      <td className="ps-2 @md:ps-3 text-end">{bar.orders.toLocaleString('en')}</td>
      <td className="ps-2 @md:ps-3 text-end">{bar.views.toLocaleString('en')}</td>
      {bar.before && (
        <td className="ps-2 @md:ps-3 text-end text-muted">
          {formatCents(bar.before.cents, currency)}
        </td>
      )}
    </tr>
  )
}
