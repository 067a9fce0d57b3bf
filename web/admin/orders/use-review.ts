import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import type { z } from 'zod'

import { maxReviewEntries, type ReviewEntry } from '#contract/checkouts.ts'
import { formatMoney } from '#contract/money.ts'
import type { dismissalSchema, reviewOrderSchema } from '#contract/order-schemas.ts'
import { apiRoutes, pathOf } from '#contract/paths.ts'
import { callServer, isUnauthorized, refusalCode, refusalText } from '#web/api.ts'
import { toast } from '#web/ui/use-toast.ts'

import { archiveKey, readAllAgain, reviewKey } from './order-cache.ts'
import { shortId } from './order-words.ts'

export type Review = ReturnType<typeof useReview>

/** Payments that no code may decide about, until the owner has dealt with them. */
export function useReview() {
  const query = useQuery<ReviewEntry[]>({ queryKey: reviewKey })
  return { ...shown(query.data), ...stateOf(query) }
}

/** Payments that were dealt with. */
export function useArchive() {
  const query = useQuery<ReviewEntry[]>({
    queryKey: archiveKey,
    queryFn: async ({ signal }) => {
      const answer = await callServer('GET', `${apiRoutes.review}?archive=true`, undefined, signal)
      return (await answer.json()) as ReviewEntry[]
    },
  })
  return { ...shown(query.data), ...stateOf(query) }
}

function shown(entries: ReviewEntry[] = []) {
  return {
    entries: entries.slice(0, maxReviewEntries),
    /** Others that are not shown. */
    hasMore: entries.length > maxReviewEntries,
  }
}

function stateOf(query: ReturnType<typeof useQuery<ReviewEntry[]>>) {
  return {
    isPending: query.isPending,
    isError: query.isError,
    isAsking: query.isFetching,
    askAgain: () => void query.refetch(),
  }
}

export type ReviewOrder = z.output<typeof reviewOrderSchema>
export type Dismissal = z.output<typeof dismissalSchema>

/** Makes the order that a payment did not become by itself. */
export function useMakeOrder(entry: ReviewEntry, { onLeft, onOpenOrder }: Leaving & OpensOrders) {
  const queryClient = useQueryClient()
  return useReviewAction(entry, {
    onLeft,
    failure: 'The order could not be made. Please try again.',
    send: async (wanted: ReviewOrder) => {
      const answer = await callServer(
        'POST',
        pathOf(apiRoutes.reviewOrder, { id: entry.id }),
        wanted,
      )
      return (await answer.json()) as { orderId: string }
    },
    onDone: ({ orderId }) => {
      // Lists that cannot be read now are as old as they were before; the order is made all the same.
      readAllAgain(queryClient).catch(() => {})
      toast({
        title: 'Order made',
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

/** Gives the whole payment back through SumUp. Asking twice refunds once. */
export function useRefund(entry: ReviewEntry, { onLeft }: Leaving) {
  return useReviewAction(entry, {
    onLeft,
    failure:
      'The shop did not answer, so it is not known whether the money was refunded. Please try again: it is never refunded twice.',
    send: () => callServer('POST', pathOf(apiRoutes.reviewRefund, { id: entry.id })),
    onDone: () =>
      toast({
        title: 'Payment refunded',
        description: `SumUp gives ${showPaid(entry)} back to the customer.`,
      }),
  })
}

export function useDismiss(entry: ReviewEntry, { onLeft }: Leaving) {
  const restore = useRestore()
  return useReviewAction(entry, {
    onLeft,
    failure: 'The payment could not be dismissed. Please try again.',
    send: (wanted: Dismissal) =>
      callServer('POST', pathOf(apiRoutes.reviewDismiss, { id: entry.id }), wanted),
    onDone: () =>
      toast({
        title: 'Payment dismissed',
        description: 'It is in the payment archive now.',
        action: {
          label: 'Undo',
          altText: 'Open the payment archive and restore the payment there',
          onClick: () => restore.run(entry),
        },
      }),
  })
}

/** Undoes a dismissal: the payment is in review again. */
export function useRestore() {
  const queryClient = useQueryClient()
  const isRunning = useRef(false)
  const { mutate, isPending, variables } = useMutation({
    mutationFn: ({ id }: ReviewEntry) =>
      callServer('POST', pathOf(apiRoutes.reviewRestore, { id })),
    onSuccess: (_answer, { id }) => {
      removeFrom(queryClient, archiveKey, id)
      toast({ title: 'Payment is in review again' })
    },
    onError: (error) => explain(error, 'The payment could not be restored. Please try again.'),
    onSettled: () => {
      isRunning.current = false
      void queryClient.invalidateQueries({ queryKey: reviewKey })
    },
  })

  return {
    restoringId: isPending ? variables.id : undefined,
    run: (entry: ReviewEntry) => {
      if (isRunning.current) return
      isRunning.current = true
      mutate(entry)
    },
  }
}

/** What SumUp says was paid; where that is not known, what the sale was about. */
export function showPaid({ paid, amount, currency }: ReviewEntry): string {
  return paid ? formatMoney(paid.amount, paid.currency) : formatMoney(amount, currency)
}

type Leaving = {
  /** The entry is no longer in the list, through this or through somebody else. */
  onLeft: () => void
}
type OpensOrders = { onOpenOrder: (id: string) => void }

type ActionOptions<Wanted, Answer> = Leaving & {
  send: (wanted: Wanted) => Promise<Answer>
  onDone: (answer: Answer) => void
  /** Said where the server has no words of its own. */
  failure: string
}

/** One decision about one entry. The entry leaves the list once the server has agreed, not before. */
function useReviewAction<Wanted, Answer>(
  entry: ReviewEntry,
  { onLeft, send, onDone, failure }: ActionOptions<Wanted, Answer>,
) {
  const queryClient = useQueryClient()
  // A second click comes before the first has drawn anything.
  const isRunning = useRef(false)

  function leave(): void {
    removeFrom(queryClient, reviewKey, entry.id)
    onLeft()
    // Others may take its place, and the archive has one more.
    void queryClient.invalidateQueries({ queryKey: reviewKey })
  }

  const { mutate, isPending, error } = useMutation({
    mutationFn: send,
    onSuccess: (answer) => {
      leave()
      onDone(answer)
    },
    onError: (error) => {
      const code = refusalCode(error)
      if (code === 'review-done' || code === 'review-missing') leave()
      explain(error, failure)
    },
    onSettled: () => (isRunning.current = false),
  })

  return {
    isPending,
    /** Why the last try failed. */
    problem: error && !isUnauthorized(error) ? (refusalText(error) ?? failure) : undefined,
    run: (wanted: Wanted) => {
      if (isRunning.current) return
      isRunning.current = true
      mutate(wanted)
    },
  }
}

function removeFrom(queryClient: QueryClient, key: readonly string[], id: string): void {
  queryClient.setQueryData<ReviewEntry[]>(key, (entries) =>
    entries?.filter((entry) => entry.id !== id),
  )
}

function explain(error: Error, failure: string): void {
  if (isUnauthorized(error)) return
  toast({
    title: 'Error',
    description: refusalText(error) ?? failure,
    variant: 'destructive',
  })
}
