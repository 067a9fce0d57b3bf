import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Undo2 } from 'lucide-react'
import { useId, useState } from 'react'

import { apiRoutes } from '#contract/paths.ts'
import type { Withdrawal } from '#contract/withdrawals.ts'
import { toastFailure } from '#web/admin/shell/toast-failure.ts'
import { useOneAtATime } from '#web/admin/shell/use-one-at-a-time.ts'
import { callServer } from '#web/api.ts'
import { Button } from '#web/ui/button.tsx'
import { toast } from '#web/ui/use-toast.ts'

import { DateTime, TestBadge } from './order-display.tsx'
import { refreshCountsAndDetails } from './order-queries.ts'
import { formatCount } from './order-text.ts'
import type { OrderNavigation } from './order-url.ts'
import {
  describeDeadline,
  describeWithdrawal,
  WithdrawalActions,
  type WithdrawalList,
} from './withdrawals.tsx'

/** The orders below stay near; anybody can state that they withdraw. */
const firstShown = 3

type WithdrawalSectionProps = {
  matched: WithdrawalList
  unmatched: WithdrawalList
  navigation: OrderNavigation
}

/** Statements of buyers who withdraw that wait for the owner. */
export function WithdrawalSection({ matched, unmatched, navigation }: WithdrawalSectionProps) {
  return (
    <section
      aria-labelledby="open-withdrawals"
      className="mt-7 rounded-2xl border border-warning-line bg-warning-wash px-5 py-5 sm:px-6"
    >
      <h2
        id="open-withdrawals"
        className="flex items-center gap-2.5 font-semibold tracking-tight text-warning"
      >
        <Undo2 aria-hidden className="size-4.5 shrink-0" />
        {describeCount(matched.count + unmatched.count)}
      </h2>
      <p className="mt-1.5 max-w-2xl text-sm/6 text-soft">
        Where there is the right to withdraw, what was paid has to go back within 14 days. You may
        wait until the goods are back, or until the customer has shown that they were sent.
      </p>
      <WithdrawalCards list={matched} navigation={navigation} />
      {unmatched.count > 0 && (
        <>
          <div className="mt-5 flex flex-wrap items-center justify-between gap-2">
            <h3 className="text-sm font-semibold">
              {formatCount(unmatched.count)} without an order, newest first
            </h3>
            {unmatched.count > 1 && <DismissAll newest={unmatched.withdrawals[0]?.id ?? ''} />}
          </div>
          <WithdrawalCards list={unmatched} navigation={navigation} />
        </>
      )}
    </section>
  )
}

function describeCount(count: number): string {
  return count === 1
    ? 'A customer withdraws from a purchase'
    : `${formatCount(count)} customers withdraw from purchases`
}

type WithdrawalCardsProps = { list: WithdrawalList; navigation: OrderNavigation }

function WithdrawalCards({ list, navigation }: WithdrawalCardsProps) {
  const [showsAll, setShowsAll] = useState(false)
  const { withdrawals, count, hasMore, isLoadingMore, loadMore } = list
  const shown = showsAll ? withdrawals : withdrawals.slice(0, firstShown)
  return (
    <>
      <ul className="mt-4 flex flex-col gap-3">
        {shown.map((withdrawal) => (
          <WithdrawalCard key={withdrawal.id} withdrawal={withdrawal} navigation={navigation} />
        ))}
      </ul>
      {shown.length < withdrawals.length && (
        <Button look="bare" onClick={() => setShowsAll(true)} className="mt-2">
          Show {hasMore ? 'more' : 'all'} of {formatCount(count)}
        </Button>
      )}
      {shown.length === withdrawals.length && hasMore && (
        <Button look="bare" isPending={isLoadingMore} onClick={loadMore} className="mt-2">
          Load more of {formatCount(count)}
        </Button>
      )}
    </>
  )
}

/** Only what the owner could see is dismissed: what arrived since stays. */
function DismissAll({ newest }: { newest: string }) {
  const queryClient = useQueryClient()
  const dismissal = useMutation({
    mutationFn: async () => {
      const answer = await callServer('POST', apiRoutes.withdrawalsDismissed, { newest })
      const { dismissed } = (await answer.json()) as { dismissed: number }
      toast({ title: `${formatCount(dismissed)} dismissed` })
      refreshCountsAndDetails(queryClient)
    },
  })
  const dismiss = useOneAtATime(() =>
    toastFailure('They could not be dismissed', dismissal.mutateAsync()),
  )
  return (
    <Button size="small" isPending={dismissal.isPending} onClick={() => dismiss()}>
      Dismiss all without an order
    </Button>
  )
}

type WithdrawalCardProps = { withdrawal: Withdrawal; navigation: OrderNavigation }

function WithdrawalCard({ withdrawal, navigation }: WithdrawalCardProps) {
  const titleId = useId()
  const { order, name, email, orderNumber, createdAt, isTest } = withdrawal
  const deadline = describeDeadline(withdrawal)

  return (
    <li className="rounded-xl border border-warning-line bg-card px-4 py-4 text-sm/6 sm:px-5">
      <p id={titleId} className="font-medium wrap-anywhere">
        <bdi>{order ? order.product : `Order number “${orderNumber}”`}</bdi>
        {order?.number && <span className="ms-2 font-normal text-soft">#{order.number}</span>}{' '}
        <TestBadge isTest={isTest} />
      </p>
      <p className="wrap-anywhere text-soft">
        <bdi>{name}</bdi>, <bdi>{email}</bdi>, on <DateTime at={createdAt} />
      </p>
      {deadline && <p className="font-medium">{deadline}</p>}
      {describeWithdrawal(withdrawal).map((text) => (
        <p key={text} className="max-w-prose text-soft">
          {text}
        </p>
      ))}
      <WithdrawalActions withdrawal={withdrawal} describedBy={titleId}>
        {order ? (
          <>
            <Button
              size="small"
              aria-describedby={titleId}
              onClick={() => navigation.openPanel({ kind: 'refund', id: order.id })}
            >
              Refund
            </Button>
            <Button
              size="small"
              aria-describedby={titleId}
              onClick={() => navigation.open(order.id)}
            >
              Open order
            </Button>
          </>
        ) : (
          <Button size="small" aria-describedby={titleId} onClick={() => navigation.search(email)}>
            Search this email
          </Button>
        )}
      </WithdrawalActions>
    </li>
  )
}
