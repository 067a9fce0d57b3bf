import { RefreshCw } from 'lucide-react'
import { useSearch } from 'wouter'

import { LoadError } from '#web/admin/shell/page-states.tsx'
import { PageHead } from '#web/admin/shell/page-head.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'

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
        <LoadError what="figures" isRetrying={isAsking} onRetry={readAgain} />
      ) : (
        <FiguresSkeleton />
      )}
    </>
  )
}
