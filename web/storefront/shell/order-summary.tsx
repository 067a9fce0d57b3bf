import type { ReactNode } from 'react'

import { formatMoney } from '#contract/money.ts'
import type { CheckoutPageData } from '#contract/public-pages.ts'
import { Icon } from '#web/storefront/checkout/icon.tsx'
import { ProductPicture } from '#web/storefront/checkout/product-picture.tsx'

type OrderSummaryProps = Pick<CheckoutPageData, 'product' | 'charge'>

/**
 * What is bought and what it costs: a column beside the form, on a phone a bar that stays in sight. Whatever the
 * product is priced in, the sums are what will be charged.
 */
export function OrderSummary({ product, charge }: OrderSummaryProps) {
  const sum = formatMoney(charge.amount, charge.currency)
  const isOtherCurrency = product.currency !== charge.currency

  return (
    <aside
      aria-label="Order summary"
      className="sticky top-0 z-10 border-y border-line bg-well md:static md:col-start-3 md:col-end-5 md:row-start-1 md:row-end-4 md:border-y-0 md:border-s"
    >
      <SummaryBar sum={sum} />
      <div
        id="order-summary"
        className="max-h-[70dvh] overflow-y-auto px-5 pt-2 pb-6 peer-aria-[expanded=false]:hidden md:sticky md:top-0 md:block! md:max-h-none md:max-w-[26rem] md:overflow-visible md:py-12 md:ps-8 md:pe-6 lg:ps-12"
      >
        <div className="flex items-start gap-3 min-[400px]:gap-4">
          <ProductPicture imageUrl={product.imageUrl} />
          <div className="min-w-0 flex-1 wrap-anywhere">
            <p className="font-medium">{product.name}</p>
            {product.description && (
              <p className="mt-0.5 line-clamp-4 text-sm/5 whitespace-pre-line text-soft">
                {product.description}
              </p>
            )}
            <p className="mt-1 text-sm text-soft">Quantity 1</p>
          </div>
          <span className="text-end font-medium">
            <bdi>{formatMoney(product.price, product.currency)}</bdi>
            {isOtherCurrency && (
              <span className="block text-sm font-normal text-soft">{product.currency}</span>
            )}
          </span>
        </div>
        <dl className="mt-6 space-y-2.5 border-t border-line pt-5 text-[0.9375rem]">
          <Line label="Subtotal">
            <bdi>{sum}</bdi>
          </Line>
          <Line label="Shipping">Free</Line>
          <div className="flex items-baseline justify-between gap-4 border-t border-line pt-4">
            <dt className="text-lg font-semibold tracking-tight">Total</dt>
            <dd className="text-2xl font-semibold tracking-tight">
              <span className="me-2 text-sm font-normal tracking-normal text-muted">
                {charge.currency}
              </span>
              <bdi>{sum}</bdi>
            </dd>
          </div>
        </dl>
      </div>
    </aside>
  )
}

/** On a phone the summary is folded, and what it costs stays in sight. */
function SummaryBar({ sum }: { sum: string }) {
  return (
    <button
      type="button"
      aria-expanded="false"
      aria-controls="order-summary"
      className="group peer flex min-h-14 w-full items-center gap-2 px-5 text-accent md:hidden"
    >
      <Icon name="bag" className="size-4.5" />
      <span data-unfolded="Hide order summary" className="text-[0.9375rem] font-medium">
        Show order summary
      </span>
      <Icon name="down" className="size-4 group-aria-expanded:rotate-180" />
      <bdi className="ms-auto text-lg font-semibold text-ink">{sum}</bdi>
    </button>
  )
}

function Line({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex justify-between gap-4">
      <dt className="text-soft">{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}
