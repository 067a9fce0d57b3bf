import { useMutation, useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query'
import { useRef } from 'react'
import type { z } from 'zod'

import { maxReviewEntries, type ReviewEntry } from '#contract/checkouts.ts'
import type { dismissalSchema, reviewOrderSchema } from '#contract/order-schemas.ts'
import { apiRoutes, pathOf } from '#contract/paths.ts'
import { callServer, isUnauthorized, refusalCode, refusalText } from '#web/api.ts'
import { toast } from '#web/ui/use-toast.ts'

import { refreshAll, reviewKey } from './order-queries.ts'
import { shortId } from './order-text.ts'
import { formatQuery, searchValues } from './order-url.ts'
import { formatPaid } from './review-text.ts'

/** Begins with the review's key, so that both lists are refreshed together. */
const archiveKey = [...reviewKey, 'archive'] as const

export type Review = ReturnType<typeof useReview>
export type ReviewOrder = z.output<typeof reviewOrderSchema>
export type Dismissal = z.output<typeof dismissalSchema>

/** With the payments of test mode that a live shop hides, or without. */
type Shown = { showsTests: boolean }

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
    queryFn: async ({ signal }) => {
      const path = `${apiRoutes.review}${formatQuery({ archive, ...searchValues({ showsTests }) })}`
      return (await (await callServer('GET', path, undefined, signal)).json()) as ReviewEntry[]
    },
  })
  return toReview(query)
}

function toReview({ data = [], refetch, ...query }: UseQueryResult<ReviewEntry[]>) {
  return {
    entries: data.slice(0, maxReviewEntries),
    hasMore: data.length > maxReviewEntries,
    isPending: query.isPending,
    isError: query.isError,
    isFetching: query.isFetching,
    retry: () => void refetch(),
  }
}

/** Called when the entry has left the list, whether through this action or somebody else's. */
type OnRemoved = { onRemoved: () => void }

export function useCreateOrder(
  entry: ReviewEntry,
  { onRemoved, onOpenOrder }: OnRemoved & { onOpenOrder: (id: string) => void },
) {
  const queryClient = useQueryClient()
  return useReviewAction(entry, {
    onRemoved,
    failureText: 'The order could not be created. Please try again.',
    send: async (input: ReviewOrder) => {
      const path = pathOf(apiRoutes.reviewOrder, { id: entry.id })
      return (await (await callServer('POST', path, input)).json()) as { orderId: string }
    },
    onSuccess: ({ orderId }) => {
      // The order exists even if the lists cannot be refreshed now.
      refreshAll(queryClient).catch(() => {})
      toast({
        title: 'Order created',
        description: `It is in the list as ${shortId(orderId)}.`,
        action: {
          label: 'View',
          altText: 'Open the order from the list of orders',
          onClick: () => onOpenOrder(orderId),
        },
      })
    },
  })
}

/** Refunds the whole payment through SumUp. Safe to repeat: the server refunds once. */
export function useRefund(entry: ReviewEntry, { onRemoved }: OnRemoved) {
  return useReviewAction(entry, {
    onRemoved,
    failureText:
      'The shop did not answer, so it is not known whether the money was refunded. Please try again: it is never refunded twice.',
    send: () => callServer('POST', pathOf(apiRoutes.reviewRefund, { id: entry.id })),
    onSuccess: () =>
      toast({
        title: 'Payment refunded',
        description: `SumUp gives ${formatPaid(entry)} back to the customer.`,
      }),
  })
}

export function useDismiss(entry: ReviewEntry, { onRemoved }: OnRemoved) {
  const restore = useRestore(entry)
  return useReviewAction(entry, {
    onRemoved,
    failureText: 'The payment could not be dismissed. Please try again.',
    send: (input: Dismissal) =>
      callServer('POST', pathOf(apiRoutes.reviewDismiss, { id: entry.id }), input),
    onSuccess: () =>
      toast({
        title: 'Payment dismissed',
        description: 'It is in the payment archive now.',
        action: {
          label: 'Undo',
          altText: 'Open the payment archive and restore the payment there',
          onClick: () => restore.run(undefined),
        },
      }),
  })
}

/** Undoes a dismissal: the payment goes back from the archive into review. */
export function useRestore(entry: ReviewEntry) {
  const queryClient = useQueryClient()
  return useReviewAction(entry, {
    listKey: archiveKey,
    failureText: 'The payment could not be restored. Please try again.',
    send: () => callServer('POST', pathOf(apiRoutes.reviewRestore, { id: entry.id })),
    onSuccess: () => toast({ title: 'Payment is in review again' }),
    // Also after a failure: somebody else may have restored it.
    onSettled: () => void queryClient.invalidateQueries({ queryKey: reviewKey }),
  })
}

type ReviewAction<Input, Answer> = Partial<OnRemoved> & {
  /** The list that the entry leaves. */
  listKey?: readonly string[]
  send: (input: Input) => Promise<Answer>
  onSuccess: (answer: Answer) => void
  onSettled?: () => void
  /** Shown when the server gives no reason. */
  failureText: string
}

/** One action on one entry. The entry leaves its list when the server has confirmed, not before. */
function useReviewAction<Input, Answer>(
  entry: ReviewEntry,
  {
    listKey = reviewKey,
    send,
    onSuccess,
    onSettled,
    onRemoved,
    failureText,
  }: ReviewAction<Input, Answer>,
) {
  const queryClient = useQueryClient()
  // isPending changes with the next render, which may be later than a double click.
  const isRunning = useRef(false)

  function removeEntry(): void {
    queryClient.setQueryData<ReviewEntry[]>(listKey, (entries) =>
      entries?.filter(({ id }) => id !== entry.id),
    )
    onRemoved?.()
    void queryClient.invalidateQueries({ queryKey: reviewKey })
  }

  const { mutate, isPending, error } = useMutation({
    mutationFn: send,
    onSuccess: (answer) => {
      removeEntry()
      onSuccess(answer)
    },
    onError: (error) => {
      const code = refusalCode(error)
      if (code === 'review-done' || code === 'review-missing') removeEntry()
      if (isUnauthorized(error)) return
      toast({
        title: 'Error',
        description: refusalText(error) ?? failureText,
        variant: 'destructive',
      })
    },
    onSettled: () => {
      isRunning.current = false
      onSettled?.()
    },
  })

  return {
    isPending,
    /** Why the last attempt failed. */
    problem: error && !isUnauthorized(error) ? (refusalText(error) ?? failureText) : undefined,
    run: (input: Input) => {
      if (isRunning.current) return
      isRunning.current = true
      mutate(input)
    },
  }
}
