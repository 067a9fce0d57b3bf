import { useQuery, type UseQueryResult } from '@tanstack/react-query'

import { maxReviewEntries, type ReviewEntry } from '#contract/checkouts.ts'
import { apiRoutes } from '#contract/paths.ts'
import { callServer, formatQuery } from '#web/api.ts'

import { reviewKey } from './order-queries.ts'
import { searchValues } from './order-url.ts'

/** Begins with the review's key, so that both lists are refreshed together. */
export const archiveKey = [...reviewKey, 'archive'] as const

export type Review = ReturnType<typeof useReview>

/** With the payments of test mode that a live shop hides, or without. */
type Shown = { showsTests: boolean }

/** While it is not known whether SumUp refunds a payment. */
const followRefundMs = 10_000

/** Payments that the owner has to decide about. */
export function useReview({ showsTests }: Shown) {
  return useReviewList(reviewKey, undefined, showsTests)
}

/** Payments that were decided about. */
export function useArchive({ showsTests }: Shown) {
  return useReviewList(archiveKey, 'true', showsTests)
}

function useReviewList(
  listKey: readonly string[],
  archive: 'true' | undefined,
  showsTests: boolean,
) {
  const query = useQuery({
    queryKey: showsTests ? [...listKey, 'tests'] : listKey,
    queryFn: ({ signal }) => fetchEntries({ archive, showsTests }, signal),
    refetchInterval: ({ state: { data } }) =>
      data?.some(({ refund }) => refund !== null) ? followRefundMs : false,
  })
  return toReview(query)
}

export async function fetchEntries(
  { archive, showsTests }: Shown & { archive: 'true' | undefined },
  signal: AbortSignal,
): Promise<ReviewEntry[]> {
  const path = `${apiRoutes.review}${formatQuery({ archive, ...searchValues({ showsTests }) })}`
  return (await (await callServer('GET', path, undefined, signal)).json()) as ReviewEntry[]
}

function toReview({ data = [], refetch, ...query }: UseQueryResult<ReviewEntry[]>) {
  return {
    entries: data.slice(0, maxReviewEntries),
    hasMore: data.length > maxReviewEntries,
    isPending: query.isPending,
    isError: query.isError,
    isFetching: query.isFetching,
    /** In milliseconds since 1970. */
    shownSince: query.dataUpdatedAt || undefined,
    retry: () => void refetch(),
  }
}
