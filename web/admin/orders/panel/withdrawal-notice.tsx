import { useId } from 'react'

import { formatDate } from '#web/admin/dates.ts'
import {
  describeDeadline,
  describeWithdrawal,
  useWithdrawalsOf,
  WithdrawalActions,
} from '#web/admin/orders/withdrawals.tsx'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { RetryNotice } from '#web/ui/retry-notice.tsx'

import type { OrderProps } from './panel-parts.tsx'

type WithdrawalNoticeProps = OrderProps & { onRefund: () => void }

/** That the buyer withdraws, by when the money has to be back, and what to do about it. */
export function WithdrawalNotice({ order, onRefund }: WithdrawalNoticeProps) {
  const id = useId()
  const { data = [], isError, isFetching, refetch } = useWithdrawalsOf(order.id)
  const first = data.find(({ isOpen }) => isOpen) ?? data.findLast(({ isRepeat }) => !isRepeat)
  const day = formatDate(first?.createdAt ?? order.withdrawnAt ?? '').day
  const deadline = first && describeDeadline(first)
  return (
    <Notice look="warning">
      <p id={id}>
        <strong className="font-semibold">
          Withdrawn on {day}
          {first && (
            <>
              {' '}
              by <bdi>{first.name}</bdi>
            </>
          )}
          .
        </strong>{' '}
        {first?.isOpen && deadline && `${deadline}.`}
      </p>
      {isError && (
        <RetryNotice isFetching={isFetching} onRetry={() => void refetch()} className="mt-2">
          What was stated could not be loaded.
        </RetryNotice>
      )}
      {first?.isOpen && describeWithdrawal(first).map((text) => <p key={text}>{text}</p>)}
      {first && !first.isOpen && !first.handledAt && <p>Settled by the refund.</p>}
      {first?.handledAt && (
        <p>
          Marked as handled on {formatDate(first.handledAt).day} by <bdi>{first.handledBy}</bdi>
          {first.note && (
            <>
              : <bdi className="whitespace-pre-wrap">{first.note}</bdi>
            </>
          )}
        </p>
      )}
      {first?.isOpen && (
        <WithdrawalActions withdrawal={first} describedBy={id}>
          <Button size="small" aria-describedby={id} onClick={onRefund}>
            Refund
          </Button>
        </WithdrawalActions>
      )}
    </Notice>
  )
}
