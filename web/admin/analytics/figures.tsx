import type { AnalyticsSummary } from '#contract/analytics.ts'
import { classNames } from '#web/ui/class-names.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'

import { Countries, Devices, Funnel, Referrers, TopProducts } from './breakdowns.tsx'
import { FirstSteps } from './first-steps.tsx'
import { Headline, headlineCell, headlineGrid } from './headline.tsx'
import { panelClass, panelPadding } from './panel.tsx'
import { chartHeight } from './revenue-chart.tsx'
import { RevenuePanel } from './revenue-panel.tsx'

type FiguresProps = {
  summary: AnalyticsSummary
  /** The figures of another range are loading. */
  isOutdated: boolean
}

export function Figures({ summary, isOutdated }: FiguresProps) {
  return (
    <div
      aria-busy={isOutdated}
      className={classNames(
        '@container mt-4 transition-opacity',
        isOutdated && 'opacity-50 delay-150 duration-300',
      )}
    >
      <div className="flex flex-col gap-4">
        <Headline summary={summary} />
        {hasNoActivity(summary) ? <FirstSteps /> : <RevenuePanel summary={summary} />}
        <div className="grid grid-cols-1 gap-4 @3xl:grid-cols-2">
          <TopProducts summary={summary} />
          <Funnel summary={summary} />
        </div>
        <div className="grid grid-cols-1 gap-4 @3xl:grid-cols-3">
          <Devices summary={summary} />
          <Countries summary={summary} />
          <Referrers summary={summary} />
        </div>
      </div>
    </div>
  )
}

/** Ever, not only in the chosen days. */
function hasNoActivity({ before, views, started, orders }: AnalyticsSummary): boolean {
  return before === null && views + started + orders === 0
}

/** Has the dimensions of the figures, so that nothing moves when they appear. */
export function FiguresSkeleton() {
  return (
    <div className="@container mt-4">
      <p aria-live="polite" className="sr-only">
        Loading...
      </p>
      <div aria-hidden className="flex flex-col gap-4">
        <div className={panelClass}>
          <div className={headlineGrid}>
            {[1, 2, 3, 4, 5].map((figure) => (
              <div key={figure} className={`h-38.5 @md:h-39.5 @5xl:h-38.5 ${headlineCell}`}>
                <Skeleton className="mt-1 h-4 w-24" />
                <Skeleton className="mt-3.5 h-7 w-28" />
              </div>
            ))}
          </div>
        </div>
        <div className={`${panelClass} ${panelPadding}`}>
          <TitleSkeleton />
          <ChartSkeleton />
        </div>
        <div className="grid gap-4 @3xl:grid-cols-2">
          <ListSkeleton />
          <ListSkeleton />
        </div>
        <div className="grid gap-4 @3xl:grid-cols-3">
          <ListSkeleton />
          <ListSkeleton />
          <ListSkeleton />
        </div>
      </div>
    </div>
  )
}

function TitleSkeleton() {
  return (
    <div className="h-9 pt-2.5">
      <Skeleton className="h-4 w-36" />
    </div>
  )
}

const barHeights = ['h-1/3', 'h-1/2', 'h-2/5', 'h-3/5', 'h-1/3', 'h-1/2', 'h-3/4', 'h-2/3']

function ChartSkeleton() {
  return (
    <div
      className={`mt-8 mb-7 flex items-end justify-between gap-[4%] border-b border-line ps-12 ${chartHeight}`}
    >
      {barHeights.map((height, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- they never change
        <Skeleton key={index} className={`flex-1 rounded-b-none ${height}`} />
      ))}
    </div>
  )
}

function ListSkeleton() {
  return (
    <div className={`${panelClass} ${panelPadding}`}>
      <TitleSkeleton />
      <div className="mt-2 flex min-h-57 flex-col gap-3.5">
        {[1, 2, 3, 4, 5].map((row) => (
          <div key={row} className="h-8 pt-1">
            <Skeleton className="h-3.5 w-2/5" />
            <Skeleton className="mt-2 h-1.5 w-full" />
          </div>
        ))}
      </div>
    </div>
  )
}
