import { renderToStaticMarkup, renderToString } from 'react-dom/server'

import type { CheckoutPageData, PageAssets, ThankYouPageData } from '#contract/public-pages.ts'
import { CheckoutPage } from '#web/storefront/checkout/checkout-page.tsx'
import { ThankYouPage } from '#web/storefront/thank-you/thank-you-page.tsx'

import { CheckoutShell } from './checkout-shell.tsx'
import { writeDocument } from './document.tsx'
import { MissingPage, type MissingText } from './missing-page.tsx'
import { NotFoundPage } from './not-found-page.tsx'
import { ThankYouShell } from './thank-you-shell.tsx'

export function renderCheckout(data: CheckoutPageData, assets: PageAssets): string {
  return writeDocument({
    title: `${data.product.name} · Checkout`,
    assets,
    html: renderToString(
      <CheckoutShell data={data}>
        <CheckoutPage data={data} />
      </CheckoutShell>,
    ),
    data: { page: 'checkout', ...data },
    soonAsked: URL.parse(data.sdkUrl)?.origin,
  })
}

export function renderThankYou(data: ThankYouPageData, assets: PageAssets): string {
  return writeDocument({
    title: `Thank you! · ${data.shop.name ?? data.order.product.name}`,
    assets,
    html: renderToStaticMarkup(
      <ThankYouShell data={data}>
        <ThankYouPage data={data} />
      </ThankYouShell>,
    ),
    data: { page: 'thank-you', ...data },
  })
}

export function renderMissing({ text }: { text: MissingText }, assets: PageAssets): string {
  return writeDocument({
    title: text,
    assets: { ...assets, script: null },
    html: renderToStaticMarkup(<MissingPage text={text} />),
  })
}

export function renderNotFound({ stylesheet }: Pick<PageAssets, 'stylesheet'>): string {
  return writeDocument({
    title: 'Page Not Found · Till',
    assets: { stylesheet, script: null, nonce: '' },
    html: renderToStaticMarkup(<NotFoundPage />),
  })
}
