import { formatMoney } from '#contract/money.ts'
import { nameMethod } from '#contract/payment-methods.ts'
import { goodsPrice, listPriceLines } from '#contract/price-lines.ts'
import { findParts } from '#contract/quotes.ts'
import { listReturned } from '#contract/returned-money.ts'
import { prices } from '#contract/texts/pages/en.ts'
import { formatPart, noValue } from '#web/admin/orders/order-text.ts'

import { CopyableFact, Fact, type OrderProps, Section } from './panel-parts.tsx'
import { RefundList } from './refund-list.tsx'

type PaymentSectionProps = OrderProps & { onRefund: () => void }

/** What the amount is made of, where it is not the price of the product alone. */
function listParts(order: OrderProps['order']): { label: string; value: string }[] {
  if (!findParts(order)) return []
  const show = (amount: string) => formatMoney(amount, order.currency)
  const words = { ...prices, shipping: 'Shipping', free: 'Free' }
  return [
    { label: 'Subtotal', value: show(goodsPrice(order)) },
    ...listPriceLines(order, words, show),
  ]
}

export function PaymentSection({ order, onRefund }: PaymentSectionProps) {
  return (
    <Section title="Payment">
      <dl className="flex flex-col gap-2">
        <Fact name="Method">
          {order.paymentMethod ? nameMethod(order.paymentMethod, 'Card') : noValue}
        </Fact>
        {listParts(order).map(({ label, value }) => (
          <Fact key={label} name={label}>
            {value}
          </Fact>
        ))}
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
