import { ChartColumn, Table2 } from 'lucide-react'
import { useId, useMemo, useState } from 'react'

import type { AnalyticsSummary } from '#contract/analytics.ts'
import { Button } from '#web/ui/button.tsx'

import { showCentsAs, sumInCents } from './amounts.ts'
import { type Bar, bestOf, hasMoney, makeBars, nameDays, tableUnitFor, unitFor } from './bars.ts'
import { ChangeNote } from './change-note.tsx'
import { compare, nameBefore } from './comparison.ts'
import { definitions } from './definitions.ts'
import { Legend } from './legend.tsx'
import { NothingSold } from './nothing-sold.tsx'
import { Panel } from './panel.tsx'
import { chartHeight, RevenueChart } from './revenue-chart.tsx'
import { RevenueTable } from './revenue-table.tsx'

export function RevenuePanel({ summary }: { summary: AnalyticsSummary }) {
  const { days, before, currency, today } = summary
  const [isTable, setIsTable] = useState(false)
  const [wordsId, contentId] = [useId(), useId()]
  const bars = useMemo(() => makeBars(days, before?.days), [days, before])
  const [unit, tableUnit] = [unitFor(days.length), tableUnitFor(days.length)]
  const period = nameBefore(summary, today)

  return (
    <Panel
      title={`Revenue per ${isTable ? tableUnit : unit}`}
      definition={definitions.chart(summary)}
      aside={
        <Button
          look="bare"
          aria-controls={contentId}
          onClick={() => setIsTable(!isTable)}
          className="-me-3"
        >
          {isTable ? <ChartIcon /> : <TableIcon />}
          {isTable ? 'Show as chart' : 'Show as table'}
        </Button>
      }
    >
      <div
        id={wordsId}
        className="flex min-h-5 flex-wrap content-start gap-x-4 gap-y-0.5 text-[0.8125rem]/5 text-soft @max-md:min-h-10.5"
      >
        {before && (
          <ChangeNote
            comparison={compare(sumInCents(summary.revenue), sumInCents(before.revenue), period)}
          />
        )}
        {summary.from === today && <p className="text-muted">Today is not over yet.</p>}
        <BestBar bars={bars} currency={currency} />
      </div>
      <div id={contentId} className="relative mt-3">
        {isTable ? (
          <RevenueTable summary={summary} unit={tableUnit} className={chartHeight} />
        ) : (
          <RevenueChart
            key={`${summary.from} ${summary.to}`}
            bars={bars}
            unit={unit}
            currency={currency}
            today={today}
            describedBy={wordsId}
          />
        )}
        {!isTable && !bars.some(hasMoney) && <NothingSold isAllTime={!before} />}
      </div>
      <div className={isTable ? 'invisible mt-2' : 'mt-2'}>
        <Legend before={before ? period : undefined} hasToday={summary.to >= today} />
      </div>
    </Panel>
  )
}

function BestBar({ bars, currency }: { bars: Bar[]; currency: string }) {
  const best = bestOf(bars)
  if (!best || bars.length === 1) return null
  return (
    <p className="text-muted">
      Best: {nameDays(best)}, {showCentsAs(best.cents, currency)}
    </p>
  )
}

function ChartIcon() {
  return <ChartColumn aria-hidden className="size-4" />
}

function TableIcon() {
  return <Table2 aria-hidden className="size-4" />
}
