import { listReturned } from '#contract/returned-money.ts'
import { formatPart, noValue } from '#web/admin/orders/order-text.ts'

import { CopyableFact, Fact, type OrderProps, Section } from './panel-parts.tsx'
import { RefundList } from './refund-list.tsx'

type PaymentSectionProps = OrderProps & { onRefund: () => void }

export function PaymentSection({ order, onRefund }: PaymentSectionProps) {
  return (
    <Section title="Payment">
      <dl className="flex flex-col gap-2">
        <Fact name="Method">{order.paymentMethod === 'card' ? 'Card' : noValue}</Fact>
        {listReturned(order).map(({ label, amount }) => (
          <Fact key={label} name={label}>
            {formatPart(amount, order)}
          </Fact>
        ))}
        <CopyableFact name="SumUp transaction" text={order.sumupTransactionId} />
        <CopyableFact name="Order ID" text={order.id} />
      </dl>
      <RefundList order={order} onRefund={onRefund} />
    </Section>
  )
}
