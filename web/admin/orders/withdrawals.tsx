import {
  infiniteQueryOptions,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'

import { countHeader, maxNoteLength, nextCursorHeader } from '#contract/orders.ts'
import { apiRoutes, pathOf } from '#contract/paths.ts'
import type { Withdrawal, WithdrawalExemption } from '#contract/withdrawals.ts'
import { createDateFormat, formatDate } from '#web/admin/dates.ts'
import { useOneAtATime } from '#web/admin/shell/use-one-at-a-time.ts'
import { entryShapes, parseList } from '#web/admin/answers.ts'
import { callServer, findReadAt, formatQuery, isUnauthorized, refusalText } from '#web/api.ts'
import { Button } from '#web/ui/button.tsx'
import { TextAreaField } from '#web/ui/fields.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { toast } from '#web/ui/use-toast.ts'

import { refreshCountsAndDetails, withdrawalsKey } from './order-queries.ts'

/** What the list above the orders and the panel of an order share about withdrawals. */

export function useWithdrawalsOf(orderId: string) {
  return useQuery({
    queryKey: [...withdrawalsKey, 'of', orderId],
    queryFn: async ({ signal }) => {
      const path = `${apiRoutes.withdrawals}${formatQuery({ order: orderId })}`
      const answer = await callServer('GET', path, undefined, signal)
      return parseList<Withdrawal>(entryShapes.withdrawal, await answer.json())
    },
  })
}

/** Those that fit an order, and the others, of which anybody can make up any number. */
export type WithdrawalKind = 'matched' | 'unmatched'

export type WithdrawalList = ReturnType<typeof useWaitingWithdrawals>

/** The statements that wait for the owner. */
export function useWaitingWithdrawals(kind: WithdrawalKind) {
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(
    waitingWithdrawals(kind),
  )
  const pages = data?.pages ?? []
  const withdrawals = pages.flatMap((page) => page.withdrawals)
  return {
    withdrawals,
    count: Math.max(pages[0]?.count ?? 0, withdrawals.length),
    readAt: pages[0]?.readAt,
    hasMore: hasNextPage,
    isLoadingMore: isFetchingNextPage,
    loadMore: () => void fetchNextPage({ cancelRefetch: false }),
  }
}

export function waitingWithdrawals(kind: WithdrawalKind) {
  return infiniteQueryOptions({
    queryKey: [...withdrawalsKey, kind],
    queryFn: async ({ pageParam: cursor, signal }) => {
      const unmatched = kind === 'unmatched' ? 'true' : undefined
      const path = `${apiRoutes.withdrawals}${formatQuery({ unmatched, cursor })}`
      const answer = await callServer('GET', path, undefined, signal)
      return {
        withdrawals: parseList<Withdrawal>(entryShapes.withdrawal, await answer.json()),
        count: Number(answer.headers.get(countHeader)),
        next: answer.headers.get(nextCursorHeader) ?? undefined,
        readAt: findReadAt(path),
      }
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
  })
}

const exemptionTexts: Record<WithdrawalExemption, string> = {
  personalised: 'it is made to order or personalised',
  perishable: 'it spoils or expires quickly',
}

const acknowledgements: Record<Withdrawal['acknowledgement'], string> = {
  waiting: 'The acknowledgement is being sent.',
  sent: 'An acknowledgement was sent.',
  unknown: 'An acknowledgement was to be sent. What became of it is not kept any longer.',
  'not-sent': 'No acknowledgement was sent for this statement. Please write to the customer.',
}

/** What the owner should know before deciding, in sentences. */
export function describeWithdrawal(withdrawal: Withdrawal): string[] {
  const { order, isLate, exemption, acknowledgement, refundDueOn } = withdrawal
  const isOutOfScope = order !== null && exemption === null && refundDueOn === null
  return [
    order
      ? ''
      : 'No order has this number and this email address. Look for it by name, or ask the customer.',
    isLate
      ? 'It came more than 14 days after you marked the order as shipped, ready for pickup or completed. The period begins when the customer has the goods: check that first.'
      : '',
    exemption
      ? `You sold this product without a right of withdrawal, because ${exemptionTexts[exemption]}.`
      : '',
    isOutOfScope ? 'The customer was not told of a right of withdrawal when they bought.' : '',
    acknowledgements[acknowledgement],
  ].filter(Boolean)
}

/** The day is one of the shop, whatever the clock of this browser says. */
const dueFormat = createDateFormat('UTC')

/** 'Refund due by Dec 1, 2026', or that it was; nothing where no law asks for it. */
export function describeDeadline({ refundDueOn, isOverdue }: Withdrawal): string | undefined {
  if (refundDueOn === null) return undefined
  return `Refund ${isOverdue ? 'was due' : 'due'} by ${formatDate(refundDueOn, dueFormat).day}`
}

type WithdrawalActionsProps = { withdrawal: Withdrawal; describedBy: string; children: ReactNode }

/** Other buttons first, then the one that settles it with a note. */
export function WithdrawalActions({ withdrawal, describedBy, children }: WithdrawalActionsProps) {
  const [isHandling, setIsHandling] = useState(false)
  if (isHandling) return <HandleForm withdrawal={withdrawal} onClose={() => setIsHandling(false)} />
  return (
    <div className="mt-3 flex flex-wrap gap-2">
      {children}
      <Button size="small" aria-describedby={describedBy} onClick={() => setIsHandling(true)}>
        Mark as handled
      </Button>
    </div>
  )
}

function HandleForm({ withdrawal, onClose }: { withdrawal: Withdrawal; onClose: () => void }) {
  const queryClient = useQueryClient()
  const [note, setNote] = useState('')
  const change = useMutation({
    mutationFn: () =>
      callServer('POST', pathOf(apiRoutes.withdrawalHandled, { id: withdrawal.id }), { note }),
    onSuccess: () => {
      toast({ title: 'Withdrawal handled' })
      refreshCountsAndDetails(queryClient)
    },
  })
  const save = useOneAtATime(() => change.mutateAsync())
  const { error } = change

  function submit(event: FormEvent): void {
    event.preventDefault()
    if (note.trim() !== '') save()
  }

  return (
    <form noValidate onSubmit={submit} className="mt-3 flex flex-col gap-2">
      <TextAreaField
        label="How was it handled?"
        hint="Only admins see it. A refund in full needs no note: it settles the withdrawal by itself."
        rows={2}
        maxLength={maxNoteLength}
        value={note}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the button that was pressed gives way to it
        autoFocus
        onChange={({ target }) => setNote(target.value)}
      />
      {error && !isUnauthorized(error) && (
        <Notice look="danger" role="alert">
          {refusalText(error) ?? 'It could not be saved. Please try again.'}
        </Notice>
      )}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" size="small" look="primary" isPending={change.isPending}>
          Mark as handled
        </Button>
        <Button size="small" look="bare" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
