import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'

import { mostReviewed } from '#contract/order-list.ts'
import type { ReviewedPayment } from '#contract/orders.ts'
import { calls, pathOf } from '#contract/paths.ts'
import { callServer, isUnauthorized } from '#web/api.ts'
import { toast } from '#web/ui/use-toast.ts'

import { reviewKey } from './order-cache.ts'

export type Review = ReturnType<typeof useReview>

/** Payments that no code may decide about, until the owner has dealt with them. */
export function useReview() {
  const queryClient = useQueryClient()
  const query = useQuery<ReviewedPayment[]>({ queryKey: reviewKey })
  const payments = query.data ?? []
  const hasMore = payments.length > mostReviewed
  const handle = useMutation({
    mutationFn: ({ id }: ReviewedPayment) =>
      callServer('POST', pathOf(calls.paymentHandled, { id })),
    onSuccess: (_answer, { id }) => {
      queryClient.setQueryData<ReviewedPayment[]>(reviewKey, (payments) =>
        payments?.filter((payment) => payment.id !== id),
      )
      if (hasMore) void queryClient.invalidateQueries({ queryKey: reviewKey })
      toast({ title: 'Payment marked as handled' })
      // The card and its buttons are gone: the page is where to go on.
      document.querySelector('main')?.focus({ preventScroll: true })
    },
    onError: (error) => {
      if (isUnauthorized(error)) return
      toast({
        title: 'Error',
        description: 'The payment could not be marked as handled. Please try again.',
        variant: 'destructive',
      })
    },
  })

  return {
    payments: payments.slice(0, mostReviewed),
    /** Others that are not shown yet. */
    hasMore,
    isPending: query.isPending,
    isError: query.isError,
    isAsking: query.isFetching,
    askAgain: () => void query.refetch(),
    handlingId: handle.isPending ? handle.variables.id : undefined,
    markAsHandled: (payment: ReviewedPayment) => handle.mutate(payment),
  }
}
