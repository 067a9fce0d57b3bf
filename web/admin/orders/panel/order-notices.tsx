import { Link } from 'wouter'

import { describeReturned, findReturnedLabel } from '#contract/returned-money.ts'
import { formatPart, shortId } from '#web/admin/orders/order-text.ts'
import { Notice } from '#web/ui/notice.tsx'

import { link, type OrderProps } from './panel-parts.tsx'
import { WithdrawalNotice } from './withdrawal-notice.tsx'

type NoticesProps = OrderProps & { hrefOf: (id: string) => string; onRefund: () => void }

/** What an owner must know before working on the order. */
export function OrderNotices({ order, hrefOf, onRefund }: NoticesProps) {
  return (
    <>
      {order.isTest && (
        <Notice look="warning">
          <strong className="font-semibold">Test order.</strong> It was made in test mode: no money
          was taken, and nothing has to be delivered.
        </Notice>
      )}
      {order.withdrawnAt && <WithdrawalNotice order={order} onRefund={onRefund} />}
      {order.maybeDuplicateOf && (
        <Notice look="warning">
          <strong className="font-semibold">Possible duplicate.</strong> The same customer bought
          the same product at the same price shortly before.{' '}
          <Link href={hrefOf(order.maybeDuplicateOf)} replace className={`font-medium ${link}`}>
            Look at order {shortId(order.maybeDuplicateOf)}
          </Link>
        </Notice>
      )}
      {order.isOversold && (
        <Notice look="warning">
          <strong className="font-semibold">Oversold.</strong> It was paid when no piece was left.
          Send one that you still find, or{' '}
          <button type="button" onClick={onRefund} className={`font-medium ${link}`}>
            refund it
          </button>
          .
        </Notice>
      )}
      {order.isCodeOverused && (
        <Notice look="warning">
          <strong className="font-semibold">Code over its limit.</strong> It was paid when its
          discount code was used up. Deliver it at this price, or{' '}
          <button type="button" onClick={onRefund} className={`font-medium ${link}`}>
            refund it
          </button>
          .
        </Notice>
      )}
      {order.isChoiceMissing && (
        <Notice look="warning">
          <strong className="font-semibold">Choice missing.</strong>{' '}
          {order.product.choice ? (
            <>
              The product had no <bdi>{order.product.choice.value}</bdi> any more when it was paid.
            </>
          ) : (
            'Nothing was chosen.'
          )}{' '}
          Ask the customer which one they want, and take it off your stock: the shop did not.
        </Notice>
      )}
      <ReturnedNotice order={order} />
    </>
  )
}

/** What went back, and before a whole refund is shipped: whether that is meant. */
function ReturnedNotice({ order }: OrderProps) {
  const returned = describeReturned(order)
  if (returned.extent === 'none') return null
  const isInShop =
    order.status === 'pending' ||
    order.status === 'processing' ||
    (order.status === 'shipped' && order.isPickup === true)
  const act = order.isPickup ? 'hand it over' : 'ship it'
  return (
    <Notice look={returned.kind === 'refund' ? 'warning' : 'danger'}>
      <strong className="font-semibold">{findReturnedLabel(order)}.</strong>{' '}
      {returned.kind !== 'chargeback' && (
        <>
          <bdi>{formatPart(order.refundedAmount, order)}</bdi> was given back to the customer.{' '}
        </>
      )}
      {returned.kind !== 'refund' && (
        <>
          <bdi>{formatPart(order.chargedBackAmount, order)}</bdi> was charged back to the customer.
          Your SumUp account says why, and whether you can object.{' '}
        </>
      )}
      {returned.extent === 'all' && isInShop && `Do not ${act} unless you have agreed so.`}
    </Notice>
  )
}
