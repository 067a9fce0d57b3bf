import { RefreshCw } from 'lucide-react'
import { useSearch } from 'wouter'

import { NotLoaded } from '#web/admin/not-loaded.tsx'
import { PageHead } from '#web/admin/page-head.tsx'
import { IconButton } from '#web/ui/button.tsx'

import { readRange } from './date-range.ts'
import { Figures } from './figures.tsx'
import { FiguresSkeleton } from './figures-skeleton.tsx'
import { RangeBar } from './range-bar.tsx'
import { useSummary } from './use-summary.ts'

export function AnalyticsPage() {
  const range = readRange(useSearch())
  const { summary, hasFailed, isOld, isAsking, isRefreshing, readAgain } = useSummary(range)

  return (
    <>
      <PageHead title="Analytics" subtitle="How your checkout links sell">
        <IconButton
          icon={RefreshCw}
          name="Look for new figures"
          isPending={isRefreshing}
          onClick={readAgain}
          className="-me-2"
        />
      </PageHead>
      <RangeBar range={range} shown={isOld ? undefined : summary} />
      {summary ? (
        <Figures summary={summary} isOld={isOld} />
      ) : hasFailed ? (
        <NotLoaded what="figures" isAsking={isAsking} onRetry={readAgain} />
      ) : (
        <FiguresSkeleton />
      )}
    </>
  )
}
