import type { OrderRefund } from '#contract/refunds.ts'
import { DateTime } from '#web/admin/orders/order-display.tsx'
import { describeOutcome, refundLabels, useOrderRefunds } from '#web/admin/orders/order-refunds.ts'
import { formatPart } from '#web/admin/orders/order-text.ts'
import { Button } from '#web/ui/button.tsx'
import { RetryNotice } from '#web/ui/retry-notice.tsx'

import type { OrderProps } from './panel-parts.tsx'

type RefundListProps = OrderProps & { onRefund: () => void }

/** The refunds of an order that were asked for here, and the button for another. */
export function RefundList({ order, onRefund }: RefundListProps) {
  const { data, isError, isFetching, refetch } = useOrderRefunds(order.id)
  // Also if they were loaded before: what can be refunded may have changed.
  if (isError)
    return (
      <RetryNotice isFetching={isFetching} onRetry={() => void refetch()} className="mt-3">
        The refunds could not be loaded.
      </RetryNotice>
    )
  // As high as the button: nothing moves when it is there.
  if (!data) return <div className="mt-3 h-8 pointer-coarse:h-11" />
  return (
    <>
      {data.refunds.length > 0 && (
        <ul aria-label="Refunds" className="mt-3 flex flex-col gap-2">
          {data.refunds.map((refund) => (
            <Refund key={refund.id} refund={refund} order={order} />
          ))}
        </ul>
      )}
      {data.blockedBy === null ? (
        <Button size="small" onClick={onRefund} className="mt-3">
          Refund
        </Button>
      ) : (
        <p className="mt-3 text-soft">{data.blockedBy}</p>
      )}
    </>
  )
}

function Refund({ refund, order }: OrderProps & { refund: OrderRefund }) {
  const { amount, state, who, askedAt } = refund
  return (
    <li className="rounded-lg border border-line px-3 py-2">
      <p className="flex flex-wrap justify-between gap-x-3">
        <span className="font-medium">{refundLabels[state]}</span>
        <bdi>{formatPart(amount, order)}</bdi>
      </p>
      {!refund.isOfOrder && (
        <p className="text-soft">Of another payment: the customer had paid twice.</p>
      )}
      {state !== 'done' && <p className="text-soft">{describeOutcome(refund)}</p>}
      <p className="text-[0.8125rem]/5 text-muted">
        <DateTime at={askedAt} />
        {' · '}
        <bdi>{who}</bdi>
      </p>
    </li>
  )
}
