import { useQuery, type UseQueryResult } from '@tanstack/react-query'

import { maxReviewEntries, type ReviewEntry } from '#contract/checkouts.ts'
import { apiRoutes } from '#contract/paths.ts'
import { entryShapes, parseList } from '#web/admin/answers.ts'
import { callServer, findReadAt, formatQuery } from '#web/api.ts'

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
  return toReview(query, findReadAt(formatReviewPath({ archive, showsTests })))
}

type Wanted = Shown & { archive: 'true' | undefined }

export async function fetchEntries(wanted: Wanted, signal: AbortSignal): Promise<ReviewEntry[]> {
  const answer = await callServer('GET', formatReviewPath(wanted), undefined, signal)
  return parseList<ReviewEntry>(entryShapes.review, await answer.json())
}

function formatReviewPath({ archive, showsTests }: Wanted): string {
  return `${apiRoutes.review}${formatQuery({ archive, ...searchValues({ showsTests }) })}`
}

function toReview(
  { data = [], refetch, ...query }: UseQueryResult<ReviewEntry[]>,
  readAt: number | undefined,
) {
  return {
    entries: data.slice(0, maxReviewEntries),
    hasMore: data.length > maxReviewEntries,
    isPending: query.isPending,
    isError: query.isError,
    isFetching: query.isFetching,
    /** When the server read it (readAtHeader). */
    shownSince: readAt,
    retry: () => void refetch(),
  }
}
