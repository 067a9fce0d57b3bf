import type { ReactNode } from 'react'

import type { CheckoutPageData } from '#contract/public-pages.ts'
import { thankYouPath } from '#contract/paths.ts'
import { Icon } from '#web/storefront/checkout/icon.tsx'
import { pageRootId, toastsId } from '#web/storefront/checkout/page-data.ts'

import { OrderSummary } from './order-summary.tsx'
import { ShopFooter } from './shop-footer.tsx'
import { ShopHeader } from './shop-header.tsx'

type CheckoutShellProps = { data: CheckoutPageData; children: ReactNode }

/** What stands around the checkout and never changes: it stays HTML, and no browser loads it as script. */
export function CheckoutShell({ data, children }: CheckoutShellProps) {
  const { product, charge, shop, isTestMode, recentOrder } = data

  return (
    <div className="min-h-dvh bg-card md:grid md:grid-cols-[minmax(1.5rem,1fr)_minmax(0,35rem)_minmax(18rem,26rem)_minmax(0,1fr)] md:grid-rows-[auto_1fr_auto]">
      <header className="flex items-center justify-between gap-4 px-5 py-4 md:col-start-2 md:ps-0 md:pe-8 md:pt-10 md:pb-8 lg:pe-12">
        <h1 className="min-w-0">
          <ShopHeader product={product} fallback="Checkout" />
        </h1>
        {isTestMode && (
          <p className="shrink-0 rounded-full border border-warning-line bg-warning-wash px-3 py-1 text-[0.8125rem] font-medium text-warning">
            Test mode
          </p>
        )}
      </header>
      <OrderSummary product={product} charge={charge} />
      <main className="px-5 pt-8 pb-12 md:col-start-2 md:row-start-2 md:ps-0 md:pe-8 md:pt-0 lg:pe-12">
        {recentOrder && <RecentOrder {...recentOrder} />}
        <div id={pageRootId}>{children}</div>
      </main>
      <div className="px-5 md:col-start-2 md:ps-0 md:pe-8 lg:pe-12">
        <ShopFooter shop={shop} />
      </div>
      <div id={toastsId} />
    </div>
  )
}

/** Buying again is allowed, but nobody should do so because they believe that the first time did not work. */
function RecentOrder({ id, minutesAgo }: NonNullable<CheckoutPageData['recentOrder']>) {
  return (
    <aside
      aria-label="Your last order"
      className="mb-8 flex items-start gap-3 rounded-xl border border-line bg-completed-wash px-4 py-3.5 text-[0.9375rem]/6"
    >
      <Icon name="good" className="mt-0.5 size-5 shrink-0 text-completed" />
      <p>
        <strong className="font-semibold">You bought this {agoText(minutesAgo)}.</strong> It is
        paid, and there is no need to pay again.{' '}
        <a
          href={thankYouPath(id)}
          className="font-medium text-accent underline underline-offset-2 pointer-coarse:inline-block pointer-coarse:py-2.5"
        >
          See your order
        </a>
      </p>
    </aside>
  )
}

function agoText(minutes: number): string {
  if (minutes < 1) return 'just now'
  return minutes === 1 ? '1 minute ago' : `${minutes} minutes ago`
}
