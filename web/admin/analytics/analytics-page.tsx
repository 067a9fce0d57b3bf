import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { RefreshCw } from 'lucide-react'
import { useSearch } from 'wouter'

import type { AnalyticsSummary } from '#contract/analytics.ts'
import { apiRoutes } from '#contract/paths.ts'
import { PageHead } from '#web/admin/shell/page-head.tsx'
import { LoadError } from '#web/admin/shell/page-states.tsx'
import { parsePart, shapes } from '#web/admin/answers.ts'
import { callServer, isUnauthorized } from '#web/api.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import { toast } from '#web/ui/use-toast.ts'

import { type DateRange, parseRange, summaryQuery } from './date-range.ts'
import { Figures, FiguresSkeleton } from './figures.tsx'
import { RangeBar } from './range-bar.tsx'

export function AnalyticsPage() {
  const range = parseRange(useSearch())
  const { summary, isOutdated, isError, isFetching, isRefetching, refresh } = useSummary(range)

  return (
    <>
      <PageHead title="Analytics" subtitle="How your checkout links sell">
        <IconButton
          icon={RefreshCw}
          name="Look for new figures"
          isPending={isRefetching}
          onClick={refresh}
          className="-me-2"
        />
      </PageHead>
      <RangeBar range={range} summary={summary} />
      {summary ? (
        <Figures summary={summary} isOutdated={isOutdated} />
      ) : isError ? (
        <LoadError what="figures" isRetrying={isFetching} onRetry={refresh} />
      ) : (
        <FiguresSkeleton />
      )}
    </>
  )
}

const summariesKey = [apiRoutes.analyticsSummary]

/** The figures of a range. Those of the previous range stay until the new ones have loaded. */
function useSummary(range: DateRange) {
  const queryClient = useQueryClient()
  const parameters = summaryQuery(range)
  const query = useQuery({
    queryKey: [...summariesKey, parameters],
    queryFn: async ({ signal }) => {
      const path = `${apiRoutes.analyticsSummary}?${parameters}`
      const response = await callServer('GET', path, undefined, signal)
      return parsePart(shapes.summary, await response.json()) as AnalyticsSummary
    },
    placeholderData: keepPreviousData,
  })

  async function refresh() {
    // Other ranges are loaded again when they are next opened.
    queryClient.removeQueries({ queryKey: summariesKey, type: 'inactive' })
    const { error } = await query.refetch()
    if (!error || isUnauthorized(error) || !query.data) return
    toast({
      title: 'Your figures could not be loaded',
      description: 'What you see is from before. Please try again.',
      variant: 'destructive',
    })
  }

  return {
    summary: query.data,
    /** The summary belongs to the previous range. */
    isOutdated: query.isPlaceholderData,
    isError: query.isError,
    isFetching: query.isFetching,
    isRefetching: query.isRefetching,
    refresh: () => void refresh(),
  }
}
