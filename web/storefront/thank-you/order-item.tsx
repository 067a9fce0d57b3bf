import { formatMoney } from '#contract/money.ts'
import type { PublicOrder } from '#contract/orders.ts'
import { ProductPicture } from '#web/storefront/checkout/product-picture.tsx'

export function OrderItem({ order }: { order: PublicOrder }) {
  const amount = formatMoney(order.amount, order.currency)

  return (
    <div className="px-5 py-7 sm:px-10">
      <div className="flex items-start gap-3 min-[400px]:gap-4">
        <ProductPicture imageUrl={order.product.imageUrl} />
        <div className="min-w-0 flex-1 wrap-anywhere">
          <p className="font-medium">{order.product.name}</p>
          <p className="mt-0.5 text-sm text-soft">Quantity {order.quantity}</p>
        </div>
        <bdi className="font-medium">{amount}</bdi>
      </div>
      <dl className="mt-5 space-y-2 text-[0.9375rem]">
        <div className="flex justify-between gap-4">
          <dt className="text-soft">Shipping</dt>
          <dd>Free</dd>
        </div>
        <div className="flex items-baseline justify-between gap-4">
          <dt className="font-semibold">Total</dt>
          <dd className="text-xl font-semibold tracking-tight">
            <span className="me-2 text-sm font-normal tracking-normal text-muted">
              {order.currency}
            </span>
            <bdi>{amount}</bdi>
          </dd>
        </div>
        {Number(order.refundedAmount) > 0 && (
          <div className="flex justify-between gap-4 font-medium">
            <dt>Refunded</dt>
            <dd>
              <bdi>{formatMoney(order.refundedAmount, order.currency)}</bdi>
            </dd>
          </div>
        )}
      </dl>
    </div>
  )
}
