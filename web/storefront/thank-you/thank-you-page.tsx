import type { ThankYouPageData } from '#contract/public-pages.ts'
import { ShopContact } from '#web/storefront/checkout/shop-contact.tsx'
import { PlainButton } from '#web/storefront/checkout/plain-button.tsx'
import { Perforation, Receipt } from '#web/ui/receipt.tsx'

import { NextSteps } from './next-steps.tsx'
import { OrderFacts } from './order-facts.tsx'
import { OrderItem } from './order-item.tsx'
import { Icon } from '#web/storefront/checkout/icon.tsx'

/** Plain HTML: nothing here changes while it is looked at. */
export function ThankYouPage({ data }: { data: ThankYouPageData }) {
  const { order, shop } = data

  return (
    <Receipt>
      <div className="px-5 pt-6 pb-7 sm:px-10">
        <Icon name="good" className="size-12 text-completed" strokeWidth={1.5} />
        <h1 className="mt-4 text-3xl font-semibold tracking-tight">Thank you!</h1>
        <p className="mt-1.5 text-lg text-soft">Your order has been confirmed</p>
        {order.customerEmail && (
          <p className="mt-3 text-[0.9375rem]/6 text-soft">
            A confirmation email is on its way to{' '}
            <bdi className="font-medium text-ink wrap-anywhere">{order.customerEmail}</bdi>
          </p>
        )}
      </div>
      <Perforation />
      <OrderFacts order={order} />
      <Perforation />
      <OrderItem order={order} />
      <Perforation />
      <NextSteps status={order.status} />
      <Perforation />
      <div className="flex flex-wrap items-center justify-between gap-4 px-5 pt-6 pb-8 text-[0.9375rem] text-soft sm:px-10">
        <ShopContact shop={shop} />
        <PlainButton data-prints="">
          <Icon name="print" className="size-4" />
          Print
        </PlainButton>
      </div>
    </Receipt>
  )
}
