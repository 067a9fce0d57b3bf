import type { ReactNode } from 'react'

import type { ThankYouPageData } from '#contract/public-pages.ts'
import { pageRootId, toastsId } from '#web/storefront/checkout/page-data.ts'

import { ShopFooter } from './shop-footer.tsx'
import { ShopHeader } from './shop-header.tsx'

type ThankYouShellProps = { data: ThankYouPageData; children: ReactNode }

export function ThankYouShell({ data, children }: ThankYouShellProps) {
  const { order, shop } = data

  return (
    <div className="mx-auto flex min-h-dvh max-w-2xl flex-col overflow-x-clip px-4 print:min-h-0">
      <header className="py-6 sm:py-10">
        <ShopHeader product={order.product} fallback={shop.name ?? 'Your order'} />
      </header>
      <main id={pageRootId} className="flex-1">
        {children}
      </main>
      <ShopFooter shop={shop} />
      <div id={toastsId} />
    </div>
  )
}
