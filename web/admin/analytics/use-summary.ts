import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'

import type { AnalyticsSummary } from '#contract/analytics.ts'
import { apiRoutes } from '#contract/paths.ts'
import { callServer, isUnauthorized } from '#web/api.ts'
import { toast } from '#web/ui/use-toast.ts'

import { ownTimeZone, todayIn } from './calendar.ts'
import { type DateRange, summaryParameters } from './date-range.ts'

const summaries = [apiRoutes.analyticsSummary]

/** The figures of a range. Those of the range before stay until they are there. */
export function useSummary(range: DateRange) {
  const queryClient = useQueryClient()
  const zone = ownTimeZone()
  const parameters = summaryParameters(range, todayIn(zone), zone)
  const query = useQuery({
    queryKey: [...summaries, parameters],
    queryFn: ({ signal }) => readSummary(parameters, signal),
    placeholderData: keepPreviousData,
  })

  async function readAgain() {
    // Other ranges are read anew when they are next looked at.
    queryClient.removeQueries({ queryKey: summaries, type: 'inactive' })
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
    isAsking: query.isFetching,
    isRefreshing: query.isRefetching,
    /** What is shown belongs to the range before. */
    isOld: query.isPlaceholderData,
    hasFailed: query.isError && !query.data,
    readAgain: () => void readAgain(),
  }
}

async function readSummary(parameters: string, signal: AbortSignal): Promise<AnalyticsSummary> {
  const path = `${apiRoutes.analyticsSummary}?${parameters}`
  const answer = await callServer('GET', path, undefined, signal)
  return (await answer.json()) as AnalyticsSummary
}
